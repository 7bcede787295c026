// Where the page's files are whose names are put together while it runs.

// tools/release puts its own in place of these: the release, and the names that have a hash of what is in the file.
export const release = '';
const names = {};

export const place = (file) => names[file] ?? file;

// Names with hashes: what tools/release makes of the built site, as data. Same site, same names, same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';

const HASH_DIGITS = 12;  // as many as web/worker.js checks

// What others link to keeps its name; the page and all else that is linked to from there is hashed.
const LINKED = /^(?:[^/]+\.html|embed\.js|worker\.js|[^/]+\.md|[^/]+\.schema\.json|(?:examples|posters)\/.*|fonts\/LICENSE)$/;
// Names that the page puts together while it runs: web/page/files.js has the table of them.
const COMPUTED = /^(?:limelight(?:_relaxed)?(?:\.scenes)?\.(?:mjs|wasm)|fonts\/.*\.ttf|models\/.*)$/;

const REFERS = /\.(?:html|css|js|mjs)$/;  // kinds that may name other files
const REFERENCE = /(["'`(])([\w./-]+)(?=["'`)])/g;  // a file's name with nothing else around it

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

// → the names of a folder's files, with / between folders, sorted
export const filesIn = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).split(path.sep).join('/'))
  .sort();

// → Map of the site's files, name → bytes: in `built`, which has other things too, those that `sources` has, and what a build makes.
export function readSite(built, sources) {
  const own = new Set(filesIn(sources));
  const names = filesIn(built).filter((name) => own.has(name) || LINKED.test(name) || COMPUTED.test(name));
  return new Map(names.map((name) => [name, readFileSync(path.join(built, name))]));
}

// Puts a value in place of what a source has there until then.
export function fill(text, place, value) {
  if (!text.includes(place)) throw new Error(`There is no "${place}" to be filled in by the release.`);
  return text.replace(place, () => place.replace(/(?:''|\{\}|null);$/, `${JSON.stringify(value)};`));
}

// A script or style sheet of the page as browsers need it: without comments, with short names.
function minified(text, loader) {
  const isModule = loader === 'js' && /^(?:import|export) /m.test(text);
  return transformSync(text, { loader, minify: true, charset: 'utf8', target: 'es2022', ...(isModule && { format: 'esm' }) }).code;
}

// site: name → bytes. → {release: its name, names: Map of name → the name that it gets, files: Map of new name → bytes}. A file that
// nothing names is left out.
export function hashed(site) {
  const release = sha256([...site].map(([name, bytes]) => `${sha256(bytes)} ${name}\n`).join('')).slice(0, HASH_DIGITS);
  const names = new Map();
  const files = new Map();
  const underWay = [];  // names whose hashes wait for those of others

  const table = () => Object.fromEntries([...site.keys()].filter((name) => COMPUTED.test(name)).map((name) => [name, nameOf(name)]));

  // The file with the new names of those that it names.
  function rewritten(name) {
    const bytes = site.get(name);
    if (!REFERS.test(name)) return bytes;
    const folder = path.posix.dirname(name);
    let text = bytes.toString('utf8').replace(REFERENCE, (whole, before, reference) => {
      const target = path.posix.join(folder, reference);
      if (!site.has(target) || target === name) return whole;
      const relative = path.posix.relative(folder, nameOf(target));
      return `${before}${reference.startsWith('./') ? './' : ''}${relative}`;
    });
    if (name === 'page/files.js') text = fill(fill(text, "release = '';", release), 'names = {};', table());
    if (/\.(?:m?js|css)$/.test(name) && !LINKED.test(name)) text = minified(text, name.endsWith('.css') ? 'css' : 'js');
    return Buffer.from(text);
  }

  function nameOf(name) {
    if (names.has(name)) return names.get(name);
    if (LINKED.test(name)) {
      names.set(name, name);  // first: pages may link to each other
      files.set(name, rewritten(name));
      return name;
    }
    if (underWay.includes(name)) throw new Error(`${[...underWay, name].join(' names ')}: hashes cannot go in a circle.`);
    underWay.push(name);
    const bytes = rewritten(name);
    underWay.pop();
    const { dir, name: stem, ext } = path.posix.parse(name);
    names.set(name, path.posix.join(dir, `${stem}.${sha256(bytes).slice(0, HASH_DIGITS)}${ext}`));
    files.set(names.get(name), bytes);
    return names.get(name);
  }

  for (const name of site.keys()) if (LINKED.test(name)) nameOf(name);
  return { release, names, files };
}

// A state file that the reader gives.

import { shownName } from './pictures.js';

const MOST_BYTES = 1_000_000;  // as src/io/state_file.h has it

// → {ok, message}; the reader has been told in any case.
export async function openStateFile(file, call) {
  const refuse = (message) => {
    call('refuse_own', `${message} What was shown stays.`);
    return { ok: false, message };
  };
  if (file.size > MOST_BYTES) {
    return refuse(`${shownName(file)} has ${(file.size / 1e6).toFixed(1)} MB; a state file has up to 1 MB.`);
  }
  let text;
  try {
    text = await file.text();
  } catch {
    return refuse(`${shownName(file)} cannot be read any more; it may have been moved or changed.`);
  }
  return call('open_state', text);
}

// Models and attention weights of the reader's own: copied into the core's memory piece by piece, sent nowhere. The core says which
// of the files it takes, and what is wrong with them.

import { element } from '../page/dom.js';
import { shownName } from './pictures.js';

const PIECE = 8 * 1024 * 1024;  // bytes that are here twice at a time
const MOST_FILES = 2000;  // of a folder that are looked at

// As a sentence can have it.
const shownPath = (path) => path.split('/').map((name) => shownName({ name })).join('/');

// resources: where the core finds bytes; scenes(): resolves when all scenes are there, one of which shows them.
// → {take(files), choose()}. files: [{file, path}]
export function createOwn({ resources, call, scenes }) {
  const copy = async ({ file, path }, target) => {
    for (let begin = 0; begin < file.size; begin += PIECE) {
      const bytes = await file.slice(begin, begin + PIECE).arrayBuffer().catch(() => {
        throw new Error(`${shownPath(path)} cannot be read any more; it may have been moved or changed.`);
      });
      resources.piece = new Uint8Array(bytes);
      const reply = call('own_piece', `${target} ${begin}`);
      delete resources.piece;
      if (!reply.ok) throw new Error(reply.message);
      await new Promise((resolve) => setTimeout(resolve));  // a frame, and whoever wants to stop it
    }
  };

  const take = async (files) => {
    try {
      await scenes();
    } catch {
      return;  // the reader has the reason
    }
    const stays = ({ message }) => `${message} What was shown stays.`;
    const offered = call('own_offered', files.map(({ file, path }) => `${file.size} ${shownPath(path)}`).join('\n'));
    if (!offered.ok) return call('refuse_own', stays(offered));
    try {
      for (const [index, chosen] of offered.files.entries()) await copy(files[chosen], `${offered.ticket} ${index}`);
    } catch (error) {
      return call('own_broken', `${offered.ticket} ${stays(error)}`);  // which says nothing of what was stopped; the core has told
    }
    const arrived = call('own_arrived', String(offered.ticket));
    if (!arrived.ok) call('refuse_own', stays(arrived));
  };

  return {
    take,
    choose() {
      const input = element('input', { type: 'file', multiple: '' });
      input.addEventListener('change', () => input.files.length > 0 && take([...input.files].map((file) => ({ file, path: file.name }))));
      input.click();
    },
  };
}

// What a folder holds, with what lies in folders within it: [{file, path}], the path from the folder's name on. Rejects with a
// sentence.
export async function filesOf(folder) {
  const found = [];
  const walk = async (entry, before) => {
    if (found.length >= MOST_FILES) {
      throw new Error(`${shownName(folder)} has more than ${MOST_FILES} files; drop the model’s own folder.`);
    }
    const path = `${before}${entry.name}`;
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      found.push({ file, path });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));  // at most 100 at a time
      if (some.length === 0) return;
      for (const one of some) if (!one.name.startsWith('.')) await walk(one, `${path}/`);
    }
  };
  await walk(folder, '');
  return found;
}

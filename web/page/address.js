// The page's address, which says all that was set.

import { forget, keep } from './kept.js';

const HASH_PAUSE_MS = 350;   // Safari allows 100 changes of the address in 30 s

// Everything that was set is in the address. Another scene is a step in the history, which leads back to where one was;
// nothing else is, and in a frame the history is the article's. What is too long for an address is kept for the tab.
export function createAddress(call, framed) {
  let written = location.hash.slice(1);
  let wanted = written;
  let tooLong = false;
  let timer = 0;
  let scene = null;  // that the address is of; null: whichever comes
  // → whether loading the page again shows what it shows now
  const write = (method = 'replaceState') => {
    clearTimeout(timer);
    timer = 0;
    try {
      if (tooLong) return keep(call('link').hash);
      forget();
      if (wanted !== written) history[method](null, '', `#${wanted}`);
      written = wanted;
      return true;
    } catch {
      return false;  // a frame without an address of its own
    }
  };
  const fate = () => (write() ? 'What you set is kept.' : 'What you set cannot be kept here and will be lost.');
  addEventListener('hashchange', ({ oldURL, newURL }) => {
    clearTimeout(timer);
    timer = 0;
    written = scene = null;
    forget(new URL(oldURL).hash);
    call('open', new URL(newURL).hash.slice(1));  // of the address that may have been written since
  });
  const follow = (page) => {
    const left = !framed && page.hash && scene && scene !== page.scene;
    scene = page.scene;
    if (page.opening) {  // it is in no address; the page below it is where one comes back to
      wanted = page.hash || wanted;
      return;
    }
    if (!page.tooLong && (!page.hash || (page.hash === written && !tooLong))) return;  // none: the refused one stays
    if (left) write();  // where one comes back to
    tooLong = page.tooLong;
    wanted = page.hash || wanted;
    if (left) write('pushState');
    timer ||= setTimeout(write, HASH_PAUSE_MS);
  };
  return { follow, write, fate };
}

// What leaves the page: links, copied text, files.

import { showText } from './fallback.js';

export function openLink(address) {
  const url = new URL(address, location.href);
  if (url.protocol === 'https:' || url.protocol === 'http:') window.open(url, '_blank', 'noopener');
}

// A text, or a link to this page given as "#…". On phones a link goes to the system's sharing sheet. Resolves to whether it is
// on the clipboard.
export async function copy(text) {
  const isLink = text.startsWith('#') || text.startsWith(location.origin);
  const full = isLink ? new URL(text, location.href).href : text;
  if (isLink && navigator.share && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ title: document.title, url: full });
      return false;
    } catch (error) {
      if (error.name === 'AbortError') return false;  // the reader's own choice
    }
  }
  return copyText(full);
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showText('The browser does not let this page copy. Copy this text yourself:', text);
    return false;
  }
}

export function download(name, bytes, mime) {
  const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);  // some browsers start late
}

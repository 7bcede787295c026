// What happens around the figure: other sizes, other tastes of the reader, lost graphics memory, keys that nobody else takes, errors.

import { showProblem } from './fallback.js';

// What the reader's system says of itself, as media queries.
export const TASTES = {
  dark: matchMedia('(prefers-color-scheme: dark)'),
  still: matchMedia('(prefers-reduced-motion: reduce)'),
  stark: matchMedia('(prefers-contrast: more)'),
  coarse: matchMedia('(pointer: coarse)'),
};

export function followTastes(call) {
  const tell = (taste, verb, on, off) => TASTES[taste].addEventListener('change', () => call(verb, TASTES[taste].matches ? on : off));
  tell('dark', 'scheme', 'dark', 'light');
  tell('coarse', 'pointer', 'coarse', 'fine');
  tell('still', 'motion', 'reduce', 'full');
  tell('stark', 'contrast', 'more', 'no-preference');
}

export function followSize(canvas, call) {
  const tell = () => call('resize', `${canvas.clientWidth} ${canvas.clientHeight} ${devicePixelRatio}`);
  const watchRatio = () => matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
    tell();
    watchRatio();
  }, { once: true });
  new ResizeObserver(tell).observe(canvas);
  watchRatio();
  tell();
}

// A browser that runs out of graphics memory takes it from the pages that are not looked at.
export function watchGraphics(canvas, address, call) {
  const again = () => {
    address.write();
    location.reload();
  };
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();  // or it is never given back
    showProblem('The browser took the figure’s graphics memory away, as it does when many figures are open. '
      + address.fate(), 'Draw it again', again);
  });
  canvas.addEventListener('webglcontextrestored', () => {
    try {
      call('graphics_came_back');
    } finally {
      again();
    }
  });
}

// Alone in its window and with the focus nowhere, the page has no other use for these keys. Any other one ends the opening but
// those that move the focus or are held while another one is pressed.
export function listenEverywhere(call, isOpening) {
  const verbs = { ' ': 'play', ArrowRight: 'next', ArrowLeft: 'previous' };
  const others = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);
  document.addEventListener('keydown', (event) => {
    if (document.activeElement !== document.body || event.ctrlKey || event.metaKey || event.altKey) return;
    const verb = verbs[event.key] ?? (isOpening() && !others.has(event.key) && !/^F\d+$/.test(event.key)
      ? event.key === 'Enter' ? 'words' : 'skip' : undefined);
    if (!verb) return;
    event.preventDefault();
    call(verb);
  });
}

export function watchErrors(address) {
  const report = (error) => {
    const reason = String(error?.message ?? error).replace(/\.?$/, '.');
    if (reason.startsWith('ResizeObserver loop')) return;  // says only that a frame came late
    showProblem(`Something went wrong: ${reason} ${address.fate()}`, 'Load the page again',
      () => location.reload());
  };
  addEventListener('error', (event) => report(event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => report(event.reason));
}

// The page around the figure: starts the core, tells it what it cannot know (size, theme, focus, address), and hands what
// it says of every new frame to the inputs, the text view, the address and the scripts.

import { announce, connect } from './api.js';
import { Refusal, showProblem } from './fallback.js';
import { watchFiles } from '../given/given.js';
import { guard } from './focus.js';
import { createFonts } from './fonts.js';
import { createHost } from '../embed/host.js';
import { createInputs } from '../mirror/inputs.js';
import { forget, keep, recall } from './kept.js';
import { createMirror } from '../mirror/mirror.js';
import { createOwn } from '../given/own.js';
import { openPanel } from '../panels/panels.js';
import { createPictures } from '../given/pictures.js';
import { createScenes, join } from './scenes.js';
import { copy, openLink } from './share.js';
import { wellFormed } from './state.js';

const LONGEST_ARGUMENT = 1_000_000;  // UTF-16 units; the core says itself what is too long below that
const HASH_PAUSE_MS = 350;   // Safari allows 100 changes of the address in 30 s

const root = document.documentElement;
const byId = (id) => document.getElementById(id);

// `fonts`: those that the page begins with; bytes(file) fetches more. `scenes`: the module of the other scenes, when the link needs it;
// loadScenes() fetches it later.
export async function start({ createLimelight, wasm, fonts, bytes, scenes, loadScenes }) {
  const stage = byId('stage');
  const canvas = byId('canvas');
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const stark = matchMedia('(prefers-contrast: more)');
  const framed = window.parent !== window;
  const coarse = matchMedia('(pointer: coarse)');
  let drawn = false;
  let tables = [];  // the last that were sent
  root.classList.toggle('framed', framed);

  let follow = () => {};
  let refusal = null;
  let exports;
  let fetchFont = () => {};
  let fetchScenes = () => {};
  let fetchResource = () => {};
  let pictures = null;
  let own = null;
  let takesOwn = false;
  let namesTokens = false;
  let pictureSide;       // how large the scene wants them; undefined: it takes none
  const resources = {};  // files for the core, by name
  // What the core says of a frame that it has drawn.
  const show = (page) => {
    if (!drawn) {
      for (const id of ['mirror', 'text-view']) byId(id).hidden = false;
      byId('loading').hidden = true;
      drawn = true;
    }
    follow(page);
  };
  const module = await new Promise((resolve, reject) => {
    createLimelight({
      canvas,
      fonts,
      hash: location.hash.slice(1),
      kept: recall(),
      dark: dark.matches,
      reducedMotion: still.matches,
      moreContrast: stark.matches,
      coarse: coarse.matches,
      allScenes: Boolean(scenes),
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(wasm, imports).then(async (instance) => {
          exports = instance.exports;
          if (scenes) await join(scenes, wasm, exports);
          receive(instance, wasm);
        }).catch(reject);
        return {};
      },
      onFont: (face) => fetchFont(face),
      onScenes: () => fetchScenes(),
      resources,
      onResource: (name) => fetchResource(name),
      onChoosePicture: () => pictures.choose(),
      onChooseOwn: () => own.choose(),
      onPanel: (name) => queueMicrotask(() => openPanel(name, { call, share, allFonts, others })),  // not in the middle of a frame
      onRecallPicture: (name) => queueMicrotask(() => pictures.recall(name)),  // not in the middle of a frame
      onFailure: (sentence, graphics) => (refusal = new Refusal(sentence, { still: graphics })),
      onPage: (json) => show(JSON.parse(json)),
      onOpenLink: openLink,
      onCopy: (text) => share(text),
      onLeave: () => canvas.blur(),
    }).then(resolve, reject);
  });

  if (refusal) throw refusal;
  const call = createCall(module);
  const { bring, all: allFonts } = createFonts({ fonts, bytes, call });
  fetchFont = (face) => bring(face).catch(({ message }) => call('font_refused', message));
  const bringScenes = createScenes({ load: loadScenes, program: wasm, exports, call });
  fetchScenes = () => bringScenes().catch(() => {});  // the reader has the reason
  fetchResource = async (name) => {
    try {
      const { fetchModel } = await import('./models.js');
      await fetchModel(name, resources, call);
    } catch {
      call('refused', `${name} Limelight could not load models.js.`);
    }
  };
  pictures = createPictures({ resources, call, side: () => pictureSide });
  const others = async () => scenes ?? bringScenes();  // the functions of the other scenes
  own = createOwn({ resources, call, scenes: others });
  watchFiles({
    pictures,
    own,
    takes: () => ({ pictures: pictureSide !== undefined, own: takesOwn, names: namesTokens }),
    refuse: (sentence) => call('refuse_own', sentence),
    call,
    others,
  });
  const share = async (text) => {
    if (await copy(text)) call('notify', 'Link copied.');
  };
  const inputs = createInputs(byId('inputs'), canvas, call);
  const mirror = createMirror({ sheet: byId('mirror'), toggle: byId('text-view'), canvas, call, share });
  const address = createAddress(call, framed);
  const followHost = createHost(call, allFonts);

  follow = (page) => {
    root.dataset.theme = page.theme;
    root.classList.toggle('embed', page.embed);
    root.classList.toggle('projector', page.projector);
    document.title = `${page.title} · Limelight`;
    canvas.setAttribute('aria-label', `${page.title}. ${page.question}`);
    pictureSide = page.pictureSide;
    takesOwn = page.takesOwn;
    namesTokens = page.fields.some(({ name, shown }) => name === 'tokens' && shown);
    tables = page.tables ?? tables;  // none: those of the last time
    inputs(page);
    mirror({ ...page, tables });
    address.follow(page);
    announce();
    followHost(page, drawn);
  };
  connect(call, bringScenes);

  guard(stage, canvas, framed, call);
  watchGraphics(canvas, address);
  dark.addEventListener('change', () => call('scheme', dark.matches ? 'dark' : 'light'));
  coarse.addEventListener('change', () => call('pointer', coarse.matches ? 'coarse' : 'fine'));
  still.addEventListener('change', () => call('motion', still.matches ? 'reduce' : 'full'));
  stark.addEventListener('change', () => call('contrast', stark.matches ? 'more' : 'no-preference'));
  if (!framed) listenEverywhere(call);
  followSize(canvas, call);
  watchErrors(address);
  // It can be used before it is drawn, for which a browser may wait until its frame comes into view.
  follow(call('page'));
}

// → call(verb, argument), which gives {ok, message, …}. Texts go by way of the heap: the core's stack is small.
function createCall(module) {
  return (verb, argument = '') => {
    if (argument.length > LONGEST_ARGUMENT) {
      const message = `That has ${countCharacters(argument)} characters, more than a figure can take.`;
      showProblem(message);
      return { ok: false, message };
    }
    const texts = [verb, argument].map((text) => module.stringToNewUTF8(wellFormed(text)));
    const reply = module.UTF8ToString(module._limelight_call(...texts));
    for (const text of texts) module._free(text);
    return JSON.parse(reply);
  };
}

// Of what the argument says, not of how it is written.
function countCharacters(argument) {
  try {
    return decodeURIComponent(argument.slice(argument.indexOf('=') + 1)).length;
  } catch {
    return argument.length;
  }
}

function followSize(canvas, call) {
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
function watchGraphics(canvas, address) {
  const again = () => {
    address.write();
    location.reload();
  };
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();  // or it is never given back
    showProblem('The browser took the figure’s graphics memory away, as it does when many figures are open. '
      + address.fate(), 'Draw it again', again);
  });
  canvas.addEventListener('webglcontextrestored', again);
}

// Alone in its window and with the focus nowhere, the page has no other use for these keys.
function listenEverywhere(call) {
  const verbs = { ' ': 'play', ArrowRight: 'next', ArrowLeft: 'previous' };
  document.addEventListener('keydown', (event) => {
    if (document.activeElement !== document.body || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!verbs[event.key]) return;
    event.preventDefault();
    call(verbs[event.key]);
  });
}

// Everything that was set is in the address. Another scene is a step in the history, which leads back to where one was;
// nothing else is, and in a frame the history is the article's. What is too long for an address is kept for the tab.
function createAddress(call, framed) {
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
  addEventListener('hashchange', ({ oldURL }) => {
    clearTimeout(timer);
    timer = 0;
    written = scene = null;
    forget(new URL(oldURL).hash);
    call('open', location.hash.slice(1));
  });
  const follow = (page) => {
    const left = !framed && page.hash && scene && scene !== page.scene;
    scene = page.scene;
    if (!page.tooLong && (!page.hash || (page.hash === written && !tooLong))) return;  // none: the refused one stays
    if (left) write();  // where one comes back to
    tooLong = page.tooLong;
    wanted = page.hash || wanted;
    if (left) write('pushState');
    timer ||= setTimeout(write, HASH_PAUSE_MS);
  };
  return { follow, write, fate };
}

function watchErrors(address) {
  const report = (error) => {
    const reason = String(error?.message ?? error).replace(/\.?$/, '.');
    if (reason.startsWith('ResizeObserver loop')) return;  // says only that a frame came late
    showProblem(`Something went wrong: ${reason} ${address.fate()}`, 'Load the page again',
      () => location.reload());
  };
  addEventListener('error', (event) => report(event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => report(event.reason));
}

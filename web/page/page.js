// The page around the figure: starts the core, tells it what it cannot know (size, theme, focus, address), and hands what
// it says of every new frame to the inputs, the text view, the address and the scripts.

import { createAddress } from './address.js';
import { announce, connect } from './api.js';
import { createCall } from './call.js';
import { Refusal } from './fallback.js';
import { watchFiles } from '../given/given.js';
import { guard } from './focus.js';
import { createFonts } from './fonts.js';
import { createHost } from '../embed/host.js';
import { createInputs } from '../mirror/inputs.js';
import { recall } from './kept.js';
import { createMirror } from '../mirror/mirror.js';
import { createOwn } from '../given/own.js';
import { begins, createOpening } from './opening.js';
import { openPanel } from '../panels/panels.js';
import { createPictures } from '../given/pictures.js';
import { createScenes, join } from './scenes.js';
import { copy, openLink } from './share.js';
import { TASTES, followSize, followTastes, listenEverywhere, watchErrors, watchGraphics } from './surroundings.js';

const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const nothing = () => {};
const later = (action) => queueMicrotask(action);  // not in the middle of a frame

// `fonts`: those that the page begins with; bytes(file) fetches more. `scenes`: the module of the other scenes, when the link needs it;
// loadScenes() fetches it later.
export async function start({ createLimelight, wasm, fonts, bytes, scenes, loadScenes }) {
  const canvas = byId('canvas');
  const framed = window.parent !== window;
  root.classList.toggle('framed', framed);

  // What the core calls, which is made below; until then nothing happens, but that a frame has been drawn.
  const on = { page: nothing, font: nothing, scenes: nothing, resource: nothing };
  let drawn = false;
  const show = (page) => {
    if (!drawn) {
      for (const id of ['mirror', 'text-view']) byId(id).hidden = false;
      byId('loading').hidden = true;
      drawn = true;
    }
    on.page(page);
  };
  const resources = {};  // files for the core, by name
  const { module, exports } = await begin({ createLimelight, wasm, scenes, canvas, fonts, resources }, on, show);

  const call = createCall(module);
  const { bring, all: allFonts } = createFonts({ fonts, bytes, call });
  on.font = (face) => bring(face).catch(({ message }) => call('font_refused', message));
  const bringScenes = createScenes({ load: loadScenes, program: wasm, exports, call });
  on.scenes = () => bringScenes().catch(nothing);  // the reader has the reason
  on.resource = (name) => bringModel(name, resources, call);
  const others = async () => scenes ?? bringScenes();  // the functions of the other scenes
  const share = async (text) => {
    if (await copy(text)) call('notify', 'Link copied.');
  };
  const taken = {};  // what the scene takes of the reader's own: {side, own, names}
  const pictures = createPictures({ resources, call, side: () => taken.side });
  const own = createOwn({ resources, call, scenes: others });
  Object.assign(on, {
    choosePicture: () => pictures.choose(), chooseOwn: () => own.choose(), recallPicture: (name) => pictures.recall(name), copy: share,
    panel: (name) => openPanel(name, { call, share, allFonts, others }),
  });
  watchFiles({
    pictures, own, call, others,
    takes: () => ({ pictures: taken.side !== undefined, own: taken.own, names: taken.names }),
    refuse: (sentence) => call('refuse_own', sentence),
  });

  const address = createAddress(call, framed);
  const opening = createOpening();
  const followers = [
    createInputs(byId('inputs'), canvas, call),
    createMirror({ sheet: byId('mirror'), toggle: byId('text-view'), canvas, call, share }),
    address.follow,
    opening.follow,
  ];
  const followHost = createHost(call, { allFonts, others });
  let tables = [];  // the last that were sent
  on.page = (page) => {
    dress(canvas, page);
    taken.side = page.pictureSide;  // how large it wants them; undefined: it takes none
    taken.own = page.takesOwn;
    taken.names = page.fields.some(({ name, shown }) => name === 'tokens' && shown);
    tables = page.tables ?? tables;  // none: those of the last time
    for (const follow of followers) follow({ ...page, tables });
    announce();
    followHost(page, drawn);
  };
  connect(call, bringScenes);

  guard(byId('stage'), canvas, framed, call);
  watchGraphics(canvas, address, call);
  followTastes(call);
  if (!framed) listenEverywhere(call, opening.shown);
  followSize(canvas, call);
  watchErrors(address);
  // It can be used before it is drawn, for which a browser may wait until its frame comes into view.
  on.page(call('page'));
}

// → {module, exports} of the core, running. on: what it calls; show(page): what it says of a frame that it has drawn.
async function begin({ createLimelight, wasm, scenes, canvas, fonts, resources }, on, show) {
  let exports;
  let refusal = null;
  const module = await new Promise((resolve, reject) => {
    createLimelight({
      canvas,
      fonts,
      resources,
      hash: location.hash.slice(1),
      kept: recall(),
      dark: TASTES.dark.matches,
      reducedMotion: TASTES.still.matches,
      moreContrast: TASTES.stark.matches,
      coarse: TASTES.coarse.matches,
      allScenes: Boolean(scenes),
      opening: begins(),
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(wasm, imports).then(async (instance) => {
          exports = instance.exports;
          if (scenes) await join(scenes, wasm, exports);
          receive(instance, wasm);
        }).catch(reject);
        return {};
      },
      onFont: (face) => on.font(face),
      onScenes: () => on.scenes(),
      onResource: (name) => on.resource(name),
      onChoosePicture: () => on.choosePicture(),
      onChooseOwn: () => on.chooseOwn(),
      onPanel: (name) => later(() => on.panel(name)),
      onRecallPicture: (name) => later(() => on.recallPicture(name)),
      onFailure: (sentence, graphics) => (refusal = new Refusal(sentence, { still: graphics })),
      onPage: (json) => show(JSON.parse(json)),
      onOpenLink: openLink,
      onCopy: (text) => on.copy(text),
      onLeave: () => canvas.blur(),
    }).then(resolve, reject);
  });
  if (refusal) throw refusal;
  return { module, exports };
}

async function bringModel(name, resources, call) {
  try {
    const { fetchModel } = await import('./models.js');
    await fetchModel(name, resources, call);
  } catch {
    call('refused', `${name} Limelight could not load models.js.`);
  }
}

// The page as the figure's theme and title want it.
function dress(canvas, page) {
  root.dataset.theme = page.theme;
  root.classList.toggle('embed', page.embed);
  root.classList.toggle('projector', page.projector);
  document.title = `${page.title} · Limelight`;
  canvas.setAttribute('aria-label', `${page.title}. ${page.question}`);
}

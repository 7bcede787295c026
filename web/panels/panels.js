// The dialogs of the page, each fetched when it is first asked for.

import { showProblem } from '../page/fallback.js';

const PANELS = {
  export: () => import('./export.js'),
  about: () => import('./about.js'),
  glossary: () => import('./glossary.js'),
};

// wanted: the name of a dialog, and of a part of it that is meant, as in "export state". page: {call, share, allFonts, others}, what a
// dialog works with. Each module has open(page, part).
export async function openPanel(wanted, page) {
  const [name, part] = wanted.split(' ');
  let open;
  try {
    ({ open } = await PANELS[name]());
    await open(page, part);
  } catch (error) {
    console.warn(`${name}: ${error.message}`);
    if (open) showProblem(error.message);
    else showProblem(`Limelight could not load ${name}.js: the network gave no answer.`, 'Try again', () => openPanel(wanted, page));
  }
}

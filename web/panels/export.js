// The dialog "Export": the figure, its numbers, code for them and the state, each to download or to copy, also where a frame
// allows neither.

import { openDialog } from './dialog.js';
import { button, element, setText } from '../page/dom.js';
import { showText } from '../page/fallback.js';
import { base64, createImages, paint, png, sizeOf } from './rasterize.js';
import { copyText, download } from '../page/share.js';
import { assignment } from '../page/state.js';
import { openStateFile } from '../given/statefile.js';

const STEP_MS = 3000;  // of an animation: as long as playing stays at a step …
const PART_MS = 1200;  // … and at a part of one
const FRAMES = 32;  // of the animation of a step, which takes as long as playing does, and stays at its end
const MOVING_SCALE = 2;
const PREVIEW_LINES = 200;
const PREVIEW_COLUMNS = 400;  // characters
const NUMBER_FORMATS = [['csv', 'CSV'], ['npy', 'NPY'], ['json', 'JSON'], ['tex', 'LaTeX']];
const LANGUAGES = [['numpy', 'NumPy'], ['pytorch', 'PyTorch']];

const sandboxed = window.origin === 'null';  // a frame that may not say whether it may download

// page: {call, allFonts, others}; part: 'state' opens it there.
export async function open({ call, allFonts, others }, part) {
  const [fonts] = await Promise.all([allFonts(), others()]);
  const ask = (verb, argument) => {
    const reply = call(verb, argument);
    if (reply.ok === false) throw new Error(reply.message);
    return reply;
  };
  const page = call('page');
  const images = createImages(fonts);
  const state = stateSection(ask, call, () => dialog.close());
  const dialog = openDialog('Export', [pictureSection(ask, page, images), numberSection(ask), codeSection(ask), state]);
  if (part === 'state') {
    state.scrollIntoView();
    state.querySelector('button').focus();
  }
}

// ---- what every section is made of ----

// choice: what is chosen, a node; shown: how that looks, nodes. make({copying}) → what is taken: {name, mime, text},
// {name, mime, bytes, copied}, the last a text that stands for the bytes, or of a picture a promise of {name, mime, bytes, image},
// the last an <img> that may show it. more: other buttons.
function section(heading, choice, shown, make, more = []) {
  const said = element('p', { class: 'hint', role: 'status' });
  choice.addEventListener('change', () => setText(said, ''));  // it was said of another one
  const after = (act) => async () => {
    try {
      setText(said, await act(make));
    } catch (error) {
      setText(said, error.message);
    }
  };
  const buttons = [button('Download', after(save), { class: 'primary' }), button('Copy', after(copy)), ...more];
  return element('section', {}, element('h2', {}, heading),
    element('div', { class: 'line' }, choice, element('div', { class: 'row' }, ...buttons)), said, ...shown);
}

// What a frame does not allow is shown, to be taken by hand. → a sentence
async function save(make) {
  const { name, mime, text, bytes, copied = text, image } = await make();
  download(name, bytes ?? text, mime);
  if (!sandboxed) return `${name} goes to your downloads.`;
  const blocked = 'If nothing was saved, the page around this frame does not let it.';
  if (image) {
    image.src = `data:image/png;base64,${base64(bytes)}`;
    return `${blocked} Save the picture below by the menu of a long or a right press on it.`;
  }
  showText(`${blocked} Copy this text yourself:`, copied);
  return '';
}

// Only pictures are made with time.
async function copy(make) {
  const made = make({ copying: true });
  if (made instanceof Promise) return copyPicture(made);
  return await copyText(made.copied ?? made.text) ? 'Copied.' : '';
}

// Some browsers ask for the clipboard at once, and for the picture later.
async function copyPicture(making) {
  try {
    const blob = making.then(({ bytes }) => new Blob([bytes], { type: 'image/png' }));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    return 'Copied as a picture.';
  } catch {
    const { name } = await making;
    throw new Error(`The browser does not let this page copy a picture; download ${name}, or copy it by the menu of a right press.`);
  }
}

// One of a few, as buttons side by side. → {node, value()}
function choose(name, label, options, changed) {
  const inputs = options.map(([value], index) => element('input', { type: 'radio', name, value, checked: index === 0 }));
  const labels = options.map(([, text], index) => element('label', {}, inputs[index], element('span', {}, text)));
  const node = element('fieldset', { class: 'options', 'aria-label': label }, ...labels);
  node.addEventListener('change', () => changed());
  return { node, value: () => inputs.find((input) => input.checked).value };
}

function beginning(text) {
  const lines = text.split(/\r?\n/);
  const shown = lines.slice(0, PREVIEW_LINES).map((line) => (line.length > PREVIEW_COLUMNS ? `${line.slice(0, PREVIEW_COLUMNS)} …` : line));
  return [...shown, ...(lines.length > PREVIEW_LINES + 1 ? ['…'] : [])].join('\n');
}

// Shows what `text()` gives, or why it gives nothing.
function previewOf(text) {
  const node = element('pre', { class: 'preview', tabindex: 0 });
  const update = () => {
    try {
      setText(node, beginning(text()));
    } catch (error) {
      setText(node, error.message);
    }
  };
  return { node, update };
}

// ---- picture ----

function pictureSection(ask, page, images) {
  const step = page.steps[page.step - 1];
  const here = page.part ? `${step.id}.${step.parts[page.part - 1].id}` : step.id;
  // of: what figure::cut_out takes, on the chosen ground.
  const drawn = (of) => ask('cut', Object.entries({ ground: ground.value(), ...of }).map((pair) => assignment(...pair)).join('&'));
  const progress = element('progress', { hidden: true, 'aria-label': 'Frames painted' });
  const size = element('p', { class: 'hint' });
  const image = element('img', { class: 'preview', alt: page.narration });
  let shown;  // the answer that is looked at
  let run = 0;  // counts animations: a later one ends those before
  const stop = button('Stop', () => (run += 1), { hidden: true });

  const pixels = (scale) => Object.values(sizeOf(shown.svg)).map((side) => Math.ceil(side * scale));
  const still = async (scale) => ({
    name: shown.name.replace(/\.svg$/, `${scale > 1 ? `@${scale}x` : ''}.png`), mime: 'image/png',
    bytes: await png(await paint(images(shown.svg, scale), ...pixels(scale))), image,
  });
  const film = async ({ name, moments }) => {
    const mine = (run += 1);
    progress.max = moments.length;
    progress.hidden = stop.hidden = false;
    try {
      const steps = moments.map(({ ms, ...moment }) => ({ ...drawn({ ...moment, gaps: 'kept' }), ms }));
      const frames = await paintSteps(steps, images, (index) => {
        if (mine !== run) throw new Error('Stopped; nothing was saved.');
        progress.value = index;
      });
      const { animate } = await import('./apng.js');
      return { name: `${page.scene}-${name}.png`, mime: 'image/apng', bytes: animate(frames), image };
    } finally {
      progress.hidden = stop.hidden = true;
    }
  };

  const kinds = [['svg', 'SVG'], ['1', 'PNG 1×'], ['2', '2×'], ['4', '4×'], ['step', 'This step’s motion'], ['steps', 'All steps']];
  const grounds = [['theme', page.theme === 'dark' ? 'Dark ground' : 'Light ground'], ['white', 'White'], ['transparent', 'Transparent']];
  const ground = choose('export-ground', 'Ground', grounds, () => draw());
  const { panels, svg, seconds } = drawn({ step: here, t: 1 });
  const films = {
    step: { name: `${here}-motion`, views: 'moments', moments: momentsOf(here, seconds) },
    steps: { name: 'steps', views: 'views', moments: placesOf(page) },
  };
  const moves = drawn({ step: here, t: 0 }).svg !== svg;
  const kind = choose('export-picture', 'Picture', kinds.filter(([value]) => value !== 'step' || moves), () => update());
  const boxes = panels.map(({ id }) => element('input', { type: 'checkbox', value: id, checked: true }));
  // A title that two panels have does not tell them apart.
  const nameOf = ({ id, title }) => (panels.filter((one) => one.title === title).length > 1 ? `${title} (${id})` : title);
  const parts = element('fieldset', { class: 'parts', hidden: panels.length < 2 }, element('legend', {}, 'Panels, one at least'),
    ...panels.map((panel, index) => element('label', {}, boxes[index], nameOf(panel))));
  parts.addEventListener('change', () => draw());
  const draw = () => {
    const chosen = boxes.filter((box) => box.checked);
    for (const box of boxes) box.disabled = box.checked && chosen.length === 1;  // of nothing there is no picture
    try {
      shown = drawn({ step: here, panels: chosen.length === boxes.length ? 'all' : chosen.map((box) => box.value).join(',') });
    } catch (error) {  // a message from the page around has changed the figure since
      shown = null;
      setText(size, error.message);
      return;
    }
    image.classList.toggle('clear', ground.value() === 'transparent');
    image.src = images(shown.svg);
    update();
  };
  const update = () => {
    if (!shown) return;
    const value = kind.value();
    parts.disabled = value in films;  // each step has others
    setText(size, `${value in films ? toldOf(films[value]) : stillOf(value)} ${page.theme === 'dark' && ground.value() !== 'white' ? 'Dark' : 'Light'} colours.`);
  };
  const stillOf = (value) => {
    const { width, height } = sizeOf(shown.svg);
    return value === 'svg' ? `${width} × ${height} px, sharp at any size; its text stays text.` : `${pixels(Number(value)).join(' × ')} px.`;
  };
  draw();
  const make = ({ copying } = {}) => {
    const value = kind.value();
    if (!shown) throw new Error(size.textContent);
    if (value in films && copying) throw new Error('Clipboards take no animations; download it.');
    if (value in films) return film(films[value]);
    return value === 'svg' ? { name: shown.name, mime: 'image/svg+xml', text: shown.svg } : still(Number(value));
  };
  return section('Picture', kind.node, [ground.node, parts, size, progress, image], make, [stop]);
}

// steps: {svg, x, y, ms} each. → {png, ms} each, on one ground: each stands where it does in the page, so that what stays from step to
// step does not move. before(index): called before each; what it throws ends it.
async function paintSteps(steps, images, before) {
  const [left, top] = ['x', 'y'].map((side) => Math.min(...steps.map((one) => one[side])));
  const [right, bottom] = [['x', 'width'], ['y', 'height']].map(([side, length]) =>
    Math.max(...steps.map((one) => one[side] + sizeOf(one.svg)[length])));
  const frames = [];
  for (const [index, { svg, x, y, ms }] of steps.entries()) {
    before(index);
    const canvas = await paint(images(svg, MOVING_SCALE), ...[right - left, bottom - top, x - left, y - top].map((length) => length * MOVING_SCALE));
    frames.push({ png: await png(canvas), ms });
  }
  before(steps.length);
  return frames;
}

function toldOf({ views, moments }) {
  const seconds = moments.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return `An animated PNG of ${moments.length} ${views}, ${seconds.toFixed(0)} s; each is painted when you download it.`;
}

// From the step before to this one, slow at both ends, as playing goes: {step, t, ms}.
function momentsOf(step, seconds) {
  return Array.from({ length: FRAMES + 1 }, (_, index) => {
    const share = index / FRAMES;
    return { step, t: share * share * (3 - 2 * share), ms: index < FRAMES ? Math.round(1000 * seconds / FRAMES) : STEP_MS };
  });
}

// Where playing comes by, in its order: {step, ms}.
function placesOf(page) {
  return page.steps.flatMap((step) => {
    if (step.given) return [];
    if (!step.parts.length) return [{ step: step.id, ms: STEP_MS }];
    return step.parts.map((part) => ({ step: `${step.id}.${part.id}`, ms: PART_MS }));
  });
}

// ---- numbers ----

function numberSection(ask) {
  const { principal, tensors } = ask('tensors');
  const sorted = [...tensors.filter(({ name }) => name === principal), ...tensors.filter(({ name }) => name !== principal)];
  const select = element('select', { 'aria-label': 'Matrix' },
    ...sorted.map(({ name, rows, columns }) => element('option', { value: name }, `${name}  ${rows}×${columns}`)));
  select.addEventListener('change', () => preview.update());
  const format = choose('export-numbers', 'Format', NUMBER_FORMATS, () => preview.update());
  const make = () => {
    const { name, mime, text, base64: packed } = ask('file', `${select.value} ${format.value()}`);
    if (text !== undefined) return { name, mime, text };
    return {
      name, mime, bytes: Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)),
      copied: `import base64, io\nimport numpy as np\n\narray = np.load(io.BytesIO(base64.b64decode("${packed}")))\n`,
    };
  };
  const preview = previewOf(() => {
    const { text, copied } = make();
    return text ?? copied;
  });
  preview.update();
  const hint = element('p', { class: 'hint' }, 'The other way: click a number that can be changed, and paste a matrix from NumPy, CSV or a '
    + 'spreadsheet there.');
  return section('Numbers', element('div', { class: 'row' }, select, format.node), [preview.node, hint], make);
}

// ---- code ----

function codeSection(ask) {
  const language = choose('export-code', 'Language', LANGUAGES, () => preview.update());
  const make = () => {
    const { name, code } = ask('code', language.value());
    return { name, mime: 'text/x-python', text: code };
  };
  const preview = previewOf(() => make().text);
  preview.update();
  return section('Code that computes them', language.node, [preview.node], make);
}

// ---- state ----

function stateSection(ask, call, close) {
  const make = () => ask('state_file');
  const input = element('input', { type: 'file', accept: '.limelight', hidden: true });
  const problem = element('p', { class: 'hint', role: 'alert' });
  input.addEventListener('change', async () => {
    const [file] = input.files;
    input.value = '';  // the same one may be chosen again
    const reply = await openStateFile(file, call);
    if (reply.ok) close();
    else setText(problem, `${reply.message} What was shown stays.`);
  });
  const size = new Blob([make().text]).size;
  const hint = element('p', { class: 'hint' }, `All that you set, edited numbers and the seed included, ${size < 1000 ? `${size} bytes` : `${(size / 1000).toFixed(1)} kB`}. `
    + 'Load the file here or drop it on the page to have all of it back. A link does the same up to 32 kB.');
  return section('State', hint, [problem], make, [button('Load a file …', () => input.click()), input]);
}

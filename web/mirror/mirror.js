// The text view: everything that the canvas shows, as a document for screen readers and the keyboard. It is always there,
// unseen; while it has focus, or once it is opened, it shows as a sheet beside the figure.

import { arrowKeys, button, element, keyed, setAttribute, setEnabled, setText } from '../page/dom.js';
import { createFields } from './fields.js';
import { assignment } from '../page/state.js';
import { createTables } from './tables.js';

const QUIET_MS = 400;  // before a new narration is read out, and its words are explained

const MATHML = 'http://www.w3.org/1998/Math/MathML';

// → update(page)
export function createMirror({ sheet, toggle, canvas, call, share }) {
  const open = (wanted) => {
    document.documentElement.classList.toggle('text-view', wanted);
    setAttribute(toggle, 'aria-expanded', String(wanted));
    if (wanted) sheet.focus();
    else canvas.focus({ preventScroll: true });
  };
  toggle.addEventListener('click', () => open(true));
  sheet.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) open(false);
  });

  // What has the focus stays where it is while the sheet changes around it.
  const steadily = (change) => {
    const focused = sheet !== document.activeElement && sheet.contains(document.activeElement) && document.activeElement;
    const before = focused && focused.getBoundingClientRect().top;
    change();
    if (focused && focused.getClientRects().length === 0) sheet.focus();  // what had it is gone
    else if (focused) sheet.scrollTop += focused.getBoundingClientRect().top - before;
  };
  const later = (change) => setTimeout(() => steadily(change), QUIET_MS);

  const parts = [head(() => open(false)), narration(later), steps(call), actions(call, share), settings(call), figure(call),
    inspection(call), numbers(call), words(call, later), quiz(call), scenes(call), alerts()];
  sheet.replaceChildren(...parts.map((part) => part.node));

  return (page) => steadily(() => parts.forEach((part) => part.update(page)));
}

// A section with a heading; it is not there while `has(page)` is falsy, or its panel of the page is hidden.
function section(name, heading, content, { has, panel, update }) {
  const title = element('h2', { id: `${name}-heading` }, heading);
  const node = element('section', { 'aria-labelledby': title.id, class: name }, title, ...content);
  return {
    node,
    update(page) {
      node.hidden = (has && !has(page)) || page.hidden.includes(panel);
      if (!node.hidden) update(page, title);
    },
  };
}

function head(close) {
  const title = element('h1');
  const question = element('p', { class: 'question' });
  const origin = element('p', { class: 'hint' });
  const node = element('header', {}, element('div', { class: 'row' }, title, button('Close', close, { class: 'close' })),
    question, origin);
  return {
    node,
    update(page) {
      setText(title, page.title);
      setText(question, page.question);
      setText(origin, [page.provenance, page.edited && 'You changed this figure.'].filter(Boolean).join(' '));
    },
  };
}

function narration(later) {
  const node = element('p', { id: 'narration', 'aria-live': 'polite', 'aria-atomic': 'true' });
  let timer = 0;
  let latest = '';
  return {
    node,
    update({ narration: words, compared }) {
      const text = [compared, words].filter(Boolean).join(' ');
      if (text === latest) return;
      clearTimeout(timer);
      if (latest) timer = later(() => setText(node, text));
      else setText(node, text);
      latest = text;
    },
  };
}

function steps(call) {
  const previous = button('Previous', () => call('previous'));
  const play = button('Play', () => call('play'));
  const next = button('Next', () => call('next'), { class: 'primary' });
  const caption = element('p', { class: 'hint' });
  const list = element('ol', { class: 'numbered' });
  const parts = element('ol', { class: 'parts' });
  const settleSteps = arrowKeys(list);
  const settleParts = arrowKeys(parts);
  const item = (label, place) => element('li', {}, button(label, () => call('step', place)));
  return section('steps', 'Steps', [element('div', { class: 'row' }, previous, play, next), list, parts, caption], {
    panel: 'timeline',
    update(page) {
      const current = page.steps[page.step - 1];
      setText(play, page.playing ? 'Pause' : 'Play');
      setEnabled(previous, (page.step > 1 && !page.steps[page.step - 2].given) || (page.part || current.parts.length) > 1);
      setEnabled(next, page.step < page.steps.length || (page.part > 0 && page.part < current.parts.length));
      setText(caption, current.caption);
      keyed(list, page.steps, (step) => step.id, (step) => item(step.name, step.id),
        (node, step, index) => {
          setText(node.firstChild, step.given ? `${step.name}: ${step.caption}` : step.name);
          setEnabled(node.firstChild, !step.given);
          setAttribute(node.firstChild, 'aria-current', index + 1 === page.step ? 'step' : null);
        });
      keyed(parts, current.parts, (part) => `${page.step} ${part.id}`,
        (part) => item(part.name, `${current.id}.${part.id}`),
        (node, part, index) => setAttribute(node.firstChild, 'aria-current', index + 1 === page.part ? 'step' : null));
      setAttribute(parts, 'aria-label', `Parts of ${current.name}`);
      parts.hidden = !parts.firstChild;
      settleSteps();
      settleParts();
    },
  });
}

function actions(call, share) {
  const undo = button('Undo', () => call('undo'));
  const redo = button('Redo', () => call('redo'));
  const reset = button('Reset to the example', () => call('reset'));
  const picture = button('Choose a picture of your own', () => call('picture_file'));
  const own = button('Choose a model or weights of your own', () => call('own_files'));
  const stop = button('Stop it', () => call('own_stop'));
  const remove = button('Let go of your own model and weights', () => call('own_remove'));
  const coming = element('p', {});
  const compare = button('', () => call('compare'));
  const link = button('Copy a link', () => {
    const reply = call('share');
    if (reply.ok) share(`#${reply.hash}`);
  });
  const take = button('Export …', () => call('export'));
  const theme = button('', () => call('set', assignment('theme', theme.dataset.next)));
  const projector = button('', () => call('projector'));
  const glossary = button('Glossary', () => call('glossary'));
  const about = button('About Limelight', () => call('about'));
  const row = element('div', { class: 'row' }, undo, redo, reset, picture, own, stop, remove, compare, link, take, theme, projector, glossary, about);
  return section('actions', 'Actions', [row, coming], {
    update(page) {
      setText(compare, page.compared ? 'End comparing' : 'Compare: pin this as A');
      picture.hidden = page.pictureSide === undefined;
      own.hidden = !page.takesOwn;
      stop.hidden = !page.ownComing;
      remove.hidden = !page.ownHere;
      setText(coming, page.ownComing);
      setEnabled(undo, page.canUndo);
      setEnabled(redo, page.canRedo);
      setEnabled(reset, page.edited);
      theme.dataset.next = page.theme === 'dark' ? 'light' : 'dark';
      setText(projector, page.projector ? 'Text as usual' : 'Larger text, for a projector');
      setText(theme, page.theme === 'dark' ? 'Light colours' : 'Dark colours');
    },
  });
}

function settings(call) {
  const list = element('div');
  const update = createFields(list, call);
  return section('settings', 'Settings', [list], { panel: 'inspector', update: (page) => update(page.fields) });
}

// What can be pressed in the figure and has no control above; what can be started and stopped.
function figure(call) {
  const job = button('', () => call('job'), { class: 'primary' });
  const list = element('div', { class: 'row' });
  let actions = [];
  return section('figure', 'In the figure', [element('div', { class: 'row' }, job), list], {
    has: (page) => page.job || page.actions.length,
    update(page) {
      job.hidden = !page.job;
      setText(job, page.job);
      actions = page.actions;
      keyed(list, actions, (action) => action.id, ({ id }) => button('', () => {
        const { field, value } = actions.find((action) => action.id === id);
        call('press', assignment(field, value));
      }), (node, action) => setText(node, action.label));
    },
  });
}

function inspection(call) {
  const lines = element('div');
  const note = element('p', { class: 'hint' });
  const create = ({ text, mathml }) => {
    const line = element('div', { class: 'line' });
    const math = mathml && formula(mathml);
    if (math) line.append(element('div', { class: 'formula' }, math));
    line.append(element('p', { class: math ? 'plain' : '' }, text));
    return line;
  };
  const unpin = button('Unpin', () => call('pin', ''));
  return section('inspection', 'Where a number comes from', [lines, note, element('div', { class: 'row' }, unpin)], {
    panel: 'inspector',
    has: (page) => page.inspection,
    update({ pinned, inspection: { title, lines: texts, note: words } }, heading) {
      unpin.hidden = !pinned;
      setText(heading, title);
      keyed(lines, texts, (line, index) => `${index} ${line.text}`, create);
      setText(note, words ?? '');
    },
  });
}

// Only what is MathML is taken over; null when it is not well-formed.
function formula(text) {
  const source = new DOMParser().parseFromString(text, 'application/xml').documentElement;
  if (source.localName !== 'math') return null;
  const adopt = (from) => {
    const to = document.createElementNS(MATHML, from.localName);
    for (const { name, value } of from.attributes) {
      if (name !== 'xmlns' && !name.startsWith('on') && name !== 'href') to.setAttribute(name, value);
    }
    for (const child of from.childNodes) to.append(child.nodeType === Node.ELEMENT_NODE ? adopt(child) : child.nodeValue);
    return to;
  };
  return adopt(source);
}

function numbers(call) {
  const hint = element('p', { id: 'tables-hint', class: 'hint' },
    'In a table, arrow keys move, Space explains a number, and Enter changes it where it can be changed. '
    + 'Numbers copied from NumPy, CSV or a spreadsheet are pasted from the cell on that has the focus.');
  const list = element('div');
  const update = createTables(list, call);
  let shown = null;
  return section('numbers', 'Numbers', [hint, list], {
    has: (page) => page.tables.length,
    update({ tables }) {
      if (tables !== shown) update(tables);
      shown = tables;
    },
  });
}

// What the words of the page mean; asked for once the reader stays.
function words(call, later) {
  const list = element('dl', { class: 'terms' });
  const item = ({ name, meaning }) => element('div', {}, element('dt', {}, name), element('dd', {}, meaning));
  let timer = 0;
  let shown;
  return section('words', 'Words used here', [list], {
    update(page) {
      const now = JSON.stringify([page.scene, page.step, page.part, page.narration, page.inspection, page.fields.map(({ shown }) => shown)]);
      if (now === shown) return;
      shown = now;
      clearTimeout(timer);
      timer = later(() => keyed(list, call('terms').terms, ({ name }) => name, item));
    },
  });
}

function quiz(call) {
  const question = element('p');
  const options = element('div', { class: 'row', role: 'group' });
  const answer = element('p', { role: 'status', class: 'answer' });
  return section('quiz', 'Predict', [question, options, answer], {
    has: (page) => page.quiz,
    update({ quiz: { text, options: choices, guess, answer: words } }) {
      setText(question, text);
      setAttribute(options, 'aria-label', text);
      keyed(options, choices, (choice, index) => `${index} ${choice}`,
        (choice, index) => button(choice, () => call('set', assignment('guess', index))),
        (node, choice, index) => setAttribute(node, 'aria-pressed', String(index === guess)));
      setText(answer, guess >= 0 ? words : '');
    },
  });
}

function scenes(call) {
  const nav = element('nav', { 'aria-label': 'Scenes' });
  const settle = arrowKeys(nav);
  const group = (name) => element('div', {}, element('h3', {}, name), element('ul'));
  const item = ({ name, title, question }) => element('li', {}, button(element('strong', {}, title),
    () => call('set', assignment('scene', name))), element('span', {}, question));
  return section('scenes', 'Scenes', [nav], {
    panel: 'scenes',
    update(page) {
      keyed(nav, [...new Set(page.scenes.map((scene) => scene.group))], (name) => name, group, (node, name) =>
        keyed(node.lastChild, page.scenes.filter((scene) => scene.group === name), (scene) => scene.name, item,
          (child, scene) => setAttribute(child.firstChild, 'aria-current', scene.name === page.scene ? 'page' : null)));
      settle();
    },
  });
}

// The core's sentences on what was done, and on what could not be done and why.
function alerts() {
  const node = element('p', { role: 'alert', class: 'notice' });
  let serial = 0;
  return {
    node,
    update({ notice }) {
      if (notice && notice.serial === serial) return;
      serial = notice?.serial ?? serial;
      setText(node, notice?.text ?? '');
    },
  };
}

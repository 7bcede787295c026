// The settings as labelled controls of the text view, one for each field that has an effect now.

import { element, keyed, setAttribute, setText } from '../page/dom.js';
import { setField } from '../page/state.js';
import { textField } from './textfield.js';

const MOST_RADIOS = 5;
const makers = { integer: number, real: number, toggle, choice, text, order: text };

// → update(fields)
export function createFields(parent, call) {
  const updates = new WeakMap();
  const create = (field) => {
    const hint = element('p', { id: `hint-${field.name}`, class: 'hint' });
    const problem = element('p', { id: `field-problem-${field.name}`, class: 'field-problem' });
    const send = (value) => setField(call, field.name, value);
    const control = makers[field.kind](field, send, { problem, describedBy: `${hint.id} ${problem.id}` });
    const node = element('div', { class: `field ${field.kind}` }, control.node, hint, problem);
    updates.set(node, (next) => {
      setText(hint, next.hint ?? '');
      control.update(next);
    });
    return node;
  };
  // Another kind or other choices make it another control.
  const keyOf = ({ name, kind, choices }) => `${name} ${kind} ${(choices ?? []).map(({ value, label }) => `${value} ${label}`).join(' ')}`;
  return (fields) => keyed(parent, fields.filter((field) => field.shown && makers[field.kind]), keyOf, create,
    (node, field) => updates.get(node)(field));
}

const caption = (field) => (field.unit ? `${field.label} (${field.unit})` : field.label);

function text(field, send, { problem, describedBy }) {
  const input = element('input', {
    type: 'text', dir: 'auto', id: `field-${field.name}`, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': describedBy,
  });
  const label = element('label', { for: input.id });
  const control = textField(input, { send, live: true, problem });
  return {
    node: element('div', {}, label, input),
    update(next) {
      setText(label, caption(next));
      control.update(String(next.value));
    },
  };
}

// A slider where both ends are known, and always the number itself.
function number(field, send, { problem, describedBy }) {
  const input = element('input', {
    type: 'text', id: `field-${field.name}`, autocomplete: 'off', 'aria-describedby': describedBy,
    inputmode: Number(field.min) < 0 ? null : 'decimal',  // phones' number pads have no minus sign
  });
  const label = element('label', { for: input.id });
  const control = textField(input, { send, problem });
  const node = element('div', { class: 'number' }, label);
  const ends = [field.min, field.max].map(Number);
  let slider = null;
  let at = Number(field.value);
  if (field.min !== null && field.max !== null && ends.every(Number.isFinite)) {
    slider = element('input', {
      type: 'range', min: field.min, max: field.max, step: field.kind === 'integer' ? 1 : 'any',
    });
    slider.addEventListener('input', () => {
      if (field.kind !== 'integer') return send(tidy(slider.value, ends));
      // Where a number is refused, as five heads of eight columns, the next one on the same way is tried.
      const way = Math.sign(slider.value - at);
      for (let n = Number(slider.value); n >= slider.min && n <= slider.max; n += way) if (send(String(n)).ok || !way) return;
    });
    node.append(slider);
  }
  node.append(input);
  return {
    node,
    update(next) {
      setText(label, caption(next));
      control.update(String(next.value));
      at = Number(next.value);
      if (!slider) return;
      setAttribute(slider, 'min', next.min);
      setAttribute(slider, 'max', next.max);
      setAttribute(slider, 'aria-label', caption(next));
      setAttribute(slider, 'aria-valuetext', next.unit ? `${next.value} ${next.unit}` : String(next.value));
      if (Number(slider.value) !== Number(next.value)) slider.value = next.value;
      slider.style.setProperty('--at', `${(100 * (slider.value - next.min)) / (next.max - next.min || 1)}%`);
    },
  };
}

// As many digits as the slider has places.
function tidy(value, [low, high]) {
  const digits = Math.max(0, 3 - Math.floor(Math.log10(high - low)));
  return String(Number(Number(value).toFixed(Math.min(digits, 9))));
}

function toggle(field, send) {
  const box = element('input', { type: 'checkbox', id: `field-${field.name}`, 'aria-describedby': `hint-${field.name}` });
  const label = element('label', { for: box.id });
  box.addEventListener('change', () => send(box.checked ? 'on' : 'off'));
  return {
    node: element('div', { class: 'check' }, box, label),
    update(next) {
      setText(label, caption(next));
      box.checked = next.value === 'on' || next.value === true;
    },
  };
}

function choice(field, send) {
  return field.choices.length <= MOST_RADIOS ? radios(field, send) : select(field, send);
}

function radios(field, send) {
  const legend = element('legend');
  const options = field.choices.map(({ value, label }) => {
    const input = element('input', { type: 'radio', name: `field-${field.name}`, value });
    input.addEventListener('change', () => send(value));
    return element('label', {}, input, element('span', {}, label));
  });
  return {
    node: element('fieldset', { 'aria-describedby': `hint-${field.name}` }, legend,
      element('div', { class: 'options' }, ...options)),
    update(next) {
      setText(legend, caption(next));
      for (const option of options) option.firstChild.checked = option.firstChild.value === next.value;
    },
  };
}

function select(field, send) {
  const list = element('select', { id: `field-${field.name}`, 'aria-describedby': `hint-${field.name}` },
    ...field.choices.map(({ value, label }) => element('option', { value }, label)));
  const label = element('label', { for: list.id });
  list.addEventListener('change', () => send(list.value));
  return {
    node: element('div', {}, label, list),
    update(next) {
      setText(label, caption(next));
      list.value = next.value;
    },
  };
}

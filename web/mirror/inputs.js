// Real inputs over the canvas: phone keyboards, input methods, paste and spell checkers know nothing of a canvas.
// The canvas draws everything but the text and the caret.

import { element, keyed, setAttribute } from '../page/dom.js';
import { setCell, setField } from '../page/state.js';
import { textField } from './textfield.js';

const PHONE_FONT = 16;  // px; iOS zooms into any input that is smaller

export function createInputs(layer, canvas, call) {
  const fields = new WeakMap();  // holder → textField
  const coarse = matchMedia('(pointer: coarse)');

  function create(item) {
    const input = element('input', {
      type: 'text', dir: 'auto', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'done',
      'data-field': item.field, 'data-kind': item.kind,
      'aria-describedby': `problem-${keyOf(item)}`,
    });
    const problem = element('span', { id: `problem-${keyOf(item)}`, class: 'unseen' });
    const holder = element('div', { class: 'input' }, input, problem);
    if (item.kind === 'cell') editCell(holder, input, problem, item);
    else editText(holder, input, problem, item);
    if (item.kind === 'text') holder.append(element('span', { class: 'ring' }));
    return holder;
  }

  function editText(holder, input, problem, item) {
    const field = textField(input, { send: (value) => setField(call, item.field, value), live: true, problem });
    fields.set(holder, field);
    let enters = false;  // by the press that goes on
    input.addEventListener('pointerdown', () => { enters = document.activeElement !== input; });
    input.addEventListener('click', () => {
      if (enters && 'example' in input.dataset && input.selectionStart === input.selectionEnd) input.select();
    });
    input.addEventListener('keydown', (event) => {
      // Done: its beginning is seen again, and a phone's keyboard goes; Tab goes on from here.
      if (event.key === 'Enter' && !event.isComposing && !input.hasAttribute('aria-invalid')) input.blur();
      if (event.key !== 'Escape' || event.isComposing) return;
      field.reset();  // or it would be sent once more when it loses the focus
      call('edit', 'cancel');
      canvas.focus({ preventScroll: true });
    });
  }

  // A cell's input lives until Enter, Escape or the loss of focus.
  function editCell(holder, input, problem, item) {
    // Without a cell it is the number beside a slider.
    const send = (value) => (item.cell ? setCell(call, item.field, item.cell, value) : setField(call, item.field, value.trim()));
    const field = textField(input, { send, problem });
    fields.set(holder, field);
    const close = () => call('edit', '');
    input.addEventListener('keydown', (event) => {
      const leave = event.key === 'Escape' || (event.key === 'Enter' && !event.isComposing && field.commit());
      if (!leave) return;
      event.preventDefault();
      if (event.key === 'Escape') {
        field.reset();
        call('edit', 'cancel');
      }
      canvas.focus({ preventScroll: true });
    });
    input.addEventListener('blur', close);
    queueMicrotask(() => {  // it is in the document by then
      input.focus({ preventScroll: true });
      if (item.begun) field.begin(item.begun);
      else input.select();
    });
  }

  function update(holder, item) {
    const input = holder.firstElementChild;
    const ring = holder.querySelector('.ring');
    setAttribute(input, 'placeholder', item.placeholder || null);
    input.toggleAttribute('data-example', item.example);
    setAttribute(input, 'aria-label', item.label);
    Object.assign(holder.style, {
      left: `${item.x}px`, top: `${item.y}px`, width: `${item.w}px`, height: `${item.h}px`, color: item.colour,
    });
    if (ring) {
      const { x, y, w, h } = item.pill;
      Object.assign(ring.style, {
        left: `${x - item.x}px`, top: `${y - item.y}px`, width: `${w}px`, height: `${h}px`, borderRadius: `${h / 2}px`,
      });
    }
    input.style.fontSize = `${coarse.matches ? Math.max(item.fontSize, PHONE_FONT) : item.fontSize}px`;
    input.classList.toggle('mono', item.mono === true);
    fields.get(holder).update(String(item.value));
  }

  return (page) => keyed(layer, page.inputs ?? [], keyOf, create, update);
}

function keyOf(item) {
  return item.cell ? `${item.field}-${item.cell}` : item.field;
}

// What is shown instead of the figure, or over it, when it cannot be or has stopped.

import { button, element } from './dom.js';

const hide = (...ids) => ids.forEach((id) => (document.getElementById(id).hidden = true));

// Why the page could not start, as a sentence for the reader. `still`: trying again would not help.
export class Refusal extends Error {
  constructor(sentence, { still = false } = {}) {
    super(sentence);
    this.still = still;
  }
}

// The figure at rest and the explanation: the same that readers without JavaScript get.
export function showStill(reason) {
  hide('loading', 'stage', 'text-view', 'mirror');
  const source = document.querySelector('noscript').textContent;
  const still = new DOMParser().parseFromString(source, 'text/html').querySelector('.still');
  still.querySelector('.still-reason').textContent = reason;
  document.body.append(document.adoptNode(still));
}

// While loading: in place of the progress line. Later: a card over the figure, one at a time; without an action it can only
// be closed.
export function showProblem(sentence, label, action) {
  document.querySelector('.problem')?.remove();
  const loading = document.getElementById('loading');
  const early = !loading.hidden;
  const card = element('div', { class: 'problem', role: 'alert' }, element('p', {}, sentence));
  if (action) {
    card.append(button(label, () => {
      card.remove();
      if (early) loading.classList.remove('failed');
      action();
    }, { class: 'primary' }));
  }
  if (early) {
    loading.classList.add('failed');
    loading.append(card);
  } else {
    card.append(button('Close', () => card.remove()));
    (document.querySelector('dialog[open]') ?? document.body).append(card);  // nothing beside an open dialog can be pressed
  }
}

// For a text that the browser would not put on the clipboard.
export function showText(sentence, text) {
  showProblem(sentence);
  const field = text.includes('\n')
    ? element('textarea', { readonly: true, rows: 6, 'aria-label': sentence }, text)
    : element('input', { type: 'text', readonly: true, 'aria-label': sentence, value: text });
  document.querySelector('.problem p').after(field);
  field.select();
}

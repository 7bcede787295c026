// A dialog over the page: one at a time, closed by Escape, its button or a press beside it; the focus goes back to where it was.

import { button, element } from '../page/dom.js';

// → {node, close()}. content: nodes; closed(): called once it is.
export function openDialog(title, content, closed = () => {}) {
  document.querySelector('dialog.panel')?.close();
  const before = document.activeElement;
  const heading = element('h1', { id: 'panel-title' }, title);
  const close = () => node.close();
  const node = element('dialog', { class: 'panel', 'aria-labelledby': heading.id },
    element('header', {}, heading, button('Close', close, { class: 'close' })), element('div', { class: 'content' }, ...content));
  node.addEventListener('click', ({ target }) => target === node && close());
  node.addEventListener('close', () => {
    node.remove();
    before?.focus?.({ preventScroll: true });
    closed();
  });
  document.body.append(node);
  node.showModal();
  return { node, close };
}

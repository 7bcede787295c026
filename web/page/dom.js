// What keeps a piece of the document in step with data without ever replacing the element that has focus.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  node.append(...children);
  return node;
}

// false and null take the attribute away.
export function setAttribute(node, name, value) {
  if (value === false || value === null || value === undefined) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? '' : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// A button is never `disabled`, which would throw away its focus in the middle of a series of undos.
export function button(label, action, attributes = {}) {
  const node = element('button', { type: 'button', ...attributes }, label);
  node.addEventListener('click', () => {
    if (node.getAttribute('aria-disabled') !== 'true') action(node);
  });
  return node;
}

export function setEnabled(node, enabled) {
  setAttribute(node, 'aria-disabled', enabled ? null : 'true');
  setAttribute(node, 'tabindex', enabled ? null : -1);
}

// Makes the children of `parent` follow `items`: a child with the key of an item stays and is updated.
export function keyed(parent, items, keyOf, create, update) {
  const old = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const keys = items.map((item, index) => String(keyOf(item, index)));
  const wanted = new Set(keys);
  for (const [key, child] of old) if (!wanted.has(key)) child.remove();
  items.forEach((item, index) => {
    let child = old.get(keys[index]);
    if (!child) {
      child = create(item, index);
      child.dataset.key = keys[index];
    }
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
    update?.(child, item, index);
  });
}

// One stop of the Tab key for a whole list of buttons; arrows, Home and End move inside it.
export function arrowKeys(list, selector = 'button') {
  const all = () => [...list.querySelectorAll(selector)];
  const only = (node) => all().forEach((other) => (other.tabIndex = other === node ? 0 : -1));
  list.addEventListener('keydown', (event) => {
    const nodes = all();
    const at = nodes.indexOf(document.activeElement);
    const target = {
      ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: nodes.length - 1,
    }[event.key];
    if (at < 0 || target === undefined || !nodes[target]) return;
    event.preventDefault();
    only(nodes[target]);
    nodes[target].focus();
  });
  // Called after every update: the stop is where the reader is, else at the current item.
  return () => only(all().find((node) => node === document.activeElement)
    ?? all().find((node) => node.hasAttribute('aria-current')) ?? all()[0]);
}

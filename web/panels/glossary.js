// The glossary: every word of the field that the scenes use, what it means, and the step that shows it.

import { openDialog } from './dialog.js';
import { button, element, setText } from '../page/dom.js';
import { assignment } from '../page/state.js';

const plain = (text) => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');

export function open({ call }) {
  const { terms } = call('terms', 'all');
  const filter = element('input', { type: 'search', id: 'glossary-filter', autocomplete: 'off', spellcheck: false });
  const count = element('p', { class: 'hint', role: 'status' });
  const rows = terms.map((term) => ({ words: plain(`${term.name} ${term.forms} ${term.meaning}`), node: row(term) }));
  const list = element('dl', { class: 'terms' }, ...rows.map(({ node }) => node));
  const show = () => {
    const wanted = plain(filter.value).split(/\s+/);
    for (const { words, node } of rows) node.hidden = !wanted.every((word) => words.includes(word));
    const found = rows.filter(({ node }) => !node.hidden).length;
    setText(count, found > 0 ? `${found} of ${rows.length} words` : 'None of these words is explained here; try a shorter one.');
  };
  filter.addEventListener('input', show);
  show();

  function row({ name, meaning, scene, step, place }) {
    const there = button(`See it: ${place}`, () => {
      dialog.close();
      call('set', `${assignment('scene', scene)}&${assignment('step', step)}`);
    });
    return element('div', {}, element('dt', {}, name), element('dd', {}, meaning, there));
  }

  const dialog = openDialog('Glossary', [element('label', { for: filter.id }, 'Find a word'), filter, count, list]);
  filter.focus();
}

// The tensors as tables of the text view. Each is one stop of the Tab key: arrows move inside, Space explains a number,
// Enter changes it where it can be changed.

import { element, keyed, setAttribute, setText } from '../page/dom.js';
import { setCell } from '../page/state.js';
import { textField } from './textfield.js';

const LARGE = 400;  // cells; larger tables are made when they are opened

// → update(tables)
export function createTables(parent, call) {
  const updates = new WeakMap();
  const create = (table) => {
    const grid = createGrid(call);
    let node = grid.node;
    let latest = table;
    if (isLarge(table)) {
      const summary = element('summary');
      node = element('details', {}, summary);
      node.addEventListener('toggle', () => {
        if (!node.open) return;
        node.append(grid.node);
        grid.update(latest);
      });
      updates.set(node, (next) => {
        latest = next;
        setText(summary, title(next));
        if (node.open) grid.update(next);
      });
    } else {
      updates.set(node, grid.update);
    }
    return node;
  };
  const keyOf = (table) => `${table.name} ${isLarge(table)}`;
  return (tables) => keyed(parent, tables, keyOf, create, (node, table) => updates.get(node)(table));
}

const isLarge = (table) => table.rows * table.columns > LARGE;
const title = (table) => table.title || `${table.name} ${table.rows}×${table.columns}`;

function createGrid(call) {
  const caption = element('caption');
  const head = element('thead');
  const body = element('tbody');
  const grid = element('table', { role: 'grid', 'aria-describedby': 'tables-hint' }, caption, head, body);
  const node = element('div', { class: 'table' }, grid);
  let table = null;
  let cells = [];   // [row][column]
  let at = [0, 0];  // the cell that Tab comes to

  function update(next) {
    const form = ({ rows, columns, rowLabels, columnLabels }) => JSON.stringify([rows, columns, rowLabels, columnLabels]);
    const sameForm = table && form(table) === form(next);
    const old = sameForm ? table.data : [];
    table = next;
    setText(caption, title(table));
    grid.dataset.tensor = table.name;
    setAttribute(grid, 'aria-readonly', table.editable ? null : 'true');
    if (!sameForm) build();
    table.data.forEach((value, index) => {
      if (value === old[index]) return;
      const cell = cells[Math.floor(index / table.columns)][index % table.columns];
      if (!cell.querySelector('input')) cell.textContent = write(value);
    });
  }

  function build() {
    const focused = node.contains(document.activeElement);
    const label = (labels, index) => labels?.[index] || String(index + 1);
    head.replaceChildren(element('tr', {}, element('td'), ...Array.from({ length: table.columns }, (_, column) =>
      element('th', { scope: 'col' }, label(table.columnLabels, column)))));
    cells = Array.from({ length: table.rows }, (_, row) => Array.from({ length: table.columns }, (_, column) =>
      element('td', { tabindex: -1, 'data-row': row, 'data-column': column })));
    body.replaceChildren(...cells.map((rowCells, row) =>
      element('tr', {}, element('th', { scope: 'row' }, label(table.rowLabels, row)), ...rowCells)));
    stand(Math.min(at[0], table.rows - 1), Math.min(at[1], table.columns - 1));
    if (focused) cells[at[0]]?.[at[1]]?.focus();
  }

  function stand(row, column) {
    cells[at[0]]?.[at[1]]?.setAttribute('tabindex', -1);
    at = [row, column];
    cells[row]?.[column]?.setAttribute('tabindex', 0);
  }

  const place = (cell) => [Number(cell.dataset.row), Number(cell.dataset.column)];
  const explain = (cell) => call('pin', `${table.name}[${place(cell)}]`);

  body.addEventListener('focusin', ({ target }) => {
    if (target.matches('td')) stand(...place(target));
  });
  body.addEventListener('click', ({ target }) => {
    if (target.matches('td')) explain(target);
  });
  body.addEventListener('dblclick', ({ target }) => {
    if (target.matches('td') && table.editable) edit(target);
  });
  body.addEventListener('keydown', (event) => {
    const cell = event.target;
    if (!cell.matches('td')) return;
    const [row, column] = at;
    const target = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], PageUp: [0, column], PageDown: [table.rows - 1, column],
      ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1], Home: [row, 0], End: [row, table.columns - 1],
    }[event.key];
    if (target) cells[target[0]]?.[target[1]]?.focus();
    else if (event.key === ' ' || (event.key === 'Enter' && !table.editable)) explain(cell);
    else if (event.key === 'Enter' || event.key === 'F2') edit(cell);
    else return;
    event.preventDefault();
  });

  function edit(cell) {
    if (!table.editable) return;
    const [row, column] = place(cell);
    const number = () => table.data[row * table.columns + column];
    typeInto(cell, {
      label: `${table.name}, row ${row + 1}, column ${column + 1}`, problemId: `cell-problem-${table.name}`, number,
      send: (value) => setCell(call, table.field, `${row}.${column}`, value), cancel: () => call('edit', 'cancel'),
    });
  }

  return { node, update };
}

// A field in the cell's place, until it is left.
function typeInto(cell, { label, problemId, number, send, cancel }) {
  const problem = element('p', { id: problemId, class: 'field-problem', role: 'alert' });
  const input = element('input', { type: 'text', autocomplete: 'off', 'aria-describedby': problem.id, 'aria-label': label });
  const field = textField(input, { problem, send });
  field.update(String(number()));
  cell.replaceChildren(input, problem);
  input.focus();
  input.select();
  input.addEventListener('blur', () => (cell.textContent = write(number())));
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      field.reset();
      cancel();
    }
    if (event.key === 'Escape' || (event.key === 'Enter' && field.commit())) cell.focus();
  });
}

// Four significant digits; what is not finite comes as a text.
function write(value) {
  const number = Number(value);
  if (number === -Infinity) return '−∞';
  if (number === Infinity) return '∞';
  if (Number.isNaN(number)) return 'not a number';
  return String(Number(number.toPrecision(4))).replace('-', '−');
}

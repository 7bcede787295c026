// Numbers that are pasted into a matrix, or names for tokens; the core reads them and says what is wrong with them.

import { assignment } from '../page/state.js';

const NUMBER = /[-+−]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/giu;
const WITH_COMMA = /^\s*[-+−]?\d+,\d+\s*$/u;  // one number, as some write it

// Of one number an input knows itself what to do.
export const isMatrix = (text) => text.includes('[') || ((text.match(NUMBER)?.length ?? 0) > 1 && !WITH_COMMA.test(text));

// A line of names for the tokens of weights that are shown without a model.
export function pasteNames(event, call) {
  const text = event.clipboardData?.getData('text/plain').trim().replace(/\s+/g, ' ');
  if (!text || event.target.closest?.('input, textarea, select, dialog')) return;
  event.preventDefault();
  const { ok, message } = call('set', assignment('tokens', text));
  if (!ok) call('notify', message);
}

// They are for the cell that is typed into, a cell of the text view's tables, or else the pinned one.
export async function pasteNumbers(event, call, others) {
  const { target, clipboardData } = event;
  const cell = target.closest?.('#mirror td[data-row]');
  const typing = target.closest?.('#inputs [data-kind="cell"]');
  const text = clipboardData?.getData('text/plain') ?? '';
  if (target.matches?.('input, textarea, select') && !cell && !typing) return;
  if (target.closest?.('dialog') || !isMatrix(text)) return;
  event.preventDefault();
  try {
    await others();
  } catch {
    return;  // the reader has the reason
  }
  const { row, column } = cell?.dataset ?? {};
  const address = cell ? `${cell.closest('table').dataset.tensor} ${row}.${column}` : '';
  if (!call('paste', `${address}\n${text}`).ok) return;
  if (cell) cell.focus();
  else if (typing) call('edit', '');
}

// Which of the pictures in posters/ stands for a figure that has not started.

import { POSTERS } from '../posters/list.js';

// How a figure is shown, and not what it shows.
const LOOK = ['v', 'theme', 'embed', 'hide', 'projector', 'debug'];

const decode = (text) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

// → what the parts of a link set ("step=7"), by name
function settings(parts) {
  const all = parts.map((part) => [part.split('=', 1)[0], decode(part.slice(part.indexOf('=') + 1))]);
  return new Map(all.filter(([name]) => !LOOK.includes(name)));
}

const isSame = (one, other) => one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);

// parts: of the figure's link → {file: 'spotlight', example}, the sentence that says so where another figure is shown.
export function nearestPoster(parts) {
  const wanted = settings(parts);
  const rows = POSTERS.filter(({ scene }) => scene === wanted.get('scene'));
  if (!rows.length) return { file: encodeURIComponent(wanted.get('scene')), example: '' };
  const step = wanted.get('step') ?? '1';
  const { usual } = rows[0];
  for (const name of ['scene', 'step', ...(wanted.get('preset') === usual ? ['preset'] : [])]) wanted.delete(name);
  const fit = (row) => {
    const own = settings(row.state.split('&').filter(Boolean));
    const same = isSame(own, wanted) ? 4 : own.get('preset') === wanted.get('preset') ? 2 : 0;
    return same + (row.step === step || row.number === step ? 1 : 0);
  };
  const [best] = [...rows].sort((one, other) => fit(other) - fit(one));
  const example = [`An example: ${best.preset}.`, `Another step of it: ${best.name}.`, ''][Math.max(0, fit(best) - 3)];
  return { file: best.file, example };
}

// What a page in a frame and the page around it say to each other: plain objects, sent with postMessage, with the message's name
// in `limelight` and the version in `v`, as { limelight: 'step', v: 1, step: 'softmax' }. embed-messages.schema.json says the same.

export const VERSION = 1;

export const LONGEST_TEXT = 1_000_000;  // UTF-16 units
const HIGHEST = 100_000;                // px

const STEP = /^([a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?|[1-9][0-9]*(\.[1-9][0-9]*)?)$/;
const isText = (value) => typeof value === 'string' && value.length <= LONGEST_TEXT;
const isSetting = (value) => isText(value) || typeof value === 'boolean' || Number.isFinite(value);
const isObject = (value) => Object.prototype.toString.call(value) === '[object Object]';
const isSettings = (value) => isObject(value) && Object.values(value).every(isSetting);

const KINDS = {
  id: ['a text or a number, which comes back with the answer', (value) => isText(value) || Number.isFinite(value)],
  text: ['a text', isText],
  // Or its number, as all steps had before they had names in messages.
  step: ['the name of a step, as "softmax", or of a part of one, as "softmax.exp"',
    (value) => (Number.isInteger(value) ? value >= 1 : isText(value) && STEP.test(value))],
  settings: ['an object of texts, numbers and booleans', isSettings],
  share: ['a number from 0 to 1', (value) => Number.isFinite(value) && value >= 0 && value <= 1],
  height: ['a number of pixels', (value) => Number.isFinite(value) && value > 0 && value <= HIGHEST],
};

// By name; each part's kind, with "?" where it may be left out.
export const TO_FRAME = {
  get: { id: 'id?' },                     // answered with the state
  still: { id: 'id?' },                   // likewise, and with the figure as SVG
  set: { id: 'id?', state: 'settings' },  // what limelight.setState takes
  step: { id: 'id?', step: 'step', t: 'share?' },  // t: on the way from the step before, 0, to it, 1
  pin: { id: 'id?', cell: 'text' },       // "weights[0,2]"; empty: none
};
export const FROM_FRAME = {
  loading: { share: 'share' },                  // of all that has to come; 0 when its document has
  ready: { title: 'text', height: 'height' },  // it can be used; it may have to come into view before it is drawn
  drawn: {},                                   // its first picture is there
  height: { height: 'height' },  // that shows all of the figure at its present width
  changed: { state: 'settings', link: 'text' },
  step: { step: 'step', name: 'text', t: 'share?' },
  pinned: { cell: 'text' },
  done: { id: 'id?', state: 'settings', link: 'text', picture: 'text?' },
  refused: { id: 'id?', message: 'text' },
  failed: { message: 'text' },  // the page did not start
};

// What other scripts send each other is none of our business.
export const isOurs = (data) => isObject(data) && Object.hasOwn(data, 'limelight');

// Why a message of ours is none of `known`, as a sentence; '' when it is one.
export function check(known, data) {
  const name = data.limelight;
  if (typeof name !== 'string' || !Object.hasOwn(known, name)) {
    return `There is no message ${quote(name)}; there are ${Object.keys(known).join(', ')}.`;
  }
  if (data.v !== VERSION) return `The message ${name} is of version ${quote(data.v)}; version ${VERSION} is understood.`;
  const parts = known[name];
  for (const part of Object.keys(data)) {
    if (part !== 'limelight' && part !== 'v' && !Object.hasOwn(parts, part)) {
      const there = Object.keys(parts).join(', ');
      return `There is no ${quote(part)} in the message ${name}; ${there ? `there is ${there}` : 'there is nothing more'}.`;
    }
  }
  for (const [part, wanted] of Object.entries(parts)) {
    const [words, fits] = KINDS[wanted.replace('?', '')];
    if (!Object.hasOwn(data, part) ? !wanted.endsWith('?') : !fits(data[part])) {
      return `In the message ${name}, ${part} has to be ${words}.`;
    }
  }
  return '';
}

function quote(value) {
  const text = typeof value === 'string' ? value : Number.isFinite(value) ? String(value) : typeof value;
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}

export const message = (name, parts) => ({ limelight: name, v: VERSION, ...parts });

// The page in a frame, for the page around it: does what its messages ask, and tells it what has changed.

import { LONGEST_TEXT, TO_FRAME, check, isOurs, message } from './messages.js';

const around = window.parent === window ? null : window.parent;
let listener = null;  // the origin of who has spoken to us; before that nobody is told what the reader does
let call = null;      // the core, once it is there
let bring = null;     // {allFonts(), others()}: fetch what of the fonts and of the program has not come

export function tell(name, parts, to = '*') {
  around?.postMessage(message(name, parts), to);
}

const acts = {
  get: () => {},
  still: async () => {
    await Promise.all([bring.others(), bring.allFonts().catch(() => {})]);  // it may show more letters than the frame does
    const { svg: picture } = call('still');
    if (picture.length <= LONGEST_TEXT) return { picture };
    throw new Error(`The picture has more than the ${LONGEST_TEXT / 1e6} million characters that a message can have.`);
  },
  set: ({ state }) => window.limelight.setState(state).then(() => {}),
  step: ({ step, t }) => acts.set({ state: { step, ...(t === undefined ? {} : { t }) } }),
  pin: ({ cell }) => acts.set({ state: { pin: cell } }),
};

const present = () => ({ state: window.limelight.getState(), link: call('link').hash });

// So that whoever asked knows which question it answers.
const idOf = ({ id }) => (typeof id === 'string' || typeof id === 'number' ? { id } : {});

async function hear({ source, origin, data }) {
  if (source !== around || !isOurs(data)) return;
  const to = origin === 'null' ? '*' : origin;  // one without an origin cannot be named
  const wrong = check(TO_FRAME, data);
  if (wrong) return tell('refused', { ...idOf(data), message: wrong }, to);
  listener = to;
  try {
    if (!call) throw new Error('Limelight is still loading; wait for the message ready.');
    const more = await acts[data.limelight](data);
    tell('done', { ...idOf(data), ...present(), ...more }, to);
  } catch (error) {
    tell('refused', { ...idOf(data), message: error.message }, to);
  }
}

if (around) addEventListener('message', hear);

// → follow(page, drawn), for what the core says of itself once it can be used, and then of every new frame
export function createHost(core, bringing) {
  call = core;
  bring = bringing;
  let told = null;  // what the page around knows
  let seen = false;
  return (page, drawn) => {
    if (!around) return;
    const { state, link } = present();
    const now = { height: page.height, state: JSON.stringify(state), step: state.step, t: Number(state.t), pin: state.pin };
    const before = told;
    told = now;
    if (drawn && !seen) tell('drawn');
    seen = drawn;
    if (!before) {
      tell('ready', { title: page.title, height: page.height });
      return;
    }
    if (now.height !== before.height) tell('height', { height: now.height });
    if (!listener || now.state === before.state) return;
    tell('changed', { state, link }, listener);
    if (now.step !== before.step || now.t !== before.t) {
      tell('step', { step: now.step, name: page.steps[page.step - 1].name, ...(now.t < 1 ? { t: now.t } : {}) }, listener);
    }
    if (now.pin !== before.pin) tell('pinned', { cell: now.pin }, listener);
  };
}

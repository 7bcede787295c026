// window.limelight: the page for scripts, as in `await limelight.ready; await limelight.setState({ text: 'I ate an apple.' })`.

import { assignment } from './state.js';

const listeners = new Set();
let ready;
let settle;
let call;
let fetchScenes;
let arrival = null;  // of the scenes that a change waits for

// The page starts, for the first time or once more.
export function begin() {
  ready = new Promise((resolve, reject) => (settle = { resolve, reject }));
  ready.catch(() => {});  // who does not wait for it is not bothered by its failure
  call = () => ({ ok: false, message: 'Limelight is still loading; wait for limelight.ready.' });
}
begin();

function ask(verb, argument = '') {
  const reply = call(verb, argument);
  if (reply.ok === false) throw new Error(reply.message);
  return reply;
}

function write(name, value) {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new Error(`${name} must be a text, a number or a boolean.`);
}

const limelight = {
  // Resolves when the first figure is there; rejects with the sentence that the page shows instead. Another one after the
  // reader let the page try again.
  get ready() {
    return ready;
  },

  // Every setting by name, also scene, step and theme.
  getState: () => ask('state').state,

  // Changes what `partial` names, all of it or, after a rejection with the reason, none. Resolves to the new state.
  async setState(partial) {
    if (Object.prototype.toString.call(partial) !== '[object Object]') throw new Error('setState takes an object, as in { temperature: 0.5 }.');
    while (arrival) await arrival.catch(() => {});  // who asked for them hears of it
    const text = Object.entries(partial).map(([name, value]) => assignment(name, write(name, value))).join('&');
    if (ask('set', text).waits) await (arrival = fetchScenes().finally(() => (arrival = null)));
    return limelight.getState();
  },

  // A tensor of the computation, "Q" or "weights": {shape: [rows, columns], data: row by row}.
  trace(name) {
    const { shape, data } = ask('trace', String(name));
    return { shape, data: Float32Array.from(data, Number) };  // "-Infinity" comes as a text
  },

  // {frames, computeMs, drawMs}
  stats() {
    const { ok, waits, ...numbers } = ask('stats');
    return numbers;
  },

  // What a reader perceives, as data: the steps, the settings, the tables, the narration, and where things are.
  page() {
    const reply = ask('page');
    return reply.page ?? reply;
  },

  // f(state) after every change that a reader can see. Returns the function that ends it.
  on(event, f) {
    if (event !== 'change') throw new Error(`There is no event "${event}"; there is "change".`);
    if (typeof f !== 'function') throw new Error('on("change", f) takes a function.');
    listeners.add(f);
    return () => listeners.delete(f);
  },
};

window.limelight = Object.freeze(limelight);

// `scenes()` resolves when the scenes that a call waits for have come and its change is made.
export function connect(to, scenes) {
  call = to;
  fetchScenes = scenes;
}

export function announce() {
  settle.resolve();
  if (!listeners.size) return;
  const state = limelight.getState();
  for (const f of listeners) {
    try {
      f(state);
    } catch (error) {
      console.error(error);  // the others' turn comes all the same
    }
  }
}

export function refuse(sentence) {
  call = () => ({ ok: false, message: sentence });
  settle.reject(new Error(sentence));
}

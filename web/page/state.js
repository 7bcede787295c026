// How a setting is written for the core: "key=value", percent-encoded, several joined by "&".

export const assignment = (name, value) => `${encode(name)}=${encode(value)}`;

// Half of a surrogate pair is no character and has no encoding.
export const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, '\ufffd');

const encode = (text) => encodeURIComponent(wellFormed(String(text)));

// What was typed into the cell "row.column" of a matrix: one number, or nothing for the example's.
export const setCell = (call, name, cell, text) => call('cell', `${name} ${cell} ${text.trim()}`);

// What a reader has set or typed, which is more than the same from a script: a sentence begins with trained numbers.
// → {ok, message, value}; the value is what the state made of it.
export function setField(call, name, value) {
  const reply = call('typed', assignment(name, value));
  return reply.ok ? { ok: true, value: call('state').state[name] } : reply;
}

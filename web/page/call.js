// The core's one function, as the page calls it.

import { showProblem } from './fallback.js';
import { wellFormed } from './state.js';

const LONGEST_ARGUMENT = 1_000_000;  // UTF-16 units; the core says itself what is too long below that

// → call(verb, argument), which gives {ok, message, …}. Texts go by way of the heap: the core's stack is small.
export function createCall(module) {
  return (verb, argument = '') => {
    if (argument.length > LONGEST_ARGUMENT) {
      const message = `That has ${countCharacters(argument)} characters, more than a figure can take.`;
      showProblem(message);
      return { ok: false, message };
    }
    const texts = [verb, argument].map((text) => module.stringToNewUTF8(wellFormed(text)));
    const reply = module.UTF8ToString(module._limelight_call(...texts));
    for (const text of texts) module._free(text);
    return JSON.parse(reply);
  };
}

// Of what the argument says, not of how it is written.
function countCharacters(argument) {
  try {
    return decodeURIComponent(argument.slice(argument.indexOf('=') + 1)).length;
  } catch {
    return argument.length;
  }
}

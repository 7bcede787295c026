// The first scene travels with the page. The functions of the others are a module of their own, fetched when one of them
// is first asked for.

const LATE_MS = 400;  // of waiting before a sentence says so
const AGAIN_MS = 4000;  // and before it says so again

// Whether a link opens another scene than the first, or needs functions of one.
export const namesAnother = (hash) => /(?:^|&)(?:scene=(?!spotlight(?:&|$))|trained=on(?:&|$))/.test(hash);

// Both halves carry the mark of the program that they were split from (tools/split.mjs).
const mark = (module) => new TextDecoder().decode(WebAssembly.Module.customSections(module, 'build')[0]);

class Renewed extends Error {
  constructor() {
    super('Limelight was renewed on its server since this page was loaded.\nLoad the page again for the other scenes.');
  }
}

// Adds them to the running program, whose exports they work with.
export async function join(scenes, program, exports) {
  if (mark(scenes) !== mark(program)) throw new Renewed();
  await WebAssembly.instantiate(scenes, { first: exports });
}

// → fetch(), which resolves when they have come and what waited for them is done, at once where they have. It rejects with the sentence that the
// reader gets too.
export function createScenes({ load, program, exports, call }) {
  const bring = async () => {
    const tell = () => call('scenes_late');
    const late = setTimeout(tell, LATE_MS);
    const stillLate = setInterval(tell, AGAIN_MS);
    try {
      await join(await load(), program, exports);
    } catch (error) {
      const lines = error instanceof Renewed ? error.message : `${error.message.replace(/\.?$/, '.')}\nDo the same once more to try again.`;
      call('scenes', lines);
      throw new Error(lines.replace('\n', ' '));
    } finally {
      clearTimeout(late);
      clearInterval(stillLate);
    }
    const reply = call('scenes');
    if (!reply.ok) throw new Error(reply.message);
  };
  let brought = null;
  return () => (brought ??= bring().catch((error) => {
    brought = null;
    throw error;
  }));
}

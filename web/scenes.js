// The first scene travels with the page. The functions of the others are a module of their own, fetched when one of them
// is first asked for.

const LATE_MS = 400;  // of waiting before a sentence says so

// Whether a link opens another scene than the first.
export const namesAnother = (hash) => /(?:^|&)scene=(?!spotlight(?:&|$))/.test(hash);

// Adds them to the running program, whose exports they work with.
export const join = (module, exports) => WebAssembly.instantiate(module, { first: exports });

// → fetch(), which resolves when they have come and what waited for them is done. It rejects with the sentence that the
// reader gets too.
export function createScenes({ load, exports, call }) {
  const bring = async () => {
    const late = setTimeout(() => call('notify', 'The other scenes are on their way.'), LATE_MS);
    try {
      await join(await load(), exports);
    } catch (error) {
      const sentence = `${error.message} Choose the scene once more to try again.`;
      call('scenes', sentence);
      throw new Error(sentence);
    } finally {
      clearTimeout(late);
    }
    const reply = call('scenes');
    if (!reply.ok) throw new Error(reply.message);
  };
  let coming = null;
  return () => (coming ??= bring().finally(() => (coming = null)));
}

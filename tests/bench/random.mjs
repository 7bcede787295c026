// Entries in [−1, 1), the same in every run.
export function random(count, seed) {
  const values = new Float32Array(count);
  let state = seed;
  for (let i = 0; i < count; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 2 ** 31 - 1;
  }
  return values;
}

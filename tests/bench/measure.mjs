// Times of several contenders, each a function that may return a promise: what their thread computed (`processorTime`,
// see browse.mjs), so that others on the machine disturb little; else the clock on the wall.

const pause = () => new Promise((resolve) => setTimeout(resolve));
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const now = async () => (globalThis.processorTime ? globalThis.processorTime() : performance.now());

const shortest = 30; // ms: beside it, asking for the time does not count
const warmed = 0.03; // two rounds agree when they differ by less than this part
const patience = 40; // rounds

async function time(contender) {
  await pause(); // code that a compiler has finished meanwhile is taken up in a new turn of the event loop
  const start = await now();
  for (let call = 0; call < contender.calls; ++call) {
    const pending = contender.run();
    if (pending) await pending;
  }
  return ((await now()) - start) / contender.calls;
}

// Calls enough of it to be measured, until two rounds of three agree.
async function warm(contender) {
  contender.calls = 1;
  let before = Infinity;
  for (let round = 0; round < patience; ++round) {
    const duration = median([await time(contender), await time(contender), await time(contender)]);
    const enough = Math.ceil(shortest / Math.max(duration, 1e-4));
    const agree = Math.abs(duration - before) < warmed * duration;
    if (round >= 5 && agree && contender.calls >= enough) return;
    contender.calls = Math.min(Math.max(enough, 1), contender.calls * 10);
    before = duration;
  }
}

// { name: run } → { name: { median, fastest } }, milliseconds of a call. Every round runs each contender once, so that what else the
// machine does hits all of them alike.
export async function measure(contenders, rounds) {
  const all = Object.entries(contenders).map(([name, run]) => ({ name, run, calls: 1, times: [] }));
  for (const contender of all) await warm(contender);
  for (let round = 0; round < rounds; ++round) for (const contender of all) contender.times.push(await time(contender));
  return Object.fromEntries(
    all.map(({ name, times }) => [name, { median: median(times), fastest: Math.min(...times) }]),
  );
}

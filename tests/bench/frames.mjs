// The work of a frame while a reader drags a slider: for every scene and step, every slider through its range. While a job
// runs that lasts some seconds. While a reader scrubs through the motion of a step. And while the pointer moves along a sentence
// and the lamp after it; what that leaves in memory.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../../tools/browser.mjs';
import { serve } from '../../tools/server.mjs';

const site = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../build/web');
const positions = 12; // of a slider
// Fields that make the scenes' matrices larger: frames while they are dragged have other sizes than those that a scene begins with.
const sizes = ['scale.d', 'scale.keys', 'layer.d_q', 'layer.d_v', 'layer.d_x', 'layer.features', 'heads.d_model',
  'heads.length', 'translate.words', 'train.length', 'train.hidden', 'train.batch', 'cost.d', 'limits.size'];

// Runs in the page: every slider of the scene, each of its positions a frame. [{step, field, mark}]: the numbers are computed
// between `mark` and `mark set`, the frames come after them.
async function drag(positions) {
  const { limelight } = window;
  const frame = async () => {
    const before = limelight.stats().frames;
    while (limelight.stats().frames === before) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve));  // out of that frame, whose work is not the next one's
  };
  const frames = [];
  for (const { id: step } of limelight.page().steps) {
    await limelight.setState({ step });
    for (const { name, kind, min, max, place, shown } of limelight.page().fields) {
      if (place === 'figure' || !shown || !['real', 'integer'].includes(kind)) continue;
      const old = limelight.getState()[name];
      for (let i = 0; i < positions; ++i) {
        const value = min + ((max - min) * (i + 0.5)) / positions;
        const mark = `slider ${frames.length}`;
        performance.mark(mark);
        const set = limelight.setState({ [name]: kind === 'integer' ? Math.round(value) : value });
        performance.mark(`${mark} set`);
        try {
          await set;
        } catch {
          continue;  // some values are refused, as three heads of a model of size 8
        }
        await frame();
        frames.push({ step, field: name, mark });
      }
      performance.mark('slider back');
      await limelight.setState({ [name]: old });
    }
  }
  return frames;
}

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * share), values.length - 1)];

// The page in a browser of its own, for as long as f(page, url) takes; `motion` as the reader's system says it.
async function inPage(f, motion = 'reduce') {
  const server = await serve(site);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: motion }]);
    return await f(page, server.url);
  } finally {
    await browser.close();
    await server.close();
  }
}

// {result, events}: of `act`, and what the browser's trace has of it.
async function traced(page, act, categories = []) {
  const folder = mkdtempSync(path.join(tmpdir(), 'limelight-bench-'));
  const file = path.join(folder, 'trace.json');
  try {
    await page.tracing.start({ path: file, categories: ['devtools.timeline', ...categories] });
    const result = await act();
    await page.tracing.stop();
    return { result, events: JSON.parse(readFileSync(file, 'utf8')).traceEvents };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isFrame = ({ name, ph }) => name === 'FireAnimationFrame' && ph === 'X';
// Milliseconds that the page's thread has computed in a frame, and when, where the machine tells it, else by the clock on the
// wall. A software painter on a machine of few cores takes the thread its core away; that is not the page's work.
const workOf = ({ tdur, dur }) => (tdur ?? dur) / 1000;
const workUntil = ({ tts, ts }) => (tts ?? ts) / 1000;

// Gives each frame what was computed for it and how long it was drawn: {begin, compute, draw}, from the events of its mark on.
function withWork(frames, events) {
  const marks = new Map();
  let mark;
  for (const event of events.filter((e) => isFrame(e) || e.name.startsWith('slider ')).toSorted((a, b) => a.ts - b.ts))
    if (isFrame(event)) {
      if (mark) mark.draw = Math.max(mark.draw, workOf(event));
    } else if (event.name.endsWith(' set')) mark.compute = workUntil(event) - mark.begin;
    else marks.set(event.name, (mark = { begin: workUntil(event), compute: 0, draw: 0 }));
  for (const frame of frames) Object.assign(frame, marks.get(frame.mark));
}
const work = ({ compute, draw }) => compute + draw;

// [{scene, given, any, slowest}]: milliseconds of work, to compute the numbers and to draw the frame, with the sizes that a scene
// begins with, and with any. Of both {median, most}; one frame in twenty exceeds the second.
export const frameWork = () =>
  inPage(async (page, url) => {
    await page.goto(url);
    await page.evaluate(() => window.limelight.ready);
    const rows = [];
    for (const { name: scene } of await page.evaluate(() => window.limelight.page().scenes)) {
      await page.evaluate((id) => window.limelight.setState({ scene: id }), scene);
      const { result: frames, events } = await traced(page, () => page.evaluate(drag, positions), ['blink.user_timing']);
      if (frames.length === 0) continue;  // its sliders come with other choices
      withWork(frames, events);
      const slowest = frames.reduce((a, b) => (work(b) > work(a) ? b : a));
      const summary = (some) => ({ median: quantile(some.map(work), 0.5), most: quantile(some.map(work), 0.95) });
      rows.push({ scene, given: summary(frames.filter(({ field }) => !sizes.includes(`${scene}.${field}`))), any: summary(frames), slowest });
    }
    return rows;
  });

// Runs in the page: when no frame is drawn any more.
async function rest() {
  for (let before = -1; before !== window.limelight.stats().frames; ) {
    before = window.limelight.stats().frames;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

// The frames of a scene's second step from when its job starts until it is done, in milliseconds of work.
async function framesOfJob(page, url) {
  await page.goto(url);
  await page.evaluate(() => window.limelight.ready);
  await page.evaluate(rest);
  const at = await page.evaluate(() => {
    const { x, y, w, h } = window.limelight.page().targets.find(({ id }) => id === 'shell.job');
    const canvas = document.querySelector('canvas').getBoundingClientRect();
    return [canvas.x + x + w / 2, canvas.y + y + h / 2];
  });
  const { events } = await traced(page, async () => {
    await page.mouse.click(...at);
    await page.evaluate(rest);
  });
  return events.filter(isFrame).map(workOf);
}

// [{scene, frames, median, most, longest}]
export const jobWork = () =>
  inPage(async (page, url) => {
    const rows = [];
    for (const scene of ['cost', 'scale']) {
      await page.goto('about:blank');
      const all = await framesOfJob(page, `${url}#scene=${scene}&step=2`);
      rows.push({ scene, frames: all.length, median: quantile(all, 0.5), most: quantile(all, 0.95), longest: Math.max(...all) });
    }
    return rows;
  });

const manyWords = `preset=own&text=${Array.from({ length: 64 }, (_, i) => `w${i}`).join('+')}`;
const lamp = {
  scene: 'spotlight',
  sentences: { fox: 'preset=fox', '64 words': manyWords },
  steps: ['words', 'scores', 'softmax', 'output', 'glance'],
  seconds: 20,
  idle: 0.5,
  minute: 60,
};

const scrubbed = [
  { of: 'Spotlight, fox', set: 'scene=spotlight&preset=fox' },
  { of: 'Spotlight, 64 words', set: `scene=spotlight&${manyWords}` },
  { of: 'Layer', set: 'scene=layer' },
];
const moments = 40;  // of a step's motion

// Runs in the page: each step from its first moment to its last. [{step, mark}], as `drag` has it.
async function scrub(moments) {
  const { limelight } = window;
  const frames = [];
  const parts = ({ id, parts = [] }) => [id, ...parts.map((part) => `${id}.${part.id}`)];
  for (const step of limelight.page().steps.flatMap(parts)) {
    await limelight.setState({ step });
    for (let i = 0; i < moments; ++i) {
      const mark = `slider ${frames.length}`;
      performance.mark(mark);
      const before = limelight.stats().frames;
      const set = limelight.setState({ t: (i + 0.5) / moments });
      performance.mark(`${mark} set`);
      await set;
      while (limelight.stats().frames === before) await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
      frames.push({ step, mark });
    }
  }
  return frames;
}

// [{of, step, frames, median, most, longest}]: milliseconds of work in the frames of a step while it is scrubbed.
export const scrubWork = () =>
  inPage(async (page, url) => {
    const rows = [];
    for (const { of, set } of scrubbed) {
      await page.goto('about:blank');
      await page.goto(`${url}#v=2&${set}`);
      await page.evaluate(() => window.limelight.ready);
      await page.evaluate(rest);
      const { result: frames, events } = await traced(page, () => page.evaluate(scrub, moments), ['blink.user_timing']);
      withWork(frames, events);
      for (const step of new Set(frames.map((frame) => frame.step))) {
        const all = frames.filter((frame) => frame.step === step).map(work);
        rows.push({ of, step, frames: all.length, median: quantile(all, 0.5), most: quantile(all, 0.95), longest: Math.max(...all) });
      }
    }
    return rows;
  });

// The pointer to and fro along the sentence's words, line by line where it has lines, or where none stand along the scores; a
// step every 16 ms.
async function sweep(page, seconds) {
  const words = await page.evaluate(() => {
    const canvas = document.querySelector('canvas').getBoundingClientRect();
    const { targets } = window.limelight.page();
    const named = targets.filter(({ id }) => /^stage\.word\.\d+$/.test(id));
    return (named.length > 0 ? named : targets.filter(({ id }) => id === 'scores'))
      .map(({ x, y, w, h }) => ({ x: canvas.x + x, y: canvas.y + y + h / 2, w }));
  });
  const begun = Date.now();
  for (let gone = 0; gone < seconds * 1000; gone = Date.now() - begun) {
    const at = (words.length * (1 - Math.cos(gone / 800))) / 2, word = words[Math.min(Math.floor(at), words.length - 1)];
    await page.mouse.move(word.x + word.w * Math.min(at % 1, 0.9), word.y);
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
}

// Bytes: of the program's memory, and of what JavaScript holds after it has been collected.
async function memoryOf(page) {
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return { program: await page.evaluate(() => window.programMemory.buffer.byteLength), script: usedSize };
}

// [{step, frames, median, most, longest, grown}]: milliseconds of work while the lamp follows, and by how many bytes both memories
// grow in a minute of it, after the first seconds.
export const lampWork = () =>
  inPage(async (page, url) => {
    await page.evaluateOnNewDocument(() => {
      const { instantiate } = WebAssembly;
      WebAssembly.instantiate = async (...given) => {
        const made = await instantiate(...given);
        window.programMemory ??= Object.values((made.instance ?? made).exports).find((what) => what instanceof WebAssembly.Memory);
        return made;
      };
    });
    const rows = [];
    const shown = Object.entries(lamp.sentences).flatMap(([name, set]) => lamp.steps.map((step) => ({ name, set, step })));
    for (const { name, set, step } of shown) {
      await page.goto('about:blank');
      await page.goto(`${url}#v=2&scene=${lamp.scene}&${set}&step=${step}`);
      await page.evaluate(() => window.limelight.ready);
      await page.evaluate(rest);
      const { events } = await traced(page, () => sweep(page, lamp.seconds));
      const all = events.filter(isFrame).map(workOf).filter((ms) => ms > lamp.idle);  // in the others nothing moved
      const before = await memoryOf(page);
      await sweep(page, lamp.minute);
      const after = await memoryOf(page);
      const grown = Object.fromEntries(Object.keys(after).map((of) => [of, after[of] - before[of]]));
      rows.push({ step: `${step}, ${name}`, frames: all.length, median: quantile(all, 0.5), most: quantile(all, 0.95), longest: Math.max(...all), memory: after, grown });
    }
    return rows;
  }, 'no-preference');

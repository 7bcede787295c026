// The work of a frame while a reader drags a slider: for every scene and step, every slider through its range.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../../tools/browser.mjs';
import { serve } from '../../tools/server.mjs';

const site = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../build/web');
const positions = 12; // of a slider

// Runs in the page. [{step, field, compute, draw}], milliseconds, a frame each.
async function drag(positions) {
  const { limelight } = window;
  const frame = async () => {
    const before = limelight.stats().frames;
    while (limelight.stats().frames === before) await new Promise(requestAnimationFrame);
    const { computeMs: compute, drawMs: draw } = limelight.stats();
    return { compute, draw };
  };
  const frames = [];
  for (let step = 1; step <= limelight.page().steps.length; ++step) {
    await limelight.setState({ step });
    for (const { name, kind, min, max, place, shown } of limelight.page().fields) {
      if (place === 'figure' || !shown || !['real', 'integer'].includes(kind)) continue;
      const old = limelight.getState()[name];
      for (let i = 0; i < positions; ++i) {
        const value = min + ((max - min) * (i + 0.5)) / positions;
        try {
          await limelight.setState({ [name]: kind === 'integer' ? Math.round(value) : value });
        } catch {
          continue;  // some values are refused, as three heads of a model of size 8
        }
        frames.push({ step, field: name, ...(await frame()) });
      }
      await limelight.setState({ [name]: old });
    }
  }
  return frames;
}

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * share), values.length - 1)];

// [{scene, frames, median, most, slowest}]: milliseconds of work, the second exceeded by one frame in twenty.
export async function frameWork() {
  const server = await serve(site);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await page.goto(server.url);
    await page.evaluate(() => window.limelight.ready);
    const rows = [];
    for (const { name: scene } of await page.evaluate(() => window.limelight.page().scenes)) {
      await page.evaluate((id) => window.limelight.setState({ scene: id }), scene);
      const frames = await page.evaluate(drag, positions);
      if (frames.length === 0) continue;  // its sliders come with other choices
      const work = ({ compute, draw }) => compute + draw;
      const slowest = frames.reduce((a, b) => (work(b) > work(a) ? b : a));
      const all = frames.map(work);
      rows.push({ scene, frames: all.length, median: quantile(all, 0.5), most: quantile(all, 0.95), slowest });
    }
    return rows;
  } finally {
    await browser.close();
    await server.close();
  }
}

// Runs the page in Chromium. Import: const results = await browse({ rounds, only }).
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../../tools/browser.mjs';
import { serve } from '../../tools/server.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const served = path.join(here, '../../build/bench');

// Beside the WebAssembly modules, which are built there.
function gather() {
  const packages = path.join(here, 'node_modules');
  const copies = [
    ...['index.html', 'page.mjs', 'measure.mjs', 'onnx.mjs', 'gpt2.mjs', 'random.mjs'].map((name) => path.join(here, name)),
    ...['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'].map((name) =>
      path.join(packages, 'onnxruntime-web/dist', name),
    ),
    path.join(packages, '@tensorflow/tfjs-core/dist/tf-core.min.js'),
    path.join(packages, '@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.min.js'),
    ...['tfjs-backend-wasm.wasm', 'tfjs-backend-wasm-simd.wasm'].map((name) =>
      path.join(packages, '@tensorflow/tfjs-backend-wasm/wasm-out', name),
    ),
  ];
  for (const file of copies) cpSync(file, path.join(served, path.basename(file)));
}

// Milliseconds that the pages' main threads have computed; what else runs on the machine does not count. Linux tells
// it; elsewhere there is no such function, and the page takes the clock on the wall.
async function processorClock(browser) {
  const session = await browser.target().createCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const files = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => `/proc/${id}/task/${id}/schedstat`);
  const read = () => files.reduce((sum, file) => sum + Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6, 0);
  return process.platform === 'linux' && read;
}

export async function browse(options) {
  gather();
  const server = await serve(served);
  const browser = await launch({ protocolTimeout: 3_600_000 });
  try {
    const page = await browser.newPage();
    page.on('console', (message) => console.error(`bench: ${message.text()}`));
    page.on('pageerror', (error) => console.error(`bench: ${error.message}`));
    await page.goto(server.url);
    const clock = await processorClock(browser);
    if (clock) await page.exposeFunction('processorTime', clock);
    await page.waitForFunction('window.run');
    const results = await page.evaluate((wanted) => window.run(wanted), options);
    return { ...results, browser: await browser.version() };
  } finally {
    await browser.close();
    await server.close();
  }
}

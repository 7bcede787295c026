// node tools/first_load.mjs FOLDER: what a first visit to the page fetches, gzipped, and what the scenes after the first
// add when one of them is asked for. Fails when the first visit is above the budget.
import { gzipSync } from 'node:zlib';
import { launch } from './browser.mjs';
import { serve } from './server.mjs';

const budget = 600_000; // bytes
const line = (name, size) => console.log(`  ${name.padEnd(32)} ${String(size).padStart(8)}`);
const server = await serve(process.argv[2]);
const browser = await launch();
let total = 0;
try {
  const page = await browser.newPage();
  const names = new Set();
  page.on('request', (request) => {
    if (request.url().startsWith(server.url)) names.add(new URL(request.url()).pathname);
  });
  await page.goto(server.url, { waitUntil: 'networkidle0' });
  // Fetched once more: the browser does not keep the bytes of what the page read as a stream.
  const weigh = async (name) => {
    const response = await fetch(new URL(name, server.url));
    if (!response.ok) throw new Error(`${name}: the server answered ${response.status}.`);
    const { length } = gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 });
    line(name, length);
    return length;
  };
  console.log('First load, gzipped:');
  for (const name of [...names].sort()) total += await weigh(name);
  line('total', `${total} of ${budget}`);
  const programs = [...names].filter((name) => name.endsWith('.wasm'));
  if (programs.length !== 1) throw new Error(`The page fetched ${programs.length} programs, not one.`);
  console.log('The other scenes, gzipped:');
  await weigh(programs[0].replace('.wasm', '.scenes.wasm'));
} finally {
  await browser.close();
  await server.close();
}
if (total > budget) {
  console.error(`The first load is ${total - budget} bytes over its budget of ${budget}.`);
  process.exit(1);
}

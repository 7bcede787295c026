// node tools/first_load.mjs FOLDER: what a first visit to the page fetches, gzipped. Fails above the budget.
import { gzipSync } from 'node:zlib';
import { launch } from './browser.mjs';
import { serve } from './server.mjs';

const budget = 600_000; // bytes
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
  console.log('First load, gzipped:');
  for (const name of [...names].sort()) {
    // Fetched once more: the browser does not keep the bytes of what the page read as a stream.
    const body = await (await fetch(new URL(name, server.url))).arrayBuffer();
    const size = gzipSync(Buffer.from(body), { level: 9 }).length;
    total += size;
    console.log(`  ${name.padEnd(28)} ${String(size).padStart(8)}`);
  }
  console.log(`  ${'total'.padEnd(28)} ${String(total).padStart(8)} of ${budget}`);
  const started = [...names].some((name) => name.endsWith('.wasm'));
  if (!started) throw new Error('The page fetched no .wasm: it did not start.');
} finally {
  await browser.close();
  await server.close();
}
if (total > budget) {
  console.error(`The first load is ${total - budget} bytes over its budget of ${budget}.`);
  process.exit(1);
}

// The built core for JavaScript, and the core's own unit tests, as relaxed SIMD in Chromium: in a page whose policy
// allows WebAssembly and nothing else.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { launch } from '../../tools/browser.mjs';
import { serve } from '../../tools/server.mjs';
import { cases } from '../core/cases.mjs';
import { runProgram } from './programs.mjs';

const root = new URL('../../', import.meta.url);
const server = await serve(fileURLToPath(root));
const browser = await launch();
after(async () => {
  await browser.close();
  await server.close();
});

const page = await browser.newPage();
const complaints = [];
page.on('pageerror', (error) => complaints.push(error.message));
page.on('console', (message) => {
  if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
});
await page.goto(new URL('tests/core/page.html', server.url).href);
const golden = JSON.parse(await readFile(new URL('tests/golden/attention.json', root)));
await page.evaluate(async (vectors) => {
  const [{ load }, { cases }] = await Promise.all([import('/build/core/limelight-core.js'), import('/tests/core/cases.mjs')]);
  const files = new URL('/build/core/', location);
  window.run = new Map(cases({ load, files, golden: vectors, relaxed: true }));
}, golden);

for (const [name] of cases({ golden })) {
  test(`in Chromium: ${name}`, { timeout: 120_000 }, async () => {
    const problem = await page.evaluate((which) => window.run.get(which)().then(() => '', (error) => String(error)), name);
    assert.equal(problem, '');
    assert.deepEqual(complaints.splice(0), []);
  });
}

test('the unit tests of the core pass as relaxed SIMD', { timeout: 300_000 },
  (context) => runProgram(context, page, '/build/web/tests/core_tests_relaxed.mjs'));

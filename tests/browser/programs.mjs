// Test programs that are linked for a browser, and run in a page.
import assert from 'node:assert/strict';

// Runs one in `page`; each of its test cases becomes a test inside `context`.
export async function runProgram(context, page, address) {
  const { status, output } = await page.evaluate(async (url) => {
    const { default: start } = await import(url);
    const lines = [];
    const print = (line) => lines.push(line);
    return new Promise((resolve, reject) => {
      const onExit = (code) => resolve({ status: code, output: lines.join('\n') });
      start({ arguments: ['--no-colors=true', '--reporters=junit'], print, printErr: print, onExit }).catch(reject);
    });
  }, address);
  const found = [...output.matchAll(/<testcase [^>]*?\bname="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  assert.ok(found.length > 0, output);
  for (const [, name, complaint] of found) await context.test(name, () => assert.equal(complaint ?? '', ''));
  assert.equal(status, 0, output);
}

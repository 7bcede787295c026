// node tools/tally.mjs FILE…: prints "PASSED FAILED", summed over reports of ctest (JUnit .xml) and node --test (.tap).
// A doctest program counts each of its test cases, any other test of ctest counts as one. A report without tests is a failure.
import { existsSync, readFileSync } from 'node:fs';

const number = (text, pattern) => Number(text.match(pattern)?.[1] ?? 0);

function junit(text) {
  const sum = [0, 0];
  for (const [test] of text.matchAll(/<testcase\b[\s\S]*?<\/testcase>/g)) {
    const ok = /<testcase[^>]*\bstatus="run"/.test(test);
    const cases = test.match(/\[doctest\] test cases: *\d+ *\| *(\d+) passed *\| *(\d+) failed/);
    const passed = cases ? Number(cases[1]) : Number(ok);
    const failed = cases ? Number(cases[2]) : Number(!ok);
    sum[0] += passed;
    sum[1] += !ok && failed === 0 ? 1 : failed; // a sanitizer may fail a program whose cases all passed
  }
  return sum;
}

const tap = (text) => [number(text, /^# pass (\d+)/m), number(text, /^# fail (\d+)/m) + number(text, /^# cancelled (\d+)/m)];

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [good, bad] = file.endsWith('.xml') ? junit(text) : tap(text);
  passed += good;
  failed += good + bad === 0 ? 1 : bad;
}
console.log(passed, failed);

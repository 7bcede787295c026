// node tools/figures.mjs BEFORE AFTER: what differs between two outputs of "limelight figures". A line is a view's name and
// kind=hash pairs, with tabs between them. Ends with 1 when something differs.
import { readFileSync } from 'node:fs';

// Name → { kind: hash }.
const read = (path) =>
  new Map(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t'))
      .map(([name, ...pairs]) => [name, Object.fromEntries(pairs.map((pair) => pair.split('=')))]),
  );

const [before, after] = process.argv.slice(2).map(read);
let differences = 0;
const say = (text) => {
  ++differences;
  console.log(text);
};
for (const [name, hashes] of before) {
  const now = after.get(name);
  if (!now) say(`${name}: is gone`);
  else {
    const kinds = Object.keys(hashes).filter((kind) => hashes[kind] !== now[kind]);
    if (kinds.length > 0) say(`${name}: ${kinds.join(', ')}`);
  }
}
for (const name of after.keys()) if (!before.has(name)) say(`${name}: is new`);
console.log(`${after.size} views, ${differences} ${differences === 1 ? 'differs' : 'differ'}`);
process.exitCode = differences > 0 ? 1 : 0;

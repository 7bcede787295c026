// node tools/release.mjs: makes the site in build/web ready for any static host, in build/dist. See tools/release.
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { firstLoad } from './first_load.mjs';
import { fill, hashed, readSite } from './hashed.mjs';
import { serve } from './server.mjs';

const FIRST_LOAD_LIMIT = 600_000;  // bytes, gzipped: what every host does
const WHOLE_LIMIT = 5_750_000;     // bytes, brotli: all files, of both programs, of which a browser takes one
const LEAST_SAVED = 0.03;          // share of a file that packing it has to save

function write(folder, name, bytes) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

// The folder TO, with hashed names, a page that starts, and the worker that keeps it; nothing packed yet.
// → {names: Map of name → hashed name, files: Map of hashed name → bytes, first: the hashed names of a first visit}
export async function assemble(site, to) {
  const { release, names, files } = await hashed(site);
  rmSync(to, { recursive: true, force: true });
  for (const [name, bytes] of files) if (name !== 'worker.js') write(to, name, bytes);
  const server = await serve(to);
  const first = await firstLoad(server.url).finally(server.close).then((visited) => visited.map((name) => name || 'index.html'));

  // A browser with the other program fetches that one.
  const other = new Map([...names].filter(([name]) => /^limelight.*\.wasm$/.test(name)).map(([name, to]) => [to, names.get(
    name.includes('_relaxed') ? name.replace('_relaxed', '') : name.replace('limelight', 'limelight_relaxed'))]));
  const kept = [...names].filter(([name, to]) => name !== to).map(([, to]) => to).sort();
  const forFirst = new Set(first.flatMap((name) => [name, other.get(name)]));
  const page = files.get('index.html').toString('utf8');
  files.set('worker.js', Buffer.from(fill(files.get('worker.js').toString('utf8'), 'release = null;', {
    name: release,
    page: kept.filter((name) => page.includes(name)),
    first: kept.filter((name) => forFirst.has(name)),
    later: kept.filter((name) => !forFirst.has(name)),
  })));
  write(to, 'worker.js', files.get('worker.js'));
  return { names, files, first };
}

// By gzip itself, whose -9 is one per cent smaller than node's zlib for the program.
const gzip = (bytes) => new Promise((resolve, reject) => {
  const child = execFile('gzip', ['-9n'], { encoding: 'buffer', maxBuffer: Infinity }, (error, packed) => (error ? reject(error) : resolve(packed)));
  child.stdin.end(bytes);
});

// Writes NAME.gz and NAME.br beside each file that gets smaller by it. → [{name, size, gzip, brotli}], in bytes; what is sent as
// it is has its own size there.
async function pack(files, to) {
  const packed = async (name, bytes, ending, packing) => {
    const small = await packing;
    if (small.length > bytes.length * (1 - LEAST_SAVED)) return bytes.length;
    write(to, `${name}.${ending}`, small);
    return small.length;
  };
  const params = (bytes) => ({ [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length });
  return Promise.all([...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(async ([name, bytes]) => ({
    name,
    size: bytes.length,
    gzip: await packed(name, bytes, 'gz', gzip(bytes)),
    brotli: await packed(name, bytes, 'br', promisify(brotliCompress)(bytes, { params: params(bytes) })),
  })));
}

// → {text: the table, problems: sentences on limits that are exceeded}
export function sizeTable(rows, first) {
  const line = (name, ...numbers) => `${String(name).padEnd(56)}${numbers.map((number) => String(number).padStart(10)).join('')}\n`;
  const sum = (title, some) => ({ name: title, ...Object.fromEntries(['size', 'gzip', 'brotli'].map((key) =>
    [key, some.reduce((total, row) => total + row[key], 0)])) });
  const cells = ({ name, size, gzip: zipped, brotli }) => line(name, size, zipped, brotli);
  const isFirst = (row) => first.includes(row.name);
  const firstRows = rows.filter(isFirst);
  const firstSum = sum('first load', firstRows);
  const wholeSum = sum('everything', rows);
  const problems = [];
  if (firstSum.gzip > FIRST_LOAD_LIMIT) {
    problems.push(`The first load is ${firstSum.gzip - FIRST_LOAD_LIMIT} bytes over its limit of ${FIRST_LOAD_LIMIT} (gzip).`);
  }
  if (wholeSum.brotli > WHOLE_LIMIT) {
    problems.push(`All files are ${wholeSum.brotli - WHOLE_LIMIT} bytes over their limit of ${WHOLE_LIMIT} (brotli).`);
  }
  const text = [
    line('bytes', 'file', 'gzip', 'brotli'),
    ...firstRows.map(cells),
    cells(firstSum),
    line('limit of the first load', '', FIRST_LOAD_LIMIT, ''),
    '\n',
    ...rows.filter((row) => !isFirst(row)).map(cells),
    cells(wholeSum),
    line('limit of everything', '', '', WHOLE_LIMIT),
  ].join('');
  return { text, problems };
}

async function main() {
  const [built, sources, to] = ['build/web', 'web', 'build/dist'].map((folder) => fileURLToPath(new URL(`../${folder}`, import.meta.url)));
  const { files, first } = await assemble(readSite(built, sources), to);
  const { text, problems } = sizeTable(await pack(files, to), first);
  write(to, 'sizes.txt', text);
  process.stdout.write(text);
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exitCode = problems.length ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

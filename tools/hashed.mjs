// Names with hashes: what tools/release makes of the built site, as data. Same site, same names, same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const HASH_DIGITS = 12;  // as many as web/worker.js checks

// What others link to keeps its name; the page and all else that is linked to from there is hashed.
const LINKED = /^(?:[^/]+\.html|embed\.js|worker\.js|[^/]+\.md|[^/]+\.schema\.json|examples\/.*|posters\/.*\.svg|fonts\/LICENSE)$/;
// Names that the page puts together while it runs: web/page/files.js has the table of them.
const COMPUTED = /^(?:limelight\.mjs|limelight(?:_relaxed)?(?:\.scenes)?\.wasm|fonts\/(?:first|rest)\/.*\.ttf|models\/.*)$/;

const REFERENCE = /(["'`])([\w./-]+)(?=["'`])/g;  // in a page: a file's name with nothing else around it

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

// → the names of a folder's files, with / between folders, sorted
export const filesIn = (folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).split(path.sep).join('/'))
  .sort();

// → Map of the site’s files, name → bytes: in `built`, which has other things too, those that `sources` has, and what a build makes.
// One script starts both programs, the plain and the relaxed; an error where a build has made two different ones.
export function readSite(built, sources) {
  const [script, relaxed] = ['limelight.mjs', 'limelight_relaxed.mjs'].map((name) => readFileSync(path.join(built, name), 'utf8'));
  if (relaxed.replaceAll('limelight_relaxed', 'limelight') !== script) {
    throw new Error('limelight.mjs starts both programs, but that of limelight_relaxed.wasm is another.');
  }
  const own = new Set(filesIn(sources));
  const names = filesIn(built).filter((name) => own.has(name) || LINKED.test(name) || COMPUTED.test(name));
  return new Map(names.map((name) => [name, readFileSync(path.join(built, name))]));
}

const STATE = /^(?:export )?(?:let |const \w+ = new (?:Map|Set|WeakMap)\b)/m;  // at the top of a module

// Puts a value in place of what a source has there until then.
export function fill(text, place, value) {
  if (!text.includes(place)) throw new Error(`There is no "${place}" to be filled in by the release.`);
  return text.replace(place, () => place.replace(/(?:''|\{\}|null);$/, `${JSON.stringify(value)};`));
}

// A script with the modules that it imports, or a style sheet, in one file as short as can be. What a script imports only once it is
// asked for it, and what a style sheet names, stays a file of its own.
// textOf(name) → a source; nameOf(name) → the name that a file of its own gets
async function bundled(name, textOf, nameOf) {
  const site = {
    name: 'site',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, async ({ path: wanted, importer, kind }) => {
        if (kind === 'entry-point') return { path: wanted, namespace: 'site' };
        const target = path.posix.join(path.posix.dirname(importer), wanted);
        if (kind === 'import-statement') return { path: target, namespace: 'site' };
        const relative = path.posix.relative(path.posix.dirname(name), await nameOf(target));
        return { path: relative.startsWith('.') ? relative : `./${relative}`, external: true };
      });
      onLoad({ filter: /./, namespace: 'site' }, async ({ path: source }) => ({
        contents: await textOf(source), loader: source.endsWith('.css') ? 'css' : 'js',
      }));
    },
  };
  const { outputFiles: [file] } = await build({
    entryPoints: [name], plugins: [site], bundle: true, write: false, format: 'esm', minify: true, charset: 'utf8', target: 'es2022',
    logLevel: 'silent',
  });
  return Buffer.from(file.contents);
}

// site: name → bytes. → {release: its name, names: Map of name → the name that it gets, files: Map of new name → bytes}. A file that
// nothing names is left out.
export async function hashed(site) {
  const release = sha256([...site].map(([name, bytes]) => `${sha256(bytes)} ${name}\n`).join('')).slice(0, HASH_DIGITS);
  const named = new Map();  // name → promise of the name that it gets
  const files = new Map();
  const waits = new Map();  // name → those whose hashes its own waits for
  const holders = new Map();  // module with state → the bundle that it is in

  // A module that several bundles have is there several times, and so would be what it remembers.
  const hold = (source, bundle, text) => {
    if (!STATE.test(text)) return;
    const other = holders.get(source) ?? bundle;
    if (other !== bundle) throw new Error(`${source} remembers something, and is in both ${other} and ${bundle}: each would remember its own.`);
    holders.set(source, bundle);
  };

  const wayTo = (from, to) => {
    if (from === to) return [from];
    const way = [...(waits.get(from) ?? [])].map((next) => wayTo(next, to)).find(Boolean);
    return way && [from, ...way];
  };
  const look = (name, from) => {
    if (!site.has(name)) throw new Error(`${from} names ${name}, which the site does not have.`);
  };
  const nameFor = (from) => async (target) => {
    look(target, from);
    const circle = wayTo(target, from);
    if (circle) throw new Error(`${[from, ...circle].join(' names ')}: hashes cannot go in a circle.`);
    waits.set(from, (waits.get(from) ?? new Set()).add(target));
    return nameOf(target);
  };

  async function textOf(name, from) {
    look(name, from);
    const text = site.get(name).toString('utf8');
    if (name !== 'page/files.js') return text;
    const computed = [...site.keys()].filter((other) => COMPUTED.test(other));
    const table = await Promise.all(computed.map(async (other) => [other, await nameFor(from)(other)]));
    return fill(fill(text, "release = '';", release), 'names = {};', Object.fromEntries(table));
  }

  // A page with the new names of the files that it names.
  async function renamed(name) {
    let text = site.get(name).toString('utf8');
    const folder = path.posix.dirname(name);
    for (const [, , reference] of text.matchAll(REFERENCE)) {
      const target = path.posix.join(folder, reference);
      if (!site.has(target) || target === name) continue;
      const relative = path.posix.relative(folder, await (LINKED.test(target) ? target : nameFor(name)(target)));
      text = text.replaceAll(`"${reference}"`, `"${relative}"`);
    }
    return Buffer.from(text);
  }

  async function made(name) {
    if (name.endsWith('.html')) return renamed(name);
    if (!/\.(?:m?js|css)$/.test(name) || name === 'worker.js') return site.get(name);
    return bundled(name, async (source) => {
      const text = await textOf(source, name);
      hold(source, name, text);
      return text;
    }, nameFor(name));
  }

  async function give(name) {
    const bytes = await made(name);
    const { dir, name: stem, ext } = path.posix.parse(name);
    const to = LINKED.test(name) ? name : path.posix.join(dir, `${stem}.${sha256(bytes).slice(0, HASH_DIGITS)}${ext}`);
    files.set(to, bytes);
    return to;
  }

  function nameOf(name) {
    if (!named.has(name)) named.set(name, give(name));
    return named.get(name);
  }

  for (const name of site.keys()) if (LINKED.test(name)) await nameOf(name);
  const names = new Map(await Promise.all([...named].map(async ([name, to]) => [name, await to])));
  return { release, names, files };
}

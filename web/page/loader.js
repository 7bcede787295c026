// Loads the page's parts, shows how far that is, and says in a sentence what went wrong when something did.

import { begin, refuse } from './api.js';
import { Refusal, showProblem, showStill } from './fallback.js';
import { place } from './files.js';
import { firstFonts } from './fonts.js';
import { tell } from '../embed/host.js';
import { recall } from './kept.js';
import { keepOffline } from './offline.js';
import { start } from './page.js';
import { namesAnother } from './scenes.js';
import { build, lacking } from './support.js';

// Shares of the progress line, which only ever grows. The sizes that servers announce are those of the packed files.
const progress = document.getElementById('progress');
const done = new Map();
const SHARES = { wasm: 0.66, mjs: 0.1, ttf: 0.05 };  // by the end of a name; that of all programs together
let programs = 1;
let told = 0;  // how far the page around a frame knows that it is

function advance(file, fraction) {
  const end = file.split('.').at(-1);
  done.set(file, (fraction * SHARES[end]) / (end === 'wasm' ? programs : 1));
  const share = Math.min(1, [...done.values()].reduce((sum, part) => sum + part, 0));
  progress.value = Math.max(progress.value, share);
  if (share >= told + 0.01) tell('loading', { share: (told = share) });
}

async function open(file) {
  let response;
  try {
    response = await fetch(place(file));
  } catch {
    throw new Refusal(`Limelight could not load ${file}: the network gave no answer.`);
  }
  if (!response.ok) throw new Refusal(`Limelight could not load ${file}: the server answered ${response.status}.`);
  return response;
}

async function bytes(file) {
  const response = await open(file);
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch {
    throw new Refusal(`Limelight could not load ${file}: the connection broke off.`);
  }
}

async function firstBytes(file) {
  const data = await bytes(file);
  advance(file, 1);
  return data;
}

// Compiles while it arrives.
async function program(file) {
  const response = await open(file);
  let received = 0;
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, controller) {
      received += chunk.byteLength;
      advance(file, received / (received + 200_000));
      controller.enqueue(chunk);
    },
  }));
  try {
    const compiled = await WebAssembly.compileStreaming(
      new Response(counted, { headers: { 'Content-Type': 'application/wasm' } }));
    advance(file, 1);
    return compiled;
  } catch (error) {
    throw new Refusal(`Limelight could not start ${file}: ${error.message}.`);
  }
}

async function script(file, attempt) {
  try {
    // A browser remembers that a module failed; another address makes it ask again.
    const loaded = await import(new URL(`${place(file)}${attempt ? `?again=${attempt}` : ''}`, document.baseURI));
    advance(file, 1);
    return loaded;
  } catch (error) {
    console.warn(`${file}: ${error.message}`);
    throw new Refusal(`Limelight could not load ${file}.`);
  }
}

async function load(attempt = 0) {
  const name = build();
  const loadScenes = () => program(`${name}.scenes.wasm`);
  const another = [location.hash.slice(1), recall()].some(namesAnother);
  programs = another ? 2 : 1;
  try {
    const [{ default: createLimelight }, wasm, scenes, fonts] = await Promise.all([
      script('limelight.mjs', attempt), program(`${name}.wasm`), another ? loadScenes() : null, firstFonts(firstBytes),
    ]);
    progress.value = 1;
    await start({ createLimelight, wasm, fonts, bytes, scenes, loadScenes });
    keepOffline(name);
  } catch (error) {
    giveUp(error instanceof Refusal ? error : new Refusal(`Limelight could not start: ${error.message ?? error}.`), attempt);
  }
}

function giveUp({ message, still }, attempt) {
  refuse(message);
  tell('failed', { message });
  if (still) {
    showStill(message);
    return;
  }
  showProblem(message, 'Try again', () => {
    begin();
    load(attempt + 1);
  });
}

const missing = lacking();
if (missing) giveUp(new Refusal(missing, { still: true }));
else load();

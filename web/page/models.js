// Trained weights, fetched when a scene needs them; the core is told how far that is.

import { place } from './files.js';

const PAUSE_MS = 100;  // between two words on progress

async function bytes(name, progress) {
  let response;
  try {
    response = await fetch(place(`models/${name}`));
  } catch {
    throw new Error('The network gave no answer.');
  }
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  const packed = response.headers.has('Content-Encoding');  // then its length is not that of what arrives
  const total = packed ? 0 : Number(response.headers.get('Content-Length') ?? 0);
  const chunks = [];
  let received = 0;
  let told = 0;
  try {
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      received += value.length;
      if (performance.now() - told < PAUSE_MS) continue;
      told = performance.now();
      progress(received, total);
    }
  } catch {
    throw new Error('The connection broke off.');
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

// Puts the file where the core finds it, in `resources`, and calls.
export async function fetchModel(name, resources, call) {
  try {
    resources[name] = await bytes(name, (received, total) => call('progress', `${name} ${received} ${total}`));
    call('resource', name);
  } catch (error) {
    call('refused', `${name} ${error.message}`);
  } finally {
    delete resources[name];
  }
}

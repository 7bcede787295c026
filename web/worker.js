// The service worker of a released page: after the first visit the page opens without a network, and never with files of two
// releases. The page itself comes from the release that this worker was made for; the files that it names have a hash of what
// is in them in their names, and what does not fit its name is not kept. A new release has a worker of its own, which
// fetches all of it beside the old one; the next load of the page is the new one.

// tools/release puts this in place of null: {name, page: files that index.html names, first: files of a first visit,
// later: all others}. Without a release, on a server of development, the worker of an earlier one takes itself away.
const release = null;

const HASH_DIGITS = 12;
const build = new URL(location).searchParams.get('build');  // the program that this browser runs; the other one is not kept
const home = registration.scope;
const ours = `limelight ${home} `;  // other pages of this origin have caches too
const cacheName = `${ours}${release?.name}`;

const at = (file) => new URL(file, home).href;
const forThisBrowser = (file) => !/^limelight.*\.wasm$/.test(file) || file.startsWith(`${build}.`);
const without = (url) => url.split(/[?#]/)[0];

// Unpacked, so that what was said of the packed body holds no longer.
function unpacked(body, response) {
  const headers = new Headers(response.headers);
  for (const name of ['Content-Encoding', 'Content-Length', 'Vary']) headers.delete(name);
  return new Response(body, { headers });
}

// A worker that has been replaced may still be at work; the cache that its successor has deleted does not come again.
async function write(url, response) {
  if (!await caches.has(cacheName)) return;
  const cache = await caches.open(cacheName);
  await cache.put(url, response);
}

// Puts a file into the cache of this release, unless it is something else than its name says.
async function put(file, response) {
  const bytes = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('').slice(0, HASH_DIGITS);
  if (!response.ok || !file.includes(`.${hash}.`)) throw new Error(`${file} came as something else than was released.`);
  await write(at(file), unpacked(bytes, response));
}

// From an earlier release, which may have the same file, or from the network.
async function keep(file, fromNetwork = true) {
  if (await caches.match(at(file), { cacheName })) return;
  const earlier = await caches.match(at(file));
  if (earlier) await write(at(file), earlier);
  else if (fromNetwork) await put(file, await fetch(at(file)));
}

// A server that is between two releases may still have the page of the old one.
async function keepPage() {
  const response = await fetch(home, { cache: 'no-cache' });
  const text = await response.text();
  if (!response.ok || !release.page.every((file) => text.includes(file))) {
    throw new Error('The server has the page of another release than its worker.');
  }
  await write(home, unpacked(text, response));
}

// What does not come now is fetched when it is needed, or with the next visit.
async function keepLater() {
  const fromNetwork = !navigator.connection?.saveData;
  for (const file of release.later.filter(forThisBrowser)) await keep(file, fromNetwork).catch(() => {});
}

async function install() {
  await caches.open(cacheName);
  await Promise.all([keepPage(), ...release.first.filter(forThisBrowser).map((file) => keep(file))]);
  await keepLater();
  await skipWaiting();
}

// Once a page of this release is the only one that is open, no page needs an earlier one. A later one, which is on its way or has
// taken the pages over, is let alone: hence the order of these three questions.
async function forgetEarlier() {
  const others = (await caches.keys()).filter((name) => name.startsWith(ours) && name !== cacheName);
  if (registration.installing || registration.waiting) return;
  if ((await clients.matchAll({ type: 'window' })).length !== 1) return;
  for (const name of others) await caches.delete(name);
}

async function answerPage(request) {
  return await caches.match(home, { cacheName }) ?? fetch(request);
}

// From any release: a page that was opened before this one came still asks for its own files.
async function answer(event) {
  const url = without(event.request.url);
  const kept = await caches.match(url);
  if (kept) return kept;
  const response = await fetch(event.request);
  const file = [...release.first, ...release.later].find((name) => at(name) === url);
  if (file) event.waitUntil(put(file, response.clone()).catch(() => {}));
  return response;
}

function serve() {
  addEventListener('install', (event) => event.waitUntil(install()));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('message', (event) => {
    if (event.data === release.name) event.waitUntil(keepLater().then(forgetEarlier));
  });
  addEventListener('fetch', (event) => {
    const url = without(event.request.url);
    if (event.request.method !== 'GET' || !url.startsWith(home)) return;
    if (event.request.mode !== 'navigate') event.respondWith(answer(event));
    else if (url === home || url === at('index.html')) event.respondWith(answerPage(event.request));
  });
}

async function leave() {
  for (const name of await caches.keys()) if (name.startsWith(ours)) await caches.delete(name);
  await registration.unregister();
}

if (release) {
  serve();
} else {
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(leave()));
}

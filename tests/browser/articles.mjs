// Articles of another site, with figures in them. The page is on localhost and the articles on 127.0.0.1, which is another site to
// browsers; another port of localhost would not be.
import { createServer } from 'node:http';
import { after } from 'node:test';
import { ALL, browserTest, pause, server } from './harness.mjs';

// Another site: what is between the tags of `body`, after a policy for `head` where there is one.
const article = createServer((request, response) => {
  const [, policy = '', body] = /^(<meta [^>]*>)?([^]*)$/.exec(decodeURIComponent(request.url.slice(2)));
  response.setHeader('Content-Type', 'text/html').end(`<!doctype html>
  <html lang="en"><title>An article</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${policy}
  <body style="margin: 8px">${body}</body></html>`);
});
// The site as a server gives it that sends these headers and no others.
const likeThePage = (headers) => async (request, response) => {
  const answer = await fetch(new URL(request.url, server.url));
  response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type'), ...headers });
  response.end(Buffer.from(await answer.arrayBuffer()));
};
const ANYBODY = { 'Access-Control-Allow-Origin': '*' };
export const closed = createServer(likeThePage({}));  // lets no other origin read its files
export const frameless = createServer(likeThePage({ ...ANYBODY, 'X-Frame-Options': 'SAMEORIGIN' }));
// A site that gives the element as it is, and in place of the page a figure that does what its article's `begun` says.
export const stage = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, server.url);
  if (pathname === '/late.svg') await pause(1000);
  if (pathname === '/gone/index.html') return response.writeHead(404, ANYBODY).end('There is no such file.');
  request.url = request.url.replace(/^\/gone/, '');
  if (pathname === '/index.html') return response.setHeader('Content-Type', 'text/html').end(ACTOR);
  if (pathname.endsWith('.svg')) return response.setHeader('Content-Type', 'image/svg+xml').end(/nowhere/.test(pathname) ? '' : DOT);
  likeThePage(ANYBODY)(request, response);
});
const DOT = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
// It tells its article that it is there, and then says to the element what the article tells it to; or it loads itself again.
const ACTOR = `<!doctype html><script>
  const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const say = (limelight, parts) => parent.postMessage({ limelight, v: 1, ...parts }, '*');
  addEventListener('message', ({ data }) => {
    if (data[0] === 'busy') return (state.silent = true, addEventListener('load', () => setTimeout(() => {
      state.silent = false;
      say('ready', { title: 'A figure', height: 300 });
      say('drawn');
    }, 800)));
    if (data === 'reload and be silent') location.hash = 'silent=1';
    if (/^reload/.test(data)) location.reload();
    else if (Array.isArray(data)) say(...data);
    else if (!state.silent && data.limelight !== 'still') say('done', { id: data.id, state: Object.assign(state, data.state), link: '' });
    if (Array.isArray(data) && data[0] === 'ready') say('drawn');
  });
  parent.postMessage('begun', '*');
</script><img src="late.svg">`;
const DIRECTOR = `<script>
  window.begun = () => {};
  addEventListener('message', ({ source, data }) => {
    const tell = (name = 'ready', parts = { title: 'A figure', height: 300 }) => source.postMessage([name, parts], '*');
    if (data === 'begun') begun(tell);
  });
</script>`;
await new Promise((resolve) => article.listen(0, '127.0.0.1', resolve));
for (const host of [closed, frameless, stage]) await new Promise((resolve) => host.listen(0, 'localhost', resolve));
after(() => [article, closed, frameless, stage].forEach((host) => (host.closeAllConnections(), host.close())));
export const site = (host) => `http://localhost:${host.address().port}/`;
export const at = (body) => `http://127.0.0.1:${article.address().port}/?${encodeURIComponent(body)}`;
export const scriptOf = (address) => `<script type="module" src="${address}embed.js"></script>`;
export const SCRIPT = scriptOf(server.url);
export const withFigures = (body, more = {}) => ({ url: at(body + SCRIPT), ready: false, timeout: 60_000, ...more });

// With the figures that the site above puts in place of the page; script: of the article, with `begun`.
export const staged = (script, body, more = {}) => ({
  url: at(`${DIRECTOR}<script>${script}</script>${body}${scriptOf(site(stage))}`),
  asks: [site(stage)], ready: false, timeout: 60_000, ...more,
});

// Firefox tells of each WebGL warning and of files of another origin that a sandbox keeps away.
export const inBoth = (name, options, body) => {
  for (const firefox of [false, true]) browserTest(name, { ...options, firefox }, body);
};
export const alike = (name, options, body) => {
  for (const firefox of ALL ? [false, true] : [false]) browserTest(name, { ...options, firefox }, body);
};

// → what the first figure of the article says of itself
export const figure = (page, nth = 0) => {
  const run = (f, ...args) => page.evaluate((n, source, list) => {
    const node = document.querySelectorAll('limelight-figure')[n];
    return new Function(`return (${source})`)()(node, ...list);
  }, nth, String(f), args);
  const until = (f, ...args) => page.waitForFunction((n, source, list) => {
    const node = document.querySelectorAll('limelight-figure')[n];
    return node.shadowRoot && new Function(`return (${source})`)()(node, ...list);
  }, { polling: 50, timeout: 40_000 }, nth, String(f), args);
  return {
    run,
    until,
    hasFrame: () => run((node) => node.shadowRoot.querySelector('iframe') !== null),
    live: () => until((node) => node.shadowRoot.querySelector('iframe') !== null && node.state !== null
      && !node.shadowRoot.querySelector('iframe').inert),
    words: () => run((node) => node.shadowRoot.querySelector('p').textContent),
  };
};

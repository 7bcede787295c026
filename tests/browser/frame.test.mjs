// A plain frame in an article of another site: messages, what a sandbox and a server's headers do to it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { browserTest, driver, pause, server } from './harness.mjs';
import { SCRIPT, alike, at, closed, figure, inBoth, site, withFigures } from './articles.mjs';

const source = await readFile(new URL('../../web/embed/messages.js', import.meta.url), 'utf8');
const { FROM_FRAME, TO_FRAME, check } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const FRAME = `<iframe src="${server.url}#scene=spotlight&step=7&embed=1" style="width: 700px; height: 600px"></iframe>
  <script>heard = []; addEventListener('message', ({ data }) => heard.push(data));</script>`;
const heardOf = (page, id) => page.waitForFunction((n) => heard.find((data) => data.id === n), {}, id).then((h) => h.jsonValue());

// ---- messages ----

inBoth('a frame answers what it is told, refuses the rest with a sentence, and loses nothing', {
  url: at(FRAME), ready: false,
}, async ({ page }) => {
  await page.waitForFunction(() => heard.some((data) => data.limelight === 'ready'));
  let id = 0;
  const say = async (data) => {
    id += 1;
    await page.evaluate((message) => frames[0].postMessage(message, '*'), { v: 1, id, ...data });
    return heardOf(page, id);
  };
  const start = await say({ limelight: 'get' });
  assert.equal(start.state.step, 'softmax');
  for (const [data, reason] of [
    [{ limelight: 'eval', code: 'document.title = "gone"' }, /There is no message "eval"; there are get, still/],
    [{ limelight: 'constructor' }, /no message "constructor"/],
    [{ limelight: ['set'] }, /no message "object"/],
    [{ limelight: 'get', v: 2 }, /version "2"; version 1/],
    [{ limelight: 'step' }, /step has to be the name of a step/],
    [{ limelight: 'step', step: 7.5 }, /step has to be/],
    [{ limelight: 'step', step: 99 }, /step/i],
    [{ limelight: 'step', step: 'softmux' }, /words, x, w, qkv/],
    [{ limelight: 'step', step: 'softmax.expo' }, /maximum, exp, sum, divide/],
    [{ limelight: 'step', step: 'softmax', t: 2 }, /t has to be a number from 0 to 1/],
    [{ limelight: 'set', state: ['temperature'] }, /state has to be an object/],
    [{ limelight: 'set', state: { temperature: { low: 1 } } }, /state has to be/],
    [{ limelight: 'set', state: { temperature: 2, nonsense: 1 } }, /nonsense/],
    [{ limelight: 'set', state: { text: '<img src=x onerror=alert(1)>'.repeat(99) } }, /words|characters|long/],
    [{ limelight: 'pin', cell: 'weights[99,0]' }, /weights/],
    [{ limelight: 'pin', cell: 'weights[0,1]', then: 'more' }, /no "then" in the message pin/],
  ]) {
    const answer = await say(data);
    assert.equal(answer.limelight, 'refused', JSON.stringify(data));
    assert.match(answer.message, reason);
  }
  assert.deepEqual((await say({ limelight: 'get' })).state, start.state);
  const done = await say({ limelight: 'set', state: { temperature: 2, text: '<b>bold</b> words' } });
  assert.equal(done.state.text, '<b>bold</b> words');
  assert.match((await say({ limelight: 'still' })).picture, /^<\?xml[^]*<\/svg>\s*$/);
  await page.waitForFunction(() => heard.some(({ limelight }) => limelight === 'changed'));
  const said = await page.evaluate(() => heard);
  for (const data of said) assert.equal(check(FROM_FRAME, data), '', JSON.stringify(data).slice(0, 200));
});

alike('a picture that is longer than a message may be is refused in a sentence', { url: at(FRAME), ready: false }, async ({ page }) => {
  const frame = await page.waitForFrame((candidate) => candidate.url().startsWith(server.url));
  const inner = driver(page, frame);
  await inner.ready();
  await inner.run(() => {
    const { parse } = JSON;
    JSON.parse = (text) => {
      const read = parse(text);
      return read.svg ? { ...read, svg: read.svg.padEnd(1_000_001) } : read;
    };
  });
  await page.evaluate(() => frames[0].postMessage({ limelight: 'still', v: 1, id: 1 }, '*'));
  const { limelight, message } = await heardOf(page, 1);
  assert.deepEqual([limelight, message], ['refused', 'The picture has more than the 1 million characters that a message can have.']);
});

inBoth('a frame hears nobody but the page around it, and tells nobody else what the reader does', {
  url: at(`${FRAME}<iframe srcdoc="<script>
    setInterval(() => { for (const target of [parent.frames[0]]) target.postMessage({ limelight: 'step', v: 1, step: 2 }, '*'); }, 50)</script>"></iframe>`),
  ready: false,
}, async ({ page }) => {
  const frame = await page.waitForFrame((candidate) => candidate.url().startsWith(server.url));
  const inner = driver(page, frame);
  await inner.ready();
  await pause(600);
  assert.equal((await inner.page()).step, 7);
  await inner.set({ step: 4 });
  await pause(300);
  const names = await page.evaluate(() => [...new Set(heard.map((data) => data.limelight))]);
  assert.deepEqual(names.filter((name) => !['loading', 'ready', 'drawn', 'height'].includes(name)), []);
});

alike('the element hears its own frame only', withFigures(
  `<limelight-figure scene="spotlight" start="visible"></limelight-figure>
   <iframe srcdoc="<script>setInterval(() => parent.postMessage({ limelight: 'failed', v: 1, message: 'Gone.' }, '*'), 50)</script>"></iframe>`,
), async ({ page }) => {
  const first = figure(page);
  await first.live();
  await page.evaluate(() => postMessage({ limelight: 'changed', v: 1, state: { step: '5' }, link: 'step=5' }, '*'));
  await pause(500);
  assert.equal(await first.hasFrame(), true);
  assert.equal(await first.run((node) => node.state.step), 'words');
});

// What a schema's own words mean, as far as ours uses them.
function fits(schema, value, root) {
  if (schema.$ref) return fits(schema.$ref.split('/').slice(1).reduce((node, key) => node[key], root), value, root);
  if (schema.oneOf) return schema.oneOf.filter((one) => fits(one, value, root)).length === 1;
  if ('const' in schema && schema.const !== value) return false;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const kinds = [schema.type ?? []].flat();
  if (kinds.length && !kinds.some((one) => one === kind || (one === 'integer' && Number.isInteger(value)))) return false;
  if (kind === 'string') return !(schema.maxLength < value.length) && (!schema.pattern || new RegExp(schema.pattern).test(value));
  if (kind === 'number') {
    return Number.isFinite(value) && !(value < schema.minimum) && !(value > schema.maximum) && !(value <= schema.exclusiveMinimum);
  }
  if (kind !== 'object') return true;
  return (schema.required ?? []).every((name) => Object.hasOwn(value, name))
    && Object.entries(value).every(([name, part]) => {
      const known = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties[name] : schema.additionalProperties ?? true;
      return typeof known === 'boolean' ? known : fits(known, part, root);
    });
}

browserTest('the schema and the page agree on what a message is', { ready: false, url: at('') }, async () => {
  const schema = JSON.parse(await readFile(new URL('../../web/embed-messages.schema.json', import.meta.url), 'utf8'));
  const values = ['', 'a', 'softmax.exp', 'Soft max', 'a.', '7', '7.2', '0', '7.0', 0, 1, 7, 7.5, -1, 1e9, NaN, true, null, [], {}, { a: 1 }, { a: 'b', c: true }, { a: null },
    { a: {} }];
  let good = 0;
  for (const [side, known] of [['toFrame', TO_FRAME], ['fromFrame', FROM_FRAME]]) {
    const agree = (data) => {
      const here = check(known, data) === '';
      good += here;
      assert.equal(fits(schema.$defs[side], data, schema), here, `${side}: ${JSON.stringify(data)}: ${check(known, data)}`);
    };
    for (const [name, parts] of [...Object.entries(known), ['other', {}]]) {
      for (const v of [1, 2, '1', undefined]) {
        const data = { limelight: name, ...(v !== undefined && { v }) };
        agree(data);
        agree({ ...data, more: 1 });
        // Every part in turn with every value, the others with the first that is good.
        const whole = { ...data };
        for (const [part, kind] of Object.entries(parts)) {
          whole[part] = { id: 1, text: 'a', step: 7, settings: { a: 1 }, height: 7 }[kind.replace('?', '')];
        }
        agree(whole);
        for (const part of Object.keys(parts)) {
          for (const value of values) agree({ ...whole, [part]: value });
          const { [part]: _, ...less } = whole;
          agree(less);
        }
      }
    }
  }
  assert.ok(good > 50, `${good} messages were good`);
});

// ---- sandboxes and servers ----

const noise = /CORS|Cross-Origin|blocked|Failed to load|sandbox|origin/i;

inBoth('in a sandbox, with the header, a frame works', {
  url: at(FRAME.replace('<iframe', '<iframe sandbox="allow-scripts"')), ready: false,
}, async ({ page }) => {
  await page.waitForFunction(() => heard.some((data) => data.limelight === 'ready'));
  await page.evaluate(() => frames[0].postMessage({ limelight: 'step', v: 1, id: 1, step: 5 }, '*'));
  assert.equal((await heardOf(page, 1)).state.step, 'scores');
});

inBoth('in a sandbox, without the header, a frame is a picture and a sentence, and says so', {
  url: at(FRAME.replace('<iframe', '<iframe sandbox="allow-scripts"').replace(server.url, site(closed))),
  ready: false, expected: /./,
}, async ({ page }) => {
  await page.waitForFunction(() => heard.some((data) => data.limelight === 'failed'));
  assert.match(await page.evaluate(() => heard.find((data) => data.limelight === 'failed').message), /Access-Control-Allow-Origin: \*/);
  const frame = page.frames().find((candidate) => candidate.url().startsWith(site(closed)));
  await frame.waitForSelector('.still');
  assert.match(await frame.$eval('.still', (node) => node.innerText), /Access-Control-Allow-Origin[^]*Softmax/);
  await frame.waitForFunction(() => document.querySelector('.still img').naturalWidth > 0);
});

inBoth('without a sandbox a frame needs no header', {
  url: at(FRAME.replace(server.url, site(closed))), ready: false, expected: noise,
}, async ({ page }) => {
  await page.waitForFunction(() => heard.some((data) => data.limelight === 'ready'));
});

inBoth('an article that is itself in a sandbox has figures too', {
  url: at(`<iframe sandbox="allow-scripts" style="width: 90vw; height: 90vh" srcdoc="${
    `<limelight-figure start=visible></limelight-figure>
     <script>document.querySelector('limelight-figure').addEventListener('ready', () => parent.postMessage('works', '*'))</script>${SCRIPT}`
      .replaceAll('"', '&quot;')}"></iframe><script>addEventListener('message', ({ data }) => (window.got = data));</script>`),
  ready: false,
}, async ({ page }) => {
  await page.waitForFunction(() => window.got === 'works', { timeout: 20_000 });
});

// The page as a program: it starts, its numbers are right, its scripting, its address, its rest.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ALL, assertClose, browserTest, countColours, pause, server } from './harness.mjs';

const golden = JSON.parse(readFileSync(new URL('../golden/spotlight.json', import.meta.url)));
const HASH_PAUSE_MS = 800;  // longer than the page waits before it writes its address

browserTest('the page opens without a complaint and draws a figure', {}, async ({ page, app }) => {
  const { title, steps, narration } = await app.page();
  assert.equal(await page.title(), `${title} · Limelight`);
  assert.ok(steps.length > 1);
  assert.match(narration, /\w/);
  assert.ok(await countColours(page) > 50);
});

for (const [preset, tensors] of Object.entries(golden)) {
  browserTest(`the numbers of ${preset} are those of its article`, { hash: `preset=${preset}` }, async ({ app }) => {
    let compared = 0;
    for (const [name, rows] of Object.entries(tensors)) {
      if (!Array.isArray(rows[0])) continue;
      const { shape, data } = await app.trace(name);
      assert.deepEqual(shape, [rows.length, rows[0].length], name);
      assertClose(data, rows.flat(), 1e-6, name);  // float32 keeps seven digits
      ++compared;
    }
    assert.ok(compared >= 6, `${compared} tensors`);
  });
}

browserTest('setState takes all of a change or nothing, and says why', {}, async ({ app }) => {
  const before = await app.state();
  const { fields } = await app.page();
  const number = fields.find((field) => field.kind === 'real' && field.shown);
  for (const bad of [
    { [number.name]: 1e9 }, { [number.name]: 'NaN' }, { step: 4, [number.name]: 'x' }, { step: 99 }, { colour: 'red' },
    { scene: 'nowhere' }, { preset: 'nobody' }, { text: '' }, { text: {} }, { theme: 'pink' },
  ]) {
    const sentence = await app.refused(bad);
    assert.match(sentence, /^.{15,}\.$/, JSON.stringify(bad));
    assert.deepEqual(await app.state(), before, JSON.stringify(bad));
  }
  for (const bad of [null, [], 'step=7', 7]) assert.match(await app.refused(bad), /object/);
  assert.match(await app.run(() => { try { window.limelight.trace('nonsense'); } catch (e) { return e.message; } }), /nonsense/);
  const after = await app.set({ step: 4, [number.name]: number.max });
  assert.equal(after.step, 'qkv');
  assert.equal(Number(after[number.name]), Number(number.max));
});

browserTest('what getState gives can be given back, and that changes nothing', {}, async ({ app }) => {
  const { choices } = (await app.page()).fields.find((field) => field.name === 'preset');
  for (const { value: preset } of choices) {
    await app.set({ preset, step: 7, temperature: 2 });
    const state = await app.state();
    assert.deepEqual(await app.set(state), state);
  }
  assert.equal((await app.set({ debug: true })).debug, 'on');
  assert.equal((await app.set({ debug: false })).debug, 'off');
});

browserTest('Back returns to the scene and the step that one came from, and Forward goes on', { hash: 'step=3' },
  async ({ page, app }) => {
    const [first, second] = (await app.page()).scenes.map(({ name }) => name);
    const length = await page.evaluate(() => history.length);
    await app.set({ step: 5 });
    await app.set({ scene: second });
    await app.set({ step: 2 });
    await pause(HASH_PAUSE_MS);
    assert.equal(await page.evaluate(() => history.length), length + 1);
    const at = async (scene, step) => {
      await app.until((name) => window.limelight.page().scene === name, scene);
      await pause(HASH_PAUSE_MS);
      assert.equal((await app.page()).step, step);
      assert.match(await page.evaluate(() => location.hash), new RegExp(`scene=${scene}&step=${(await app.page()).steps[step - 1].id}&preset=`));
      assert.equal(await page.evaluate(() => history.length), length + 1);
    };
    await page.goBack();
    await at(first, 5);
    await page.goForward();
    await at(second, 2);
  });

browserTest('setState takes a plain object and nothing that only looks like one', {}, async ({ app }) => {
  const sentences = await app.run(() => Promise.all([new Map([['step', 3]]), new Date(), new Set(), () => 1]
    .map((bad) => window.limelight.setState(bad).then(() => 'taken', (e) => e.message))));
  for (const sentence of sentences) assert.match(sentence, /object/);
});

// 64 words, 64 numbers each, all of them set.
const EDITS = Array.from({ length: 4096 }, (_, i) => `${Math.floor(i / 64)}.${i % 64}:0.${123456 + i}`).join(',');
async function editTooMuch(app) {
  await app.set({ text: Array.from({ length: 64 }, (_, i) => `w${i}`).join(' '), d: 64 });
  await app.set({ X: EDITS });
}

browserTest('a state that is too long for the address is said to be, and loading the page again shows it', { timeout: 60_000 },
  async ({ page, app }) => {
    await editTooMuch(app);
    assert.match((await app.page()).notice.text, /32 kB/);
    await app.set({ temperature: 3, step: 7 });
    const before = await app.state();
    await pause(HASH_PAUSE_MS);
    await page.reload();
    await app.ready();
    assert.deepEqual(await app.state(), before);
    await app.set({ X: '' });
    await pause(HASH_PAUSE_MS);
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    assert.match(await page.evaluate(() => location.hash), /temperature=3/);
  });

browserTest('where nothing can be kept, the card says so', {
  expected: /context|CONTEXT/,
  prepare: (page) => page.evaluateOnNewDocument(() => {
    Storage.prototype.setItem = () => { throw new Error('no room'); };
  }),
  timeout: 60_000,
}, async ({ page, app }) => {
  await editTooMuch(app);
  const lose = () => app.run(() => document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
  await lose();
  const card = await page.waitForSelector('.problem');
  assert.match(await card.evaluate((node) => node.innerText), /cannot be kept here/);
});

browserTest('a text of 900 kB is refused in a sentence, and the page goes on', {}, async ({ page, app }) => {
  const before = await app.state();
  const huge = () => app.run(() => window.limelight.setState({ text: 'w '.repeat(450_000) }).then(() => '', (e) => e.message));
  assert.match(await huge(), /^.{15,}\.$/);
  await page.waitForSelector('.problem');
  assert.deepEqual(await app.state(), before);
  await page.evaluate(() => { location.hash = `text=${'w+'.repeat(400_000)}`; });
  await app.until(() => window.limelight.page().notice);
  assert.deepEqual(await app.state(), before);
  await page.click('.problem button');
  await app.set({ step: 4 });
  assert.equal((await app.page()).step, 4);
});

for (const firefox of ALL ? [false, true] : [false]) {
  browserTest('half a surrogate pair becomes the sign for what is no character, and costs nothing beside it', { firefox }, async ({ app }) => {
    await app.run(() => window.limelight.setState({ text: 'lost \ud800 and \udc00 🦊' }));
    assert.equal((await app.state()).text, 'lost \ufffd and \ufffd 🦊');
    const sentence = await app.run(() => {
      try {
        return window.limelight.trace('\ud800猫猫猫');
      } catch (error) {
        return error.message;
      }
    });
    assert.match(sentence, /called "\ufffd猫猫猫"/);
  });
}

browserTest('on("change") hears every change until it is told to stop', {}, async ({ app }) => {
  await app.run(() => {
    window.heard = [];
    window.stop = window.limelight.on('change', (state) => window.heard.push(state.step));
  });
  await app.set({ step: 3 });
  assert.equal((await app.run(() => window.heard)).at(-1), 'w');
  await app.run(() => window.stop());
  await app.set({ step: 5 });
  assert.equal((await app.run(() => window.heard)).at(-1), 'w');
});

// Counts in `calls` how often the browser calls the page back, from before it loads.
const countCalls = (page) => page.evaluateOnNewDocument(() => {
  window.calls = 0;
  for (const name of ['requestAnimationFrame', 'requestIdleCallback', 'setInterval', 'setTimeout']) {
    const original = window[name];
    window[name] = (f, ...rest) => original.call(window, (...given) => {
      window.calls += 1;
      return f(...given);
    }, ...rest);
  }
});

// For two seconds nothing is drawn and nothing called. Asking the page for its frames wakes it for a moment.
async function assertRests(app) {
  const calls = () => app.run(() => window.calls);
  const frames = () => app.run(() => window.limelight.stats().frames);
  await pause(3 * HASH_PAUSE_MS);  // its last frames may come late on a busy machine
  const drawn = await frames();
  await pause(HASH_PAUSE_MS);
  const called = await calls();
  assert.ok(drawn > 0 && called > 0);
  await pause(2000);
  assert.equal(await calls(), called);
  assert.equal(await frames(), drawn);
}

for (const firefox of [false, true]) {
  browserTest('two idle seconds draw no frame and call nothing', { firefox, prepare: countCalls, hash: 'step=7' },
    ({ app }) => assertRests(app));
}

// Only Chromium's tabs are hidden by others here: on a display without a window manager, Firefox opens windows.
browserTest('training pauses when its page is hidden, and goes on from there when the reader asks for it',
  { prepare: countCalls, hash: 'scene=train&step=2' }, async ({ page, app, context }) => {
    const press = async (label) => page.mouse.click(...await app.point({ role: 'button', label }));
    const goesOn = async () => {
      const frames = await app.run(() => window.limelight.stats().frames);
      await app.until((before) => window.limelight.stats().frames > before + 5, frames);
    };
    await press(/^Train it yourself$/);
    await goesOn();
    const other = await context.newPage();
    await other.bringToFront();
    await page.waitForFunction(() => document.visibilityState === 'hidden', { polling: 50 });
    await assertRests(app);
    await page.bringToFront();
    await app.until(() => window.limelight.page().targets.some(({ label }) => label === 'Go on'));  // with its first frame
    await press(/^Go on$/);
    await goesOn();
  });

browserTest('loading the page again shows what was set before', {}, async ({ page, app }) => {
  const { fields } = await app.page();
  const number = fields.find((field) => field.kind === 'real' && field.shown);
  await app.set({ text: 'round and round & 100 % = très 🦊', step: '7.2', [number.name]: 0.5, theme: 'dark' });
  const before = await app.state();
  await pause(HASH_PAUSE_MS);
  assert.equal(new URL(page.url()).hash, `#${(await app.page()).hash}`);
  await page.reload();
  await app.ready();
  assert.deepEqual(await app.state(), before);
  assert.equal(await page.evaluate(() => history.length), 2);  // about:blank and the page: no entry for what was set
});

browserTest('following another link within the page shows that state', {}, async ({ page, app }) => {
  await page.evaluate(() => { location.hash = 'preset=day1&step=5'; });
  await app.until(() => window.limelight.getState().preset === 'day1');
  assert.equal((await app.page()).step, 5);
});

browserTest('a link that is followed is shown, though the address of what was shown before is written just then', {}, async ({ page, app }) => {
  await page.evaluate(() => {
    const before = location.hash || '#';
    location.hash = 'preset=day1&step=5';
    history.replaceState(null, '', before);  // as when what was set is kept before the page hears of the link
  });
  await app.until(() => window.limelight.getState().preset === 'day1');
  assert.equal((await app.page()).step, 5);
});

browserTest('a link of 100 kB is refused in a sentence and the example is shown', { hash: `text=${'word+'.repeat(20_000)}` },
  async ({ app }) => {
    const { notice, edited, hash } = await app.page();
    assert.match(notice.text, /32768|32,768|32 kB/);
    assert.equal(edited, false);
    assert.ok(hash.length < 100);
    assert.deepEqual((await app.trace('X')).shape, [9, 6]);  // the fox, in six features
  });

const hostile = [
  '%', '%zz', 'step', '=', '&&&&', 'step=999', 'step=-1', 'step=7.99', 'step=%00', 'scene=<script>alert(1)</script>', 'd=1e999',
  'W_q=99999999999.1:1', 'W_q=0.0:Infinity', 'W_q=1.1', 'text=%F0%28%8C%28', 'text=%00%01', '__proto__=1&constructor=2', 'v=999',
  'preset=coffee&preset=day1', 'pin=%22', 'embed=2', 'theme=%3Cb%3E',
  'text="><img src=x onerror=alert(1)>',
];
browserTest('hostile links are survived', { timeout: 120_000 }, async ({ page, app }) => {
  for (const hash of hostile.filter((_, index) => ALL || index % 4 === 0)) {
    await page.goto('about:blank');
    await page.goto(`${server.url}#${hash}`);
    await app.ready();
    const { narration, steps, step } = await app.page();
    assert.match(narration, /\w/, hash);
    assert.ok(step >= 1 && step <= steps.length, hash);
    const { data } = await app.trace('weights');
    assert.ok(data.every((weight) => weight >= 0 && weight <= 1), hash);
    await app.set({ step: 2 });
  }
});

for (const hash of [
  'step=7&pin=weights[999,999]', 'pin=nothing[0,0]', 'step=7&zoom=weights:0.0:99.99', 'step=9&guess=9', 'query=9',
]) {
  browserTest(`${hash} names what is not there: a sentence says so and the example is shown`, { hash }, async ({ page, app }) => {
    const { notice, pinned, hash: address } = await app.page();
    assert.match(notice?.text ?? '', /^.{15,}\.$/);
    assert.equal(pinned, '');
    assert.doesNotMatch(address, /zoom|guess|pin/);
    const shown = await app.state();
    await page.goto('about:blank');
    await page.goto(server.url);
    await app.ready();
    assert.deepEqual(shown, await app.state());
    for (const [name, value] of new URLSearchParams(hash)) {
      if (name !== 'step') assert.match(await app.refused({ [name]: value }), /^.{15,}\.$/, name);
    }
  });
}

const forbidden = { expected: /Content Security Policy/ };
browserTest('a script that was smuggled into the page does not run', forbidden, async ({ page }) => {
  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.smuggled = true';
    document.body.append(script);
    const image = document.createElement('div');
    image.innerHTML = '<img src="data:," onerror="window.smuggled = true">';
    document.body.append(image);
    return new Promise((resolve) => setTimeout(() => resolve(window.smuggled ?? false), 200));
  });
  assert.equal(ran, false);
});

for (const firefox of [false, true]) {
  browserTest('a figure that loses its graphics memory says so and comes back as it was', {
    firefox, hash: 'step=5&preset=day1', expected: /WebGL context was lost/,
  }, async ({ page, app }) => {
    await app.set({ temperature: 2 });
    await app.run(() => { document.getElementById('canvas').dataset.old = ''; });
    const before = await app.state();
    await app.run(() => {
      const extension = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
      extension.loseContext();
      setTimeout(() => extension.restoreContext(), 500);
    });
    await page.waitForSelector('.problem');
    await page.waitForSelector('#canvas:not([data-old])');
    await app.ready();
    assert.deepEqual(await app.state(), before);
    assert.equal(await page.$('.problem'), null);
    assert.ok(await countColours(page) > 50);
  });
}

// ---- what the page says of itself ----

browserTest('what is asked about the page is of the state as it is, also before that is drawn', { hash: 'step=3' }, async ({ app }) => {
  const [step, matrices] = await app.run(() => {
    window.limelight.setState({ step: 5 });  // nothing is awaited: no frame comes between
    const { step: now, tables } = window.limelight.page();
    return [now, tables.map(({ name }) => name)];
  });
  await app.settled();
  const page = await app.page();
  assert.equal(step, 5);
  assert.deepEqual(matrices, page.tables.map(({ name }) => name));
});

browserTest('a description that comes between two frames is of one state', {
  hash: 'step=3', media: { 'prefers-reduced-motion': 'reduce' },  // one step does not fade into the other
}, async ({ app }) => {
  // The first change is drawn, which puts off its description until after the frame; the second one comes before that.
  const mixed = await app.run(async () => {
    const { parse } = JSON;
    const seen = [];
    JSON.parse = (text) => {
      const read = parse(text);
      if (read.targets) seen.push([read.scene, read.step, read.targets.map(({ id }) => id)]);
      return read;
    };
    const frame = () => new Promise(requestAnimationFrame);
    for (let n = 0; n < 12; n += 1) {
      await window.limelight.setState({ step: 3 });
      await frame();
      await frame();
      window.limelight.setState({ step: 5 });
      await frame();
    }
    JSON.parse = parse;
    // What only one of the two steps shows.
    return seen.filter(([, step, ids]) => (step === 5 ? !ids.includes('scores') : step === 3 && !ids.includes('W_q')));
  });
  assert.deepEqual(mixed, []);
});

// The scenes after the first are a module of their own, which comes when one of them is asked for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browserTest } from './harness.mjs';

const MODULE = /\.scenes\.wasm$/;

// → the paths that a page asks for, and whether the other scenes are kept from it
function watch() {
  const watched = { asked: [], broken: false };
  watched.prepare = async (page) => {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      watched.asked.push(pathname);
      if (watched.broken && MODULE.test(pathname)) request.respond({ status: 404, body: '' });
      else request.continue();
    });
  };
  watched.times = () => watched.asked.filter((path) => MODULE.test(path)).length;
  return watched;
}

const scenesOf = async (app) => (await app.page()).scenes.map(({ name }) => name);

// Not those that tools/test has found unchanged since everything passed.
const unchanged = (process.env.LIMELIGHT_UNCHANGED ?? '').split(' ');

const every = watch();
const whole = { prepare: every.prepare, media: { 'prefers-reduced-motion': 'reduce' }, timeout: 120_000 };
browserTest('every scene opens, with one request for all but the first', whole, async ({ app }) => {
  assert.equal(every.times(), 0);
  for (const scene of (await scenesOf(app)).reverse().filter((name) => !unchanged.includes(name))) {
    assert.equal((await app.set({ scene })).scene, scene);
    const { steps } = await app.page();
    for (const { id } of steps) {
      await app.set({ step: id });
      assert.match((await app.page()).narration, /\w{3}/);
    }
  }
  assert.equal(every.times(), 1);
});

// Data that Spotlight needs and the other scenes brought would be missing before.
browserTest('Spotlight says the same before and after the other scenes have come', { media: whole.media, timeout: 120_000 }, async ({ app }) => {
  const spotlight = async () => {
    const said = [];
    for (const { id } of (await app.page()).steps) {
      await app.set({ scene: 'spotlight', step: id });
      const { canUndo, canRedo, revision, targets, ...page } = await app.page();  // what tells of a visit to another scene
      said.push({ ...page, labels: targets.map(({ label }) => label).filter((label) => !/^(?:Undo|Redo)/.test(label)) });
    }
    return said;
  };
  const alone = await spotlight();
  await app.set({ scene: 'scale' });
  await app.set({ scene: 'spotlight' });
  assert.deepEqual(await spotlight(), alone);
});

for (const press of ['click', 'pressMirror']) {
  const watched = watch();
  browserTest(`a scene that is chosen by ${press === 'click' ? 'the mouse' : 'keyboard in the text view'} comes by itself`,
    { prepare: watched.prepare }, async ({ app }) => {
      const { scenes, targets } = await app.page();
      const wanted = scenes[1];
      if (press === 'click') await app.click(`shell.scene.${wanted.name}`);
      else await app.pressMirror('button', wanted.title);
      await app.until((name) => window.limelight.page().scene === name, wanted.name);
      assert.ok(targets.length > 0);
      assert.equal(watched.times(), 1);
    });
}

const linked = watch();
browserTest('a link to another scene shows it from the first frame', { hash: 'scene=layer&step=3', prepare: linked.prepare },
  async ({ app }) => {
    assert.equal(linked.times(), 1);
    const { scene, step } = await app.state();
    assert.deepEqual([scene, step], ['layer', 'keys']);
    assert.equal((await app.page()).notice, null);
  });

const failing = watch();
failing.broken = true;
browserTest('when the other scenes do not come, a sentence says so, the figure stays, and one can ask again',
  { prepare: failing.prepare, expected: /404|Failed to load/ }, async ({ app }) => {
    const before = await app.state();
    const [, second] = await scenesOf(app);
    assert.match(await app.refused({ scene: second }), /could not load .*the server answered 404.*try again/);
    assert.match((await app.page()).notice.text, /could not load/);
    assert.deepEqual(await app.state(), before);
    failing.broken = false;
    assert.equal((await app.set({ scene: second })).scene, second);
  });

browserTest('the other scenes of another program are told apart, and the figure stays', {
  prepare: async (page) => {
    const other = readFileSync(new URL('../../build/web/limelight.scenes.wasm', import.meta.url));
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (MODULE.test(request.url())) request.respond({ status: 200, contentType: 'application/wasm', body: other });
      else request.continue();
    });
  },
}, async ({ app }) => {
  const [, second] = await scenesOf(app);
  assert.match(await app.refused({ scene: second }), /^Limelight was renewed .* Load the page again[^.]*\.$/);
  assert.equal((await app.set({ step: 4 })).step, 'qkv');
});

browserTest('changes by a script that come while a scene is on its way are its', {}, async ({ app }) => {
  const [, second] = await scenesOf(app);
  const states = await app.run((scene) => Promise.all([
    window.limelight.setState({ scene }), window.limelight.setState({ step: 2 })]), second);
  assert.deepEqual(states.map(({ scene, step }) => [scene, step]), [[second, 'arrows'], [second, 'scores']]);
});

browserTest('what the other scene refuses is a script’s error, and the first stays', {}, async ({ app }) => {
  assert.match(await app.refused({ scene: 'scale', d: -4 }), /-4.*4096/);
  assert.equal((await app.state()).scene, 'spotlight');
});

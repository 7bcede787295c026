// What a reader does with mouse, keyboard and the text view.
import assert from 'node:assert/strict';
import { WIDE, browserTest, pause } from './harness.mjs';

const SENTENCE = '#inputs [data-kind="text"]';

// ---- the mouse ----

browserTest('the timeline goes to the step that is clicked, Next to the one after it', { hash: 'step=2' }, async ({ app }) => {
  const { steps } = await app.page();
  await app.click({ role: 'button', label: new RegExp(`^Step 5: ${steps[4].name}`) });
  assert.equal((await app.page()).step, 5);
  await app.pressMirror('button', 'Next');
  assert.equal((await app.page()).step, 6);
});

browserTest('a cell takes one number, not a link’s list of cells', { hash: 'step=2' }, async ({ page, app }) => {
  const before = await app.trace('X');
  await page.mouse.click(...await app.point('X[1,2]'), { count: 2 });
  await page.waitForSelector('#inputs [data-kind="cell"]');
  await page.keyboard.type('0.5,0.0:9');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#inputs [data-kind="cell"][aria-invalid]');
  assert.deepEqual(await app.trace('X'), before);
});

browserTest('clicking a weight pins it and shows where it comes from', { hash: 'step=7' }, async ({ app }) => {
  await app.click('weights[0,2]');
  const { inspection } = await app.page();
  assert.match(inspection.title, /she.*coffee/);
  assert.ok(inspection.lines.length > 0);
  assert.match(JSON.stringify(inspection.lines), /0\.364/);
  assert.equal((await app.page()).pinned, 'weights[0,2]');
});

browserTest('dragging a slider changes its number and undo brings it back in one step', { hash: 'step=9' }, async ({ page, app }) => {
  const { fields } = await app.page();
  const { label, name, value } = fields.find((field) => field.kind === 'real' && field.shown && field.place === 'panel');
  const wanted = { role: 'slider', label: new RegExp(label, 'i') };
  await page.mouse.move(...await app.point(wanted, 0.2));
  await page.mouse.down();
  await page.mouse.move(...await app.point(wanted, 0.5), { steps: 5 });
  await page.mouse.move(...await app.point(wanted, 0.8), { steps: 5 });
  await page.mouse.up();
  await app.settled();
  assert.ok(Number((await app.state())[name]) > Number(value));
  await app.pressMirror('button', 'Undo');
  assert.equal((await app.state())[name], value);
});

browserTest('a drag ends with its button, also when nobody told', { hash: 'step=3' }, async ({ page, app }) => {
  const [x, y] = await app.point('W_q[0,1]');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 15, { steps: 3 });
  await app.settled();
  const dragged = await app.trace('W_q');
  const moves = () => app.run((left, top) => {
    for (let i = 0; i < 5; ++i) {
      document.getElementById('canvas').dispatchEvent(
        new MouseEvent('mousemove', { clientX: left, clientY: top - 10 * i, buttons: 0, bubbles: true }));
    }
  }, x, y - 30);
  await moves();
  await app.settled();
  assert.deepEqual(await app.trace('W_q'), dragged);
  await page.mouse.up();
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 45, { steps: 3 });
  await page.mouse.up();
  await app.settled();
  assert.notDeepEqual(await app.trace('W_q'), dragged);  // the next press is heard
});

browserTest('dragging a cell changes it, and one undo takes that back', { hash: 'step=3' }, async ({ page, app }) => {
  const before = await app.trace('W_q');
  const [x, y] = await app.point('W_q[0,1]');
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y - 30, { steps: 5 });
  await page.mouse.move(x, y - 60, { steps: 5 });
  await page.mouse.up();
  await app.settled();
  const after = await app.trace('W_q');
  assert.ok(after.data[1] > before.data[1]);
  assert.deepEqual(after.data.toSpliced(1, 1), before.data.toSpliced(1, 1));
  await app.pressMirror('button', 'Undo');
  assert.deepEqual(await app.trace('W_q'), before);
});

const WORDS = Array.from({ length: 64 }, (_, i) => `word${i}`).join('+');

browserTest('the wheel zooms into a heatmap of 64 words, and so do its buttons', { hash: `text=${WORDS}&step=7` },
  async ({ page, app }) => {
    const zoom = async () => new URLSearchParams((await app.page()).hash).get('zoom');
    assert.equal(await zoom(), null);
    await page.focus('#canvas');
    await page.mouse.move(...await app.point('weights[30,30]'));
    await page.mouse.wheel({ deltaY: -100 });
    await app.until(() => /zoom=weights/.test(decodeURIComponent(window.limelight.page().hash)));
    const turned = await zoom();
    await app.click('shell.zoom.in.weights');
    assert.notEqual(await zoom(), turned);
    for (let i = 0; i < 10 && await zoom(); ++i) await app.click('shell.zoom.out.weights');
    assert.equal(await zoom(), null);
  });

browserTest('other random matrices are drawn to the end and tell how much is chance',
  { hash: 'preset=own&matrices=random&step=7' }, async ({ app }) => {
    await app.click('shell.job');
    await app.until(() => !window.limelight.page().targets.some(({ id }) => id === 'shell.job'));
    await app.click('weights[0,1]');
    assert.match((await app.page()).inspection.note, /200 random draws/);
  });

browserTest('a model is trained in the page, its loss falls, and a pause keeps it',
  { hash: 'scene=train&hidden=32&step=2', timeout: 120_000 }, async ({ page, app }) => {  // training is slow beside other tests
    const press = async () => page.mouse.click(...await app.point('press.do.job'));  // it does not settle while it trains
    await press();
    await app.until(() => window.limelight.trace('run').data[0] >= 100);
    await press();
    await app.settled();
    const { data: [batches, , loss, first] } = await app.trace('run');
    assert.ok(batches >= 100 && batches < 1000, `${batches} batches`);
    assert.ok(loss < 0.95 * first, `${loss} is not below ${first}`);
    await app.settled();
    assert.equal((await app.trace('run')).data[0], batches);
  });

for (const viewport of [WIDE, { width: 390, height: 844 }]) {
  browserTest(`pointing at everything around the figure is harmless, ${viewport.width}×${viewport.height}`, { viewport },
    async ({ page, app }) => {
      const before = await app.state();
      const shell = (await app.page()).targets.filter(({ id }) => id.startsWith('shell.'));
      assert.ok(shell.length > 5);
      for (const { x, y, w, h } of shell) {
        await page.mouse.move(x + w / 2, y + h / 2);
        await app.settled();
      }
      assert.deepEqual(await app.state(), before);
    });
}

browserTest('pointing at a number sends the page no tables', {
  hash: `text=${WORDS}&step=7&d=64`,
  prepare: (page) => page.evaluateOnNewDocument(() => {
    const parse = JSON.parse;
    JSON.parse = (text, ...rest) => {
      const value = parse(text, ...rest);
      if (value?.targets) window.descriptions = [...(window.descriptions ?? []), text];
      return value;
    };
  }),
}, async ({ page, app }) => {
  const cells = [await app.point('weights[3,3]'), await app.point('weights[40,20]')];
  await app.settled();
  await app.run(() => { window.descriptions = []; });
  for (const cell of cells) {
    await page.mouse.move(...cell);
    await pause(300);
  }
  const sent = await app.run(() => window.descriptions);
  assert.ok(sent.length > 0);
  assert.equal(sent.filter((text) => text.includes('"tables"')).length, 0);
  assert.equal(await page.$eval('#mirror .numbers', (section) => section.hidden), false);
  await app.set({ temperature: 2 });
  assert.ok((await app.run(() => window.descriptions)).some((text) => text.includes('"tables"')));
});

// ---- links ----

const clipboard = (writes) => ({
  prepare: (page) => page.evaluateOnNewDocument((allowed) => {
    navigator.clipboard.writeText = async (text) => {
      if (!allowed) throw new Error('refused');
      window.copied = text;
    };
  }, writes),
});

browserTest('Share puts the link on the clipboard and says so', { ...clipboard(true), hash: 'step=5' }, async ({ app }) => {
  await app.click('shell.share');
  await app.until(() => window.limelight.page().notice?.text === 'Link copied.');
  assert.equal(new URL(await app.run(() => window.copied)).hash, `#${(await app.page()).hash}`);
});

browserTest('where the clipboard is refused the link is shown', { ...clipboard(false), hash: 'step=5' }, async ({ page, app }) => {
  await app.click('shell.share');
  await page.waitForSelector('.problem input');
  assert.equal(new URL(await page.$eval('.problem input', (input) => input.value)).hash, `#${(await app.page()).hash}`);
  assert.deepEqual(await page.$$eval('.problem button', (buttons) => buttons.map((button) => button.textContent)), ['Close']);
  await page.click('.problem button');
  assert.equal(await page.$('.problem'), null);
});

// ---- the keyboard ----

browserTest('the sentence’s focus ring lies on its pill', {}, async ({ page, app }) => {
  const ring = '#inputs .ring';
  assert.equal(await page.$eval(ring, (node) => getComputedStyle(node).display), 'none');
  await page.focus(SENTENCE);
  const { pill } = (await app.page()).inputs.find(({ kind }) => kind === 'text');
  const { x, y, width, height } = await page.$eval(ring, (node) => node.getBoundingClientRect().toJSON());
  assert.deepEqual([x, y, width, height].map(Math.round), [pill.x, pill.y, pill.w, pill.h].map(Math.round));
});

browserTest('the ring around the figure is for who came by Tab, not for a click and a key', { hash: 'step=3' },
  async ({ page, app }) => {
    const ring = () => page.$eval('#canvas', (canvas) => getComputedStyle(canvas).outlineStyle !== 'none');
    await page.mouse.click(...await app.point('W_q[0,1]'));
    await app.press('Escape', 'ArrowRight');
    assert.equal(await ring(), false);
    await app.press('Tab');
    await page.keyboard.down('Shift');
    await app.press('Tab');
    await page.keyboard.up('Shift');
    assert.equal(await ring(), true);
  });

browserTest('buttons of the text view that can do nothing are passed over by Tab', {}, async ({ page, app }) => {
  await (await app.mirror('button', 'Next')).focus();
  const passed = [];
  for (let i = 0; i < 8; ++i) {
    await page.keyboard.press('Tab');
    passed.push(await page.evaluate(() => document.activeElement.textContent));
  }
  assert.ok(passed.includes('Copy a link'), passed.join(', '));
  assert.equal(passed.includes('Undo'), false);
});

browserTest('Tab reaches the figure, its keys work there, and Tab and Escape leave it', { hash: 'step=3' },
  async ({ page, app }) => {
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.localName);
    await app.press('Tab');
    assert.equal(await focused(), 'text-view');
    await app.press('Tab');
    assert.equal(await focused(), 'canvas');
    await app.press('ArrowRight');
    assert.equal((await app.page()).step, 4);
    await app.press(' ');
    assert.equal((await app.page()).playing, true);
    await app.run(() => window.limelight.page().playing && document.getElementById('canvas').focus());
    await page.keyboard.press(' ');
    await app.until(() => !window.limelight.page().playing);
    await app.press('Tab');
    assert.notEqual(await focused(), 'canvas');
    await page.focus('#canvas');
    await app.press('Escape');
    assert.equal(await focused(), 'body');
  });

browserTest('Escape unpins first and leaves the figure only then', { hash: 'step=7&pin=weights[0,2]' }, async ({ page, app }) => {
  await page.focus('#canvas');
  await app.press('Escape');
  assert.equal((await app.page()).pinned, '');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'canvas');
  await app.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.localName), 'body');
});

// ---- the text view ----

browserTest('the text view shows when it is opened or has focus, and not otherwise', {}, async ({ page, app }) => {
  const seen = () => page.$eval('#mirror', (sheet) => getComputedStyle(sheet).opacity === '1');
  assert.equal(await seen(), false);
  await app.press('Tab', 'Enter');
  assert.equal(await seen(), true);
  await app.press('Escape');
  assert.equal(await seen(), false);
  await (await app.mirror('button', 'Next')).focus();
  assert.equal(await seen(), true);
});

browserTest('steps are taken in the text view with arrow keys and Space, and focus stays', { hash: 'step=4' },
  async ({ page, app }) => {
    const { steps } = await app.page();
    await page.focus('#mirror [aria-current="step"]');
    await app.press('ArrowRight', ' ');
    assert.equal((await app.page()).step, 5);
    await app.until(() => document.activeElement.getAttribute('aria-current') === 'step');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), steps[4].name);
    assert.equal(await page.$$eval('#mirror .steps .numbered [tabindex="0"]', (stops) => stops.length), 1);
  });

browserTest('undo, redo and reset are buttons of the text view', {}, async ({ app }) => {
  const before = await app.state();
  const { fields } = await app.page();
  const { name, max } = fields.find((field) => field.kind === 'real' && field.shown);
  await app.set({ [name]: max });
  const after = await app.state();
  assert.notDeepEqual(after, before);
  await app.pressMirror('button', 'Undo');
  assert.deepEqual(await app.state(), before);
  await app.pressMirror('button', 'Redo');
  assert.deepEqual(await app.state(), after);
  await app.pressMirror('button', 'Reset to the example');
  assert.equal((await app.state())[name], before[name]);
  assert.equal((await app.page()).edited, false);
});

browserTest('every setting that has an effect has a labelled control', {}, async ({ page, app }) => {
  const { fields } = await app.page();
  for (const field of fields.filter(({ shown, kind }) => shown && kind !== 'cells')) {
    const name = field.unit ? `${field.label} (${field.unit})` : field.label;
    const role = { integer: 'textbox', real: 'textbox', text: 'textbox', toggle: 'checkbox' }[field.kind]
      ?? (field.choices.length > 5 ? 'combobox' : 'group');
    await page.waitForSelector(`#mirror ::-p-aria([role="${role}"][name="${name}"])`, { timeout: 2000 })
      .catch(() => assert.fail(`no ${role} called "${name}"`));
  }
});

browserTest('a number is set in the text view with its slider’s arrow keys', {}, async ({ page, app }) => {
  const { fields } = await app.page();
  const { name, value } = fields.find((field) => field.kind === 'real' && field.shown);
  await page.focus(`#mirror .field:has(#field-${name}) [type="range"]`);
  await app.press('ArrowRight', 'ArrowRight');
  assert.ok(Number((await app.state())[name]) > Number(value));
});

browserTest('a table is walked with arrow keys, Space explains a number, Enter changes it', { hash: 'step=3' },
  async ({ page, app }) => {
    const before = (await app.trace('W_q')).data;
    const table = await app.mirror('grid', 'W_q 4×4');
    await table.$eval('[tabindex="0"]', (cell) => cell.focus());
    await app.press('ArrowRight', 'ArrowDown', ' ');
    assert.equal((await app.page()).pinned, 'W_q[1,1]');
    await page.keyboard.press('Enter');
    await page.keyboard.type('0.25');
    await app.press('Enter');
    assert.equal((await app.trace('W_q')).data[before.length / 4 + 1], 0.25);
    assert.equal(await page.evaluate(() => document.activeElement.localName), 'td');
    await app.until(() => document.activeElement.textContent === '0.25');
  });

browserTest('tables say what their rows and columns are', { hash: 'step=7' }, async ({ app }) => {
  const table = await app.mirror('grid', 'weights 3×3');
  const text = await table.evaluate((node) => [...node.querySelectorAll('th')].map((th) => `${th.scope} ${th.textContent}`));
  assert.deepEqual(text, ['col she', 'col likes', 'col coffee', 'row she', 'row likes', 'row coffee']);
});

browserTest('the tables are those of the step and its part, also after a motion', { hash: 'step=3' }, async ({ page, app }) => {
  for (const step of ['7.1', '7.3', '4', '9']) {
    await app.set({ step });
    const { tables } = await app.page();
    await app.until((count) => document.querySelectorAll('#mirror .numbers caption').length === count, tables.length);
    assert.deepEqual(await page.$$eval('#mirror .numbers caption', (all) => all.map((node) => node.textContent)),
      tables.map(({ title }) => title));
  }
});

browserTest('the narration is announced and the question can be answered', { hash: 'preset=coffee' }, async ({ page, app }) => {
  const { steps } = await app.page();
  await app.set({ step: steps.length });
  const { narration, quiz } = await app.page();
  await app.until((text) => document.querySelector('[aria-live="polite"]').textContent === text, narration);
  assert.equal(quiz.guess, -1);
  await app.pressMirror('button', quiz.options[0]);
  assert.equal((await app.page()).quiz.guess, 0);
  assert.equal((await app.state()).temperature, '0.5');  // what was asked about is shown
  await page.waitForSelector(`#mirror .quiz [aria-pressed="true"]`);
});

browserTest('what only a press in the figure sets has a button in the text view, which takes it back, too', { hash: 'scene=heads&step=mask&mask=none' }, async ({ app }) => {
  const action = async () => (await app.page()).actions.find(({ id }) => id === 'M[0,1]');
  const { label, value } = await action();
  assert.match(label, / sees .*: hide it$/);
  await app.pressMirror('button', label);
  assert.equal((await app.state()).M, value);
  await app.pressMirror('button', (await action()).label);
  assert.notEqual((await app.state()).M, value);
  assert.equal((await action()).label, label);
});

browserTest('a refusal is an alert in the text view', {}, async ({ page, app }) => {
  const sentence = await app.refused({ step: 99 });
  await app.until((text) => document.querySelector('#mirror [role="alert"]').textContent === text, sentence);
});

// By keyboard alone: wherever Tab stops, one can see that it did.
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { ALL, SCENES, browserTest, pause } from './harness.mjs';

const MOST_STOPS = 250;

// What has the focus, where it is in the window, and how it shows that.
const readFocus = () => {
  const node = document.activeElement;
  if (node === document.body) return { name: 'body', shown: true, marked: true };
  const { x, y, width, height } = node.getBoundingClientRect();
  const at = [Math.max(0, x) + Math.min(width, 24) / 2, y + height / 2];
  const top = document.elementFromPoint(...at);
  const inside = at[0] < innerWidth && at[1] > 0 && at[1] < innerHeight;
  const same = top && (node === top || node.contains(top) || top.closest('label')?.contains(node) || node.closest('label')?.contains(top));
  const hasRing = (other) => {
    if (!other) return false;
    const { outlineStyle, outlineWidth, display } = getComputedStyle(other);
    return display !== 'none' && ((outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || other.matches('.ring'));
  };
  return {
    name: `${node.localName}#${node.id} “${(node.getAttribute('aria-label') ?? node.textContent).slice(0, 40)}”`,
    shown: width > 0 && height > 0 && inside && Boolean(same),
    under: `${Math.round(x)},${Math.round(y)} ${Math.round(width)}×${Math.round(height)}: ` + (top && `${top.localName}.${top.className}`),
    // A radio button's ring is on its words, a text's over the figure on what the canvas draws.
    marked: [node, node.nextElementSibling, node.parentElement.querySelector('.ring')].some(hasRing),
  };
};

function keyboard(page, app) {
  const check = async () => {
    let stop = await app.run(readFocus);
    for (let tries = 0; tries < 10 && !(stop.shown && stop.marked); ++tries) {  // the browser scrolls in its own time
      await pause(50);
      stop = await app.run(readFocus);
    }
    assert.ok(stop.shown, `${stop.name} has the focus and is not seen; ${stop.under} is there`);
    assert.ok(stop.marked, `${stop.name} has the focus and does not show it`);
  };
  return {
    check,
    // Presses Tab until what the selector names has the focus, backwards where it stands before.
    async tabTo(selector) {
      for (let stops = 0; stops < MOST_STOPS; ++stops) {
        const way = await app.run((wanted) => {
          const target = document.querySelector(wanted);
          const now = document.activeElement;
          if (!target) return 'nowhere';
          if (now === target) return 'there';
          return now.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? 'back' : 'on';
        }, selector);
        if (way === 'there') return;
        assert.notEqual(way, 'nowhere', `there is no ${selector}`);
        if (way === 'back') await page.keyboard.down('Shift');
        await page.keyboard.press('Tab');
        if (way === 'back') await page.keyboard.up('Shift');
        await check();
      }
      assert.fail(`Tab does not come to ${selector}`);
    },
  };
}

// Through every stop of the open text view, from its first to its last: what is there to be used is come to.
async function walkThrough(page, app, keys) {
  await app.run(() => {
    const sheet = document.querySelector('#mirror');
    sheet.querySelectorAll('.visited').forEach((node) => node.classList.remove('visited'));
    sheet.focus();
  });
  // Visits what has the focus. → what can have it and was not visited yet
  const visit = () => app.run(() => {
    document.activeElement.classList.add('visited');
    return [...document.querySelectorAll('#mirror :is(button, input, select, summary, a, td)')]
      .filter((node) => node.tabIndex >= 0 && node.getClientRects().length > 0 && !node.matches('.visited')
        && !document.querySelector(`#mirror .visited[name="${node.name || '-'}"]`))  // of a row of choices one is the stop
      .map((node) => `${node.localName} “${(node.getAttribute('aria-label') ?? node.textContent).slice(0, 40)}”`);
  });
  let left = ['all'];
  for (let stops = 0; left.length > 0; ++stops) {
    assert.ok(stops < MOST_STOPS, `Tab does not come to ${left.join(', ')}`);
    await page.keyboard.press('Tab');
    await keys.check();
    left = await visit();
  }
}

// What a key does to the kinds of controls that the settings have: [kind, selector, keys].
const CONTROLS = [
  ['slider', 'input[type=range]', ['ArrowRight', 'ArrowLeft']],
  ['row of choices', 'input[type=radio]:checked', ['ArrowDown']],
  ['list', 'select', ['ArrowDown', 'ArrowUp']],
  ['box', 'input[type=checkbox]', [' ']],
];

const CHANGES = '#mirror .actions button';  // the first is Undo

// What Undo brings back: the state, but not what is looked at of it.
const stateOf = async (app) => ({ ...await app.state(), step: '', pin: '', zoom: '' });

// The first control of each kind that is here and was not tried yet takes a key, and Undo takes that back.
async function tryControls(page, app, keys, tried) {
  for (const [kind, selector, presses] of CONTROLS) {
    const control = `#mirror .settings ${selector}`;
    if (tried.has(kind) || !(await app.run((wanted) => document.querySelector(wanted) !== null, control))) continue;
    tried.add(kind);
    await keys.tabTo(control);
    const before = await stateOf(app);
    // A slider at its end goes back; trained weights have to come first.
    let changed = false;
    for (const key of presses) {
      await app.press(key);
      for (let tries = key === presses.at(-1) ? 100 : 5; tries > 0 && !changed; --tries) {
        changed = !isDeepStrictEqual(await stateOf(app), before);
        if (!changed) await pause(100);
      }
      if (changed) break;
    }
    assert.ok(changed, `a ${kind} takes no key`);
    await keys.check();
    await keys.tabTo(CHANGES);
    await app.press('Enter');
    assert.deepEqual(await stateOf(app), before, `Undo of a ${kind}`);
  }
}

// A number is explained, and one that may be changed is changed and taken back.
async function tryTables(page, app, keys, tried) {
  const stop = (selector) => `#mirror .table ${selector} td[tabindex="0"]`;
  const has = (selector) => app.run((wanted) => document.querySelector(wanted) !== null, selector);
  if (!tried.has('explained') && (await has(stop('table')))) {
    tried.add('explained');
    await keys.tabTo(stop('table'));
    await app.press('ArrowDown', 'ArrowRight', ' ');
    const at = await app.run(() => {
      const { dataset: { row, column } } = document.activeElement;
      return `${document.activeElement.closest('table').dataset.tensor}[${row},${column}]`;
    });
    assert.equal((await app.page()).pinned, at);
    await keys.check();
  }
  const editable = 'table:not([aria-readonly])';
  if (!tried.has('changed') && (await has(stop(editable)))) {
    tried.add('changed');
    await keys.tabTo(stop(editable));
    const before = await stateOf(app);
    await app.press('Enter');
    await keys.check();
    await page.keyboard.type('0.25');
    await app.press('Enter');
    assert.notDeepEqual(await stateOf(app), before, 'a number that is typed changes its matrix');
    await keys.tabTo(CHANGES);
    await app.press('Enter');
    assert.deepEqual(await stateOf(app), before);
  }
}

const NEXT = '#mirror .steps button.primary';

async function walkScene({ page, app }, scene) {
  const keys = keyboard(page, app);
  await keys.tabTo('#text-view');
  await app.press('Enter');
  const tried = new Set();
  for (let place = 0; ; ++place) {
    assert.ok(place < 30, 'the steps do not end');
    if (place === 0 || (await app.page()).step === 3) await walkThrough(page, app, keys);
    await tryControls(page, app, keys, tried);
    await tryTables(page, app, keys, tried);
    const { step, part, steps } = await app.page();
    if (step === steps.length && part === steps[step - 1].parts.length) break;
    await keys.tabTo(NEXT);
    await app.press('Enter');
    const now = await app.page();
    assert.ok(now.step === step + 1 || (now.step === step && now.part === part + 1), `from step ${step}.${part} to ${now.step}.${now.part}`);
  }
  assert.ok(tried.has('explained'), 'no number of any step can be asked about');  // by Space in a table
  // On to another scene, and back to the figure.
  await keys.tabTo('#mirror .scenes button[tabindex="0"]');
  const wanted = await app.run(() => document.activeElement.textContent);
  assert.equal(wanted, (await app.page()).title);
  await app.press(scene === 'spotlight' ? 'End' : 'Home', 'Enter');
  await app.until((old) => window.limelight.page().scene !== old, scene);
  await keys.check();
  await app.press('Escape');
  assert.equal(await app.run(() => document.activeElement.id), 'canvas');
  assert.deepEqual((await app.page()).notice, null);
}

// Together these have every kind of control.
const VARIED = ['spotlight', 'train', 'caption'];
for (const scene of ALL ? SCENES : VARIED) {
  browserTest(`${scene}: one walks through all of it by keyboard alone`,
    { hash: `scene=${scene}`, media: { 'prefers-reduced-motion': 'reduce' }, timeout: 120_000 }, (given) => walkScene(given, scene));
}
browserTest('one walks through a scene by keyboard alone', { hash: 'scene=spotlight', firefox: true, timeout: 120_000 },
  (given) => walkScene(given, 'spotlight'));

browserTest('the canvas shows that it has the focus, and Tab leaves it', {}, async ({ page, app }) => {
  const keys = keyboard(page, app);
  await keys.tabTo('#canvas');
  const picture = () => page.screenshot({ encoding: 'base64' });
  const focused = await picture();
  await page.keyboard.press('Tab');
  assert.notEqual(await app.run(() => document.activeElement.id), 'canvas');
  await page.evaluate(() => document.activeElement.blur());
  assert.notEqual(await picture(), focused);
});

// ---- keys that are faster than frames ----

for (const firefox of [false, true]) {
  browserTest('keys that are pressed and let go within one frame are all heard', { hash: 'step=3', firefox }, async ({ app }) => {
    // Each key goes down and, those that hold others last, up again, before the next frame.
    const together = async (...keys) => {
      await app.run((list) => {
        const canvas = document.getElementById('canvas');
        canvas.focus();
        const send = (type, [key, code, keyCode]) => canvas.dispatchEvent(new KeyboardEvent(type, {
          key, code, keyCode, which: keyCode, bubbles: true, cancelable: true,
          ctrlKey: list.some(([name]) => name === 'Control'), shiftKey: list.some(([name]) => name === 'Shift'),
        }));
        const held = list.filter(([name]) => name.length > 1 && !name.startsWith('Arrow'));
        for (const key of list) {
          send('keydown', key);
          if (!held.includes(key)) send('keyup', key);
        }
        for (const key of held.reverse()) send('keyup', key);
      }, keys);
      await app.settled();
    };
    const CONTROL = ['Control', 'ControlLeft', 17], SHIFT = ['Shift', 'ShiftLeft', 16], Z = ['z', 'KeyZ', 90], RIGHT = ['ArrowRight', 'ArrowRight', 39];
    const temperature = async () => (await app.state()).temperature;
    const before = await temperature();
    await app.set({ temperature: 2 });
    await together(CONTROL, Z);
    assert.equal(await temperature(), before);
    await together(CONTROL, SHIFT, Z);
    assert.equal(await temperature(), '2');
    await together(RIGHT, RIGHT, RIGHT);
    assert.equal((await app.state()).step, 'scale');
  });
}

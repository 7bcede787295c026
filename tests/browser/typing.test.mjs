// What a reader types: a sentence, a number.
import assert from 'node:assert/strict';
import { browserTest, pause } from './harness.mjs';

const SENTENCE = '#inputs [data-kind="text"]';

// As pasting does.
const paste = (app, text) => app.run((selector, value) => {
  const input = document.querySelector(selector);
  input.focus();
  input.value = value;
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
}, SENTENCE, text);

browserTest('typing a sentence gives every word its row, of trained numbers or by its spelling', {}, async ({ page, app }) => {
  const rows = async () => [(await app.trace('weights')).shape[0], (await app.trace('X')).shape[0]];
  const names = () => page.$$eval('#mirror [name="field-trained"]', (inputs) => inputs.map((input) => input.labels[0].textContent));
  assert.deepEqual(await names(), ['by hand', 'trained']);
  await page.click(SENTENCE, { count: 3 });
  await page.keyboard.type('one two three four five');
  await app.until(() => window.limelight.getState().trained === 'on');
  assert.deepEqual(await rows(), [7, 7]);  // and [START], and a full stop
  assert.deepEqual(await names(), ['by spelling', 'trained']);
  await app.set({ trained: 'off' });
  await page.click(SENTENCE);
  await page.keyboard.press('End');
  await page.keyboard.type(' six');
  await app.until(() => window.limelight.getState().text === 'one two three four five six');
  assert.equal((await app.state()).trained, 'off');  // as it was chosen
  assert.deepEqual(await rows(), [6, 6]);
});

for (const [what, text, words] of [
  ['emoji', 'I 🧡 my 👩‍👩‍👧 🏳️‍🌈', 5],
  ['Arabic', 'مرحبا بالعالم', 2],
  ['combining marks', 'e\u0301te\u0301 Z\u0351\u036b\u0343algo', 2],
  ['markup', '<b>bold</b> "quoted" \\n &amp;', null],
  ['64 words', Array.from({ length: 64 }, (_, i) => `word${i}`).join(' '), 64],
]) {
  browserTest(`${what} is a sentence like any other`, { hash: 'text=one+two' }, async ({ app }) => {
    await paste(app, text);
    await app.until((t) => window.limelight.getState().text === t, text);
    await app.settled();
    const [rows] = (await app.trace('X')).shape;
    assert.ok(words === null ? rows > 1 : rows === words, `${rows} rows`);
    for (const { step } of [{ step: 1 }, { step: 4 }, { step: 9 }]) await app.set({ step });
  });
}

for (const [what, text] of [['an empty sentence', ''], ['only spaces', '    '], ['10,000 words', 'word '.repeat(10_000)]]) {
  browserTest(`${what} is refused in a sentence and changes nothing`, {}, async ({ page, app }) => {
    const before = await app.state();
    await paste(app, text);
    await page.waitForSelector(`${SENTENCE}[aria-invalid]`);
    await app.settled();
    const sentence = await app.run((selector) => {
      const input = document.querySelector(selector);
      return document.getElementById(input.getAttribute('aria-describedby')).textContent;
    }, SENTENCE);
    assert.match(sentence, /^.{15,}\.$/);
    assert.equal((await app.page()).notice.text, sentence);
    assert.deepEqual(await app.state(), before);
    await app.run((selector) => document.querySelector(selector).blur(), SENTENCE);
    assert.equal(await page.$(`${SENTENCE}[aria-invalid]`), null);
  });
}

for (const leave of ['Enter', 'Tab', 'Escape']) {
  browserTest(`an emptied sentence stands in its box again after ${leave}`, { hash: 'text=one+two' }, async ({ page, app }) => {
    await page.click(SENTENCE, { count: 3 });
    await page.keyboard.press('Backspace');
    await page.waitForSelector(`${SENTENCE}[aria-invalid]`);
    await app.press(leave);
    assert.equal(await page.$eval(SENTENCE, (input) => input.value), 'one two');
    assert.equal(await page.$(`${SENTENCE}[aria-invalid]`), null);
    if (leave === 'Escape') assert.equal((await app.page()).notice, null);
  });
}

browserTest('Enter is the end of a sentence: its beginning is seen, and Tab goes on from there', {}, async ({ page, app }) => {
  const text = 'the cat chased the mouse because it was hungry and wild and the night was long';
  await page.click(SENTENCE, { count: 3 });
  await page.keyboard.type(text);
  await app.press('Enter');
  await app.until((typed) => window.limelight.getState().text === typed, text);
  assert.equal(await page.$eval(SENTENCE, (input) => input.scrollLeft), 0);
  assert.equal(await page.$(`${SENTENCE}:focus`), null);
  await app.press('Tab');
  assert.ok(await app.run((selector) => {
    const place = document.querySelector(selector).compareDocumentPosition(document.activeElement);
    return (place & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  }, SENTENCE));
});

browserTest('a text that an input method has not finished is not taken', {}, async ({ page, app }) => {
  const before = (await app.state()).text;
  await page.click(SENTENCE, { count: 3 });
  const input = await page.createCDPSession();
  await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await pause(400);
  assert.equal((await app.state()).text, before);
  await input.send('Input.insertText', { text: '日本語' });
  await app.until(() => window.limelight.getState().text === '日本語');
});

browserTest('a cell is changed by typing into it, and Escape leaves it as it was', { hash: 'step=3' }, async ({ page, app }) => {
  const start = async () => {
    await page.mouse.click(...await app.point('W_q[0,1]'), { count: 2 });
    await page.waitForSelector('#inputs [data-kind="cell"]');
  };
  const gone = () => app.until(() => !document.querySelector('#inputs [data-kind="cell"]'));
  const before = await app.trace('W_q');
  await start();
  await page.keyboard.type('0.75');
  await page.keyboard.press('Enter');
  await gone();
  assert.equal((await app.trace('W_q')).data[1], 0.75);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'canvas');
  await start();
  await page.keyboard.type('5');
  await page.keyboard.press('Escape');
  await gone();
  assert.equal((await app.trace('W_q')).data[1], 0.75);
  await start();
  await page.keyboard.type('many');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#inputs [data-kind="cell"][aria-invalid]');
  await page.keyboard.press('Escape');
  await gone();
  await app.run(() => document.getElementById('canvas').focus());
  await page.keyboard.down('Control');
  await app.press('z');
  await page.keyboard.up('Control');
  assert.deepEqual(await app.trace('W_q'), before);
});

browserTest('a press on an example’s sentence selects it, and what is typed replaces it', { hash: 'v=2&scene=spotlight&preset=fox&step=glance' }, async ({ page, app }) => {
  const [x, y] = await page.$eval(SENTENCE, (input) => {
    const { left, top, width, height } = input.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  await page.mouse.click(x, y);
  await page.keyboard.type('one two');
  await app.until(() => window.limelight.getState().text === 'one two');
  // The reader’s own is not: a second press puts the caret where it is.
  await app.press('Enter');
  await page.mouse.click(x, y);
  assert.ok(await page.$eval(SENTENCE, (input) => input.selectionStart === input.selectionEnd));
});

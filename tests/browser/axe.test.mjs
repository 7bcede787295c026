// axe-core over all that is HTML: the page around every scene, its dialogs, what stands in for it, and an article.
import assert from 'node:assert/strict';
import axe from 'axe-core';
import { ALL, PHONE, SCENES, WIDE, browserTest, server } from './harness.mjs';

const DIALOGS = ['Export …', 'Glossary', 'About Limelight'];  // the names of the text view's buttons that open one of web/panels/panels.js

const LONG_MS = 240_000;

// evaluate() is not bound by the page's Content-Security-Policy.
async function violations(page) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe.source);
  const found = await page.evaluate(async () => (await window.axe.run({ iframes: false })).violations);
  return found.map(({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ html, any, all }) =>
    `${html.slice(0, 160)} ${[...any, ...all].map(({ message }) => message).join(' ')}`).join(' | ')}`);
}

const nothing = async (page, where) => assert.deepEqual(await violations(page), [], where);

// Around another scene than the first stands the same, except for its words, settings and tables.
for (const scene of SCENES) {
  const whole = ALL || scene === SCENES[0];
  for (const viewport of [WIDE, PHONE]) {
    browserTest(`axe finds nothing around ${scene}, ${viewport.width} px wide`, { hash: `scene=${scene}`, viewport, timeout: LONG_MS },
      async ({ page, app }) => {
        const steps = (await app.page()).steps.map(({ id }) => id);
        for (const theme of whole ? ['light', 'dark'] : ['light']) {
          for (const step of whole ? [steps[0], steps.at(-1)] : [steps.at(-1)]) {
            await app.set({ theme, step });
            for (const button of whole ? ['#text-view', '#mirror .close'] : ['#text-view']) {
              await page.evaluate((selector) => document.querySelector(selector).click(), button);
              await nothing(page, `${theme}, step ${step}, after a press on ${button}`);
            }
          }
        }
      });
  }
}

browserTest('the list of scenes here is the page’s', {}, async ({ app }) => {
  assert.deepEqual((await app.page()).scenes.map(({ name }) => name), SCENES);
});

for (const name of DIALOGS) {
  for (const viewport of [WIDE, PHONE]) {
    browserTest(`axe finds nothing in the dialog “${name}”, ${viewport.width} px wide`, { viewport, timeout: LONG_MS }, async ({ page, app }) => {
      for (const theme of ['light', 'dark']) {
        await app.set({ theme });
        await app.pressMirror('button', name);
        await page.waitForSelector('dialog[open]');
        await nothing(page, theme);
        await page.keyboard.press('Escape');
      }
    });
  }
}

for (const scheme of ['light', 'dark']) {
  browserTest(`axe finds nothing in the figure at rest, ${scheme}`, {
    media: { 'prefers-color-scheme': scheme },
    ready: false,
    expected: /WebGL|webgl/,
    prepare: (page) => page.evaluateOnNewDocument(() => {
      const original = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return this.id === 'canvas' && /webgl/.test(kind) ? null : original.call(this, kind, ...rest);
      };
    }),
  }, async ({ page }) => {
    await page.waitForSelector('.still');
    await nothing(page, 'the figure at rest');
  });

  browserTest(`axe finds nothing in an article with six figures, ${scheme}`, {
    url: `${server.url}examples/attention-in-six-figures.html`,
    media: { 'prefers-color-scheme': scheme },
    ready: false,
    timeout: LONG_MS,
  }, async ({ page }) => {
    await page.waitForFunction(() => [...document.querySelectorAll('limelight-figure')].every(({ shadowRoot }) => shadowRoot));
    await nothing(page, 'the article');
  });
}

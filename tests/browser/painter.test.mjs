// The page's painter beside the raster: a program that paints with both and compares, in each browser.
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, launchFirefox } from '../../tools/browser.mjs';
import { serve } from '../../tools/server.mjs';
import { runProgram } from './programs.mjs';

const server = await serve(fileURLToPath(new URL('../../', import.meta.url)));
after(() => server.close());

for (const [name, start] of Object.entries({ Chromium: launch, Firefox: launchFirefox })) {
  test(`the page paints what the raster paints (in ${name})`, { timeout: 300_000 }, async (context) => {
    const browser = await start();
    try {
      const page = await browser.newPage();
      await page.goto(new URL('tests/core/page.html', server.url).href);
      await page.evaluate(() => {
        const canvas = document.createElement('canvas');
        canvas.id = 'canvas';
        document.body.append(canvas);
      });
      await runProgram(context, page, '/build/web/tests/painter_tests.mjs');
    } finally {
      await browser.close();
    }
  });
}

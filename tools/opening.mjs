// Takes the opening's still pictures: node tools/opening.mjs SITE FOLDER
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { launch } from './browser.mjs';
import { serve } from './server.mjs';

const [site, folder] = process.argv.slice(2);
const SHOTS = {
  wide: { width: 1280, height: 800, deviceScaleFactor: 0.7 },  // a second of blurred light, in bytes that every reader waits for
  phone: { width: 390, height: 844, deviceScaleFactor: 1.25, isMobile: true, hasTouch: true },
};

mkdirSync(folder, { recursive: true });
const server = await serve(site);
const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SHOTS)) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport(viewport);
    await page.goto(server.url);
    await page.evaluate(async () => {
      await window.limelight.ready;
      while (window.limelight.page().animating) await new Promise(requestAnimationFrame);
    });
    await page.screenshot({ path: path.join(folder, `opening-${name}.webp`), type: 'webp', quality: 1 });
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}

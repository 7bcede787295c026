// What a first visit to the page fetches, in a real browser.
import { launch } from './browser.mjs';

// url: of a served site, with / at the end. → the names of the files, sorted; the page itself is ''.
export async function firstLoad(url) {
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const names = new Set();
    page.on('request', (request) => {
      if (request.url().startsWith(url)) names.add(decodeURIComponent(new URL(request.url()).pathname.slice(new URL(url).pathname.length)));
    });
    await page.goto(url, { waitUntil: 'networkidle0', timeout: 120_000 });
    await page.evaluate(() => window.limelight.ready);
    const programs = [...names].filter((name) => name.endsWith('.wasm'));
    if (programs.length !== 1) throw new Error(`The page fetched ${programs.length} programs, not one.`);
    return [...names].sort();
  } finally {
    await browser.close();
  }
}

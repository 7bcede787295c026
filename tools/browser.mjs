// Starts the machine's Chromium without a window, with WebGL2 in software: for the browser tests and tools/screenshots.
import { existsSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

const flags = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launch(options = {}) {
  const executablePath = places.find((place) => place && existsSync(place));
  if (!executablePath) throw new Error('There is no Chromium. Run tools/setup, or name one in the variable CHROMIUM.');
  return puppeteer.launch({ executablePath, args: flags, ...options });
}

// Starts the machine's Chromium or Firefox out of sight, with WebGL2 in software: for the browser tests and tools/screenshots.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
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
const places = {
  chromium: [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  firefox: [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'],
};

function place(kind) {
  const found = places[kind].find((path) => path && existsSync(path));
  if (!found) throw new Error(`There is no ${kind}. Run tools/setup, or name one in the variable ${kind.toUpperCase()}.`);
  return found;
}

export function launch(options = {}) {
  return puppeteer.launch({ executablePath: place('chromium'), args: flags, ...options });
}

// Firefox has WebGL 2 on a display only, so it gets one that nobody sees, for as long as it runs.
export async function launchFirefox() {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1400x1000x24'], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const number = await new Promise((resolve, reject) => {
      createInterface(display.stdout).once('line', resolve);
      display.once('error', reject).once('exit', (code) => reject(new Error(`Xvfb ended with ${code}.`)));
    });
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: place('firefox'),
      headless: false,
      env: { ...process.env, DISPLAY: `:${number}` },
    });
    browser.process().once('exit', () => display.kill());
    return browser;
  } catch (error) {
    display.kill();
    throw error;
  }
}

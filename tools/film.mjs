// Draws the moving picture of tools/film. Run: node tools/film.mjs COMMAND FILE
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { animate } from '../web/panels/apng.js';

const [limelight, file] = process.argv.slice(2);
const STEPS = ['words', 'qkv', 'scores', 'softmax', 'output', 'glance'];
const MS = 1600;  // each

const folder = mkdtempSync(path.join(tmpdir(), 'limelight-film-'));
const one = (step) => path.join(folder, `${step}.png`);
const batch = path.join(folder, 'batch');
writeFileSync(batch, STEPS.map((step) => `spotlight\t--step\t${step}\t--size\t720x500\t--theme\tdark\t--out\t${one(step)}\n`).join(''));
execFileSync(limelight, ['render', '--batch', batch]);
writeFileSync(file, animate(STEPS.map((step) => ({ png: readFileSync(one(step)), ms: MS }))));
rmSync(folder, { recursive: true });

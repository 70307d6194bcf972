// The budgets of the pad page in bytes and files, checked on the built bundle.
//
//   npm run build && npm run size
//
// Invariant: counts what a first visit fetches before one can write, as the server sends it:
// the entry, everything it imports without being asked, and its styles, in Brotli.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  isEntry?: boolean;
}

interface Budget {
  scriptBytes: number;
  styleBytes: number;
  // With the page itself and the connection.
  requests: number;
}

const BUDGETS: Record<string, Budget> = {
  'src/pad/main.ts': { scriptBytes: 105_000, styleBytes: 12_000, requests: 8 },
  'src/home/main.ts': { scriptBytes: 5_000, styleBytes: 5_000, requests: 8 },
};
const PAGE_AND_CONNECTION = 2;
// A budget is an aim; so far beyond it nothing goes in any more.
const TOLERANCE = 1.15;

const dist = join(import.meta.dirname, '..', 'dist');
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
);

function files(entry: string): { scripts: Set<string>; styles: Set<string> } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const follow = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const other of chunk.imports ?? []) follow(other);
  };
  follow(entry);
  return { scripts, styles };
}

function bytes(names: Set<string>): number {
  const sizes = [...names].map((name) => statSync(join(dist, `${name}.br`)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

let failed = false;

function check(what: string, found: number, most: number): void {
  const share = Math.round((found / most) * 100);
  const tooMuch = found > most * TOLERANCE;
  failed ||= tooMuch;
  const verdict = tooMuch ? 'FAIL' : found > most ? 'over' : 'ok  ';
  process.stdout.write(`${verdict} ${what}: ${found} of ${most} (${share} %)\n`);
}

for (const [entry, budget] of Object.entries(BUDGETS)) {
  const { scripts, styles } = files(entry);
  check(`${entry}, scripts`, bytes(scripts), budget.scriptBytes);
  check(`${entry}, styles`, bytes(styles), budget.styleBytes);
  const requests = scripts.size + styles.size + PAGE_AND_CONNECTION;
  check(`${entry}, requests`, requests, budget.requests);
}

process.exitCode = failed ? 1 : 0;

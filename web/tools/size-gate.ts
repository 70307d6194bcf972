// The budgets of the pad page in bytes and files, checked on the built bundle.
//
//   npm run build && npm run size
//
// Invariant: counts what a first visit fetches before one can write, as the server sends it: the
// entry, everything it imports without being asked, its styles, and the largest of its languages,
// in Brotli. A byte too much fails.

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
}

interface Budget {
  scriptBytes: number;
  styleBytes: number;
  // With a language, the page itself and the text of an empty pad.
  bytes: number;
  requests: number;
}

const BUDGETS: Record<string, Budget> = {
  'src/pad/main.ts': { scriptBytes: 113_000, styleBytes: 9_100, bytes: 131_000, requests: 5 },
  'admin:src/admin/main.ts': {
    scriptBytes: 25_000,
    styleBytes: 8_000,
    bytes: 70_000,
    requests: 8,
  },
  'home:src/home/main.ts': { scriptBytes: 5_000, styleBytes: 5_000, bytes: 18_000, requests: 8 },
};
// The page is 2,100 with the script that opens the connection, the text of an empty pad 3,300.
const PAGE_AND_CONNECTION = { requests: 2, bytes: 6_000 };

const dist = join(import.meta.dirname, '..', 'dist');
const manifest: Record<string, Chunk> = JSON.parse(
  readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
);

interface Files {
  scripts: Set<string>;
  styles: Set<string>;
  languages: Set<string>;
}

function files(entry: string): Files {
  const found: Files = { scripts: new Set(), styles: new Set(), languages: new Set() };
  const follow = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || found.scripts.has(chunk.file)) return;
    found.scripts.add(chunk.file);
    for (const style of chunk.css ?? []) found.styles.add(style);
    for (const other of chunk.dynamicImports ?? []) {
      const language = /^locales\/.*\.json$/.test(other) && manifest[other];
      if (language) found.languages.add(language.file);
    }
    for (const other of chunk.imports ?? []) follow(other);
  };
  follow(entry);
  return found;
}

function sizeOf(name: string): number {
  return statSync(join(dist, `${name}.br`)).size;
}

function bytes(names: Set<string>): number {
  return [...names].reduce((sum, name) => sum + sizeOf(name), 0);
}

let failed = false;

function check(what: string, found: number, most: number): void {
  const share = Math.round((found / most) * 100);
  failed ||= found > most;
  process.stdout.write(
    `${found > most ? 'FAIL' : 'ok  '} ${what}: ${found} of ${most} (${share} %)\n`,
  );
}

for (const [entry, budget] of Object.entries(BUDGETS)) {
  const { scripts, styles, languages } = files(entry);
  const language = Math.max(0, ...[...languages].map(sizeOf));
  const all = bytes(scripts) + bytes(styles) + language + PAGE_AND_CONNECTION.bytes;
  const requests =
    scripts.size + styles.size + (language > 0 ? 1 : 0) + PAGE_AND_CONNECTION.requests;
  check(`${entry}, scripts`, bytes(scripts), budget.scriptBytes);
  check(`${entry}, styles`, bytes(styles), budget.styleBytes);
  check(`${entry}, all bytes`, all, budget.bytes);
  check(`${entry}, requests`, requests, budget.requests);
}

process.exitCode = failed ? 1 : 0;

// The reader of pasted HTML, run in the browser on the cases that the server's reader of files is run
// on (`crates/convert/tests/it/clipboard.rs`).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { bundled } from './bundled.ts';

type Attributes = Readonly<Record<string, string>>;
type Line = readonly [marker: Attributes, ...pieces: (string | readonly [string, Attributes])[]];

interface Row {
  readonly name: string;
  readonly html: string | readonly string[];
  readonly lines: readonly Line[];
  // Where pasting gives something else.
  readonly paste?: readonly Line[];
  readonly pictures?: number;
}

const ROWS: readonly Row[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/convert/clipboard.json'), 'utf8'),
);

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launch();
  page = await browser.newPage();
  await page.addScriptTag({ content: await bundled('e2e/pasteReader.ts', 'pasteReader') });
});

afterAll(() => browser?.close());

// What holds for pasting.
function ours(attributes: Attributes): Attributes {
  const own = Object.entries(attributes).filter(([key]) => !key.startsWith('import:'));
  const named = own.map(([key, value]) => [key.replace(/^paste:/, ''), value]);
  return Object.fromEntries(named);
}

describe('HTML of other programs is read as a file with it is', () => {
  test.each(ROWS)('$name', async ({ html, lines, paste, pictures = 0 }) => {
    const source = typeof html === 'string' ? html : html.join('\n');
    const found = await page.evaluate((html) => window.pasteReader.read(html), source);
    expect(found.lines).toEqual((paste ?? lines).map(pasted));
    expect(found.pictures).toBe(pictures);
  });
});

// A line as it is pasted: neighbours that only differ for imports are one piece.
function pasted([marker, ...pieces]: Line) {
  const joined: [string, Attributes][] = [];
  for (const piece of pieces) {
    const [text, all] = typeof piece === 'string' ? [piece, {}] : piece;
    const attributes = ours(all);
    const last = joined.at(-1);
    if (last && keyOf(last[1]) === keyOf(attributes)) last[0] += text;
    else joined.push([text, attributes]);
  }
  const bare = ([text, attributes]: [string, Attributes]) =>
    Object.keys(attributes).length > 0 ? [text, attributes] : text;
  return [ours(marker), ...joined.map(bare)];
}

const keyOf = (attributes: Attributes) => JSON.stringify(Object.entries(attributes).sort());

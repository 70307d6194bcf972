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

type Pairs = readonly (readonly [text: string, attributes: string])[];

interface Row {
  readonly name: string;
  readonly html: string | readonly string[];
  readonly lines: readonly Line[];
  // Where pasting gives something else.
  readonly paste?: readonly Line[];
  readonly pictures?: number;
}

const table = <T>(name: string): readonly T[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/convert', name), 'utf8'));

const ROWS = table<Row>('clipboard.json');
const MARKDOWN = table<{ name: string; markdown: string; lines: Line[] }>('markdown.json');
// Our own HTML, as it is exported.
const EXPORTED = table<{ name: string; html?: string; htmlBack?: unknown; document: Pairs }>(
  'attributes.json',
).filter(({ html, htmlBack }) => html && !htmlBack);

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

test.each(ROWS)('$name, copied and pasted again, is the same', async ({ html }) => {
  const source = typeof html === 'string' ? html : html.join('\n');
  const read = await page.evaluate((html) => window.pasteReader.read(html), source);
  const again = await page.evaluate((html) => window.pasteReader.readAgain(html), source);
  expect(withoutFirst(again.lines)).toEqual(withoutFirst(read.lines));
});

// A list that counts in letters does not say where it starts.
const withoutFirst = (lines: unknown) =>
  JSON.parse(JSON.stringify(lines).replaceAll(',"start":"1"', ''));

test.each(MARKDOWN)('Markdown is read as a file with it is: $name', async ({ markdown, lines }) => {
  const found = await page.evaluate((text) => window.pasteReader.readMarkdown(text), markdown);
  expect(found.lines).toEqual(lines.map(pasted));
});

// Mentions, and fonts and sizes that the page does not offer, stay behind, other shades become the nearest
// colour, and a path leads elsewhere.
const LEFT =
  /^(?:font(?!-family=(?:sans-serif|serif|monospace)$|-size=(?:12|20|28|40)$)|mention|insertorder|lmkr)/;

test.each(EXPORTED)('$name of an exported pad can be pasted', async ({ html = '', document }) => {
  const lines: Line[] = [[{}]];
  for (const [text, attributes] of document) {
    const pairs = attributes
      .split(' ')
      .filter((pair) => !LEFT.test(pair))
      .map((pair) => [pair.split('=')[0], pair.replace(/^.*?=/, '')]);
    const own = Object.fromEntries(pairs.filter(([key]) => key));
    if (own.color?.startsWith('#') || own.url?.startsWith('/')) return;
    text.split('\n').forEach((part, i) => {
      if (i > 0) lines.push([{}]);
      const line = lines.at(-1) as [Attributes, ...Line[1][]];
      if (attributes.includes('lmkr=') && part === '*') line[0] = own;
      else if (part) line.push([part, own]);
    });
  }
  const found = await page.evaluate((html) => window.pasteReader.read(html), html);
  expect(found.lines).toEqual(lines.slice(0, -1).map(pasted));
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

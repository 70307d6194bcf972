// Copying as Markdown gives what the server's export gives.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Pool } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import { richLines } from '../src/document/html.ts';
import { toMarkdown } from '../src/document/markdown.ts';

interface Row {
  readonly name: string;
  readonly document: readonly (readonly [text: string, attributes: string])[];
  readonly markdown?: string;
}

const ROWS: readonly Row[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/convert/attributes.json'), 'utf8'),
);

// Shades and fonts that have no name here are shown, and copied, as the name that is nearest. Markers
// that say nothing we know are not shown.
const OTHER = /color=#|^font[a-z]|^something=else lmkr/;
const rows = ROWS.filter(
  ({ markdown, document }) => markdown && !document.some(([, all]) => OTHER.test(all)),
);

test.each(rows)('$name', ({ document, markdown }) => {
  const sets = new AttributeSets(new Pool());
  let attribs = '';
  for (const [text, all] of document) {
    const pairs = all.split(' ').filter(Boolean);
    const list = sets.insertOf(pairs.map((pair) => splitAt(pair, pair.indexOf('='))));
    for (const [part] of text.matchAll(/[^\n]*\n|[^\n]+/g)) {
      attribs += `${list}${part.endsWith('\n') ? '|1' : ''}+${part.length.toString(36)}`;
    }
  }
  const text = document.map(([text]) => text).join('');
  const held = PadDocument.read({ text, attribs }, sets.pool, sets);
  expect(toMarkdown(richLines(held, 0, held.length - 1))).toBe(markdown);
});

function splitAt(pair: string, at: number): readonly [string, string] {
  return [pair.slice(0, at), pair.slice(at + 1)];
}

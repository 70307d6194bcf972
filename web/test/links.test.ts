// Addresses of named links: which are followed, how they are read, and their HTML.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Pool } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import { richLines, toHtml } from '../src/document/html.ts';
import { formatChanges } from '../src/document/inline.ts';
import { completeUrl, isSafeUrl, linkOf, linkSpans } from '../src/document/links.ts';

const TABLE = join(import.meta.dirname, '../../fixtures/convert/links.json');
const ROWS: { name: string; url: string; safe: boolean }[] = JSON.parse(
  readFileSync(TABLE, 'utf8'),
);

describe('addresses', () => {
  test.each(ROWS)('$name', ({ url, safe }) => {
    expect(isSafeUrl(url)).toBe(safe);
    expect(linkOf(new Map([['url', url]]))).toBe(safe ? url : null);
  });

  test.each([
    ['https://example.org', 'https://example.org'],
    [' example.org/a ', 'https://example.org/a'],
    ['localhost:8080', 'https://localhost:8080'],
    ['example.org:8080', 'https://example.org:8080'],
    ['ann@example.org', 'mailto:ann@example.org'],
    ['/p/notes', '/p/notes'],
    ['javascript:alert(1)', null],
    ['//example.org', null],
    ['two words.org', null],
    ['nothing', null],
    ['', null],
  ])('%j is completed', (typed, url) => {
    expect(completeUrl(typed)).toBe(url);
  });

  test('are read in the spellings of other programs, and written in one', () => {
    const url = 'https://example.org/a,b';
    const spellings = { url, hyperlink: url };
    for (const [key, value] of Object.entries(spellings)) {
      expect(linkOf(new Map([[key, value]]))).toBe(url);
    }
    expect(linkOf(new Map([['url', `url-${url}`]]))).toBe(url);
    expect(linkOf(new Map([['url', `url-${url},${url}`]]))).toBe(url);
    expect(formatChanges(new Map([['hyperlink', url]]), [['url', '']])).toEqual({ hyperlink: '' });
    expect(formatChanges(new Map([['hyperlink', url]]), [['url', '/p/a']])).toEqual({
      url: '/p/a',
      hyperlink: '',
    });
  });
});

test('a link is one piece, whatever else its words are', () => {
  const sets = new AttributeSets(new Pool());
  const link = ['url', '/p/a"b'] as const;
  const plain = sets.insertOf([link]);
  const bold = sets.insertOf([['bold', 'true'], link]);
  const bad = sets.insertOf([['url', 'javascript:1']]);
  const atext = { text: 'see this page now\n', attribs: `+4${plain}+5${bold}+4+1${bad}+3|1+1` };
  const held = PadDocument.read(atext, sets.pool, sets);
  expect(linkSpans(held, 0, 17)).toEqual([{ from: 4, to: 13, href: '/p/a"b' }]);
  const html = toHtml(richLines(held, 0, 17), 'https://pads.example/p/x');
  expect(html).toBe(
    'see <a href="https://pads.example/p/a%22b">this <strong>page</strong></a> now',
  );
});

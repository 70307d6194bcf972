// Documents made for editing against the plain algebra, and what lines and their HTML are.

import { ChangeSet } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyToAText, applyToText, inverse, Pool, plain, unpack } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { diff, weight } from '../src/document/diff.ts';
import { changesWithoutEnd, PadDocument, textOf } from '../src/document/document.ts';
import { type RichLine, toHtml } from '../src/document/html.ts';
import {
  countWords,
  formatOf,
  type ListKind,
  Numbering,
  PLAIN,
  storedStarts,
  withoutMarkers,
} from '../src/document/lines.ts';
import { changeOf, document, newPool, steps } from './arbitraries.ts';

const RUNS = { numRuns: Number(process.env.PADSVC_CASES ?? 500) };

describe('documents', () => {
  test('change and change back as the algebra says', () => {
    fc.assert(
      fc.property(document, fc.array(steps, { maxLength: 6 }), (start, changes) => {
        const pool = newPool();
        const sets = new AttributeSets(pool);
        let atext = start;
        let held = PadDocument.read(start, pool, sets);
        for (const list of changes) {
          const change = changeOf(atext.text, list, pool);
          const back = held.inverse(change);
          expect(back).toEqual(inverse(change, atext, pool));
          const before = held.toAText();
          atext = applyToAText(change, atext, pool);
          held = held.apply(change);
          expect(held.toAText()).toEqual(atext);
          expect(held.apply(back).toAText()).toEqual(before);
        }
      }),
      RUNS,
    );
  });

  test('runs of a long text stay right through many edits', () => {
    const pool = new Pool();
    const sets = new AttributeSets(pool);
    let atext = plain('line of text\n'.repeat(400));
    let held = PadDocument.read(atext, pool, sets);
    for (let i = 0; i < 600; i++) {
      const at = (i * 7919) % 5_000;
      const change = changeOf(
        atext.text,
        [
          { kind: 'keep', chars: at, text: '', attributes: [] },
          { kind: 'keep', chars: 3, text: '', attributes: [['bold', i % 3 ? 'true' : '']] },
          { kind: i % 2 ? 'delete' : 'insert', chars: 1, text: 'y', attributes: [] },
        ],
        pool,
      );
      atext = applyToAText(change, atext, pool);
      held = held.apply(change);
    }
    expect(held.toAText()).toEqual(atext);
    let seen = 0;
    held.runs.between(1_000, 2_000, (from, to) => {
      expect(from).toBe(1_000 + seen);
      seen += to - from;
    });
    expect(seen).toBe(1_000);
  });

  test('the editor, which has no final newline, follows every change that keeps one', () => {
    const cases = [
      ['ab\n', 'Z:3>0|1-3|1+3$xy\n'],
      ['ab\n', 'Z:3>3|1=3|1+3$xy\n'],
      ['ab\n\n', 'Z:4<1|1=3|1-1$'],
      ['ab\n', 'Z:3<2|1-3|1+1$\n'],
      ['ab\n', 'Z:3>1=2+1$c'],
      ['\n', 'Z:1>3|1-1|2+4$a\nb\n'],
    ] as const;
    for (const [old, notation] of cases) {
      const pool = new Pool();
      const sets = new AttributeSets(pool);
      const held = PadDocument.read(plain(old), pool, sets);
      const change = unpack(notation);
      const shown = ChangeSet.of(changesWithoutEnd(change), old.length - 1, '\n');
      const text = shown.apply(textOf(old.slice(0, -1))).toString();
      expect(`${text}\n`).toBe(applyToText(change, old));
      expect(held.apply(change).text.toString()).toBe(`${text}\n`);
    }
  });

  test('a difference leads from one text to the other, and is small where they are alike', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', ' '), maxLength: 30 });
    fc.assert(
      fc.property(word, word, (old, text) => {
        expect(applyToText(diff(old, text), old)).toBe(text);
      }),
      RUNS,
    );
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}\n`);
    const changed = lines.toSpliced(150, 2).toSpliced(20, 0, 'new\n');
    changed[60] = 'line sixty\n';
    expect(weight(diff(lines.join(''), changed.join('')))).toBeLessThan(40);
  });
});

describe('lines', () => {
  const list = (kind: ListKind, level: number, start: number | null = null) => ({
    ...PLAIN,
    list: { kind, level },
    start,
  });

  test('items are numbered level by level; a level that was left starts over', () => {
    const numbering = new Numbering();
    const levels = [1, 2, 2, 1, 2, 3, 1];
    const shown = levels.map((level) => numbering.next(list('number', level)));
    expect(shown).toEqual([1, 1, 2, 2, 1, 1, 3]);
    expect(numbering.next(null)).toBe(null);
    expect(numbering.next(list('number', 1))).toBe(1);
  });

  test('a list may begin at another number, and never at 0 where a level is missing', () => {
    const numbering = new Numbering();
    expect(
      [list('number', 1, 5), list('number', 1, 1)].map((item) => numbering.next(item)),
    ).toEqual([5, 6]);
    expect(new Numbering().next(list('number', 3, 2))).toBe(1);
    const mixed = new Numbering();
    const items = [list('number', 1), list('bullet', 1), list('number', 1)];
    expect(items.map((item) => mixed.next(item))).toEqual([1, null, 1]);
  });

  test('numbers are stored for each level and kind', () => {
    const items = [1, 2, 2, 1].map((level) => ({ kind: 'number' as const, level }));
    expect(storedStarts(items)).toEqual([1, 1, 2, 2]);
  });

  test('markers of unknown kinds are plain lines, headings are read in both spellings', () => {
    expect(formatOf(new Map([['heading', 'h2']])).heading).toBe(2);
    expect(formatOf(new Map([['heading', '3']])).heading).toBe(3);
    expect(formatOf(new Map([['list', 'task1']])).list).toBe(null);
    expect(formatOf(new Map([['list', 'bullet99']])).list?.level).toBe(16);
  });

  test('people read text without markers, and asterisks they typed themselves', () => {
    const sets = new AttributeSets(new Pool());
    const marker = sets.insertOf([
      ['list', 'bullet1'],
      ['lmkr', '1'],
    ]);
    const atext = { text: '*item\n* typed\n', attribs: `${marker}+1|1+5|1+8` };
    const held = PadDocument.read(atext, sets.pool, sets);
    expect(withoutMarkers(held, 0, held.length - 1)).toBe('item\n* typed');
    expect(countWords("It's a 2nd day – naïve, 日本")).toBe(6);
  });

  test('lines become nested HTML', () => {
    const line = (text: string, list: RichLine['list'], heading = 0): RichLine => ({
      ...PLAIN,
      list,
      heading,
      pieces: [{ text, formats: new Map(text === 'b' ? [['bold', 'true']] : []) }],
    });
    const lines = [
      line('Top', null, 1),
      line('a', { kind: 'bullet', level: 1 }),
      line('b', { kind: 'number', level: 2 }),
      line('c', { kind: 'bullet', level: 1 }),
      line('<&>', null),
    ];
    expect(toHtml(lines)).toBe(
      '<h1>Top</h1><ul><li>a<ol><li><strong>b</strong></li></ol></li><li>c</li></ul><div>&#60;&#38;&#62;</div>',
    );
  });
});

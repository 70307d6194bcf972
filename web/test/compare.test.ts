// Two revisions side by side, as a person reads them.

import { expect, test } from 'vitest';
import { Pool } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { wordDiff } from '../src/document/diff.ts';
import { PadDocument, textOf } from '../src/document/document.ts';
import { Runs } from '../src/document/runs.ts';
import { compare } from '../src/history/compare.ts';
import { changesOf } from '../src/history/compareState.ts';

const sets = new AttributeSets(new Pool());

type Piece = readonly [text: string, attributes?: Record<string, string>];

function document(...pieces: readonly Piece[]): PadDocument {
  const runs = pieces.map(
    ([text, attributes = {}]) =>
      [text.length, sets.id(sets.insertOf(Object.entries(attributes)))] as const,
  );
  return new PadDocument(textOf(pieces.map(([text]) => text).join('')), Runs.of(runs), sets);
}

const ADA = { author: 'a.ada' };
const BOB = { author: 'a.bob' };
const ITEM = { lmkr: '1', list: 'bullet1' };

// `+added+`, `-removed-`, `~restyled~`
function written(before: PadDocument, after: PadDocument): string {
  const { document, differences } = compare(before, after);
  expect(document.runs.length).toBe(document.length);
  const signs = { added: '+', removed: '-', restyled: '~' };
  let [text, at] = ['', 0];
  for (const { from, to, kind } of differences) {
    text += document.text.sliceString(at, from);
    text += signs[kind] + document.text.sliceString(from, to) + signs[kind];
    at = to;
  }
  return text + document.text.sliceString(at, document.length);
}

test('words are compared, and unchanged text has no colour', () => {
  const before = document(['The quick fox\nstays\n', ADA]);
  const after = document(['The ', ADA], ['slow', BOB], [' fox\nstays\n', ADA]);
  expect(written(before, after)).toBe('The -quick-+slow+ fox\nstays\n');
  const { document: page, differences } = compare(before, after);
  expect(differences.map(({ author }) => author)).toEqual(['a.ada', 'a.bob']);
  expect(sets.map(page.runs.at(0)).get('author')).toBeUndefined();
  expect(sets.map(page.runs.at(page.length - 3)).get('author')).toBeUndefined();
  expect(changesOf(differences)).toHaveLength(1);
});

test.each([
  ['a line more', ['a\nb\n'], ['a\nnew\nb\n'], 'a\n+new\n+b\n'],
  ['a line less', ['a\nold\nb\n'], ['a\nb\n'], 'a\n-old\n-b\n'],
  ['the end', ['a\n'], ['a\nb\n'], 'a\n+b\n+'],
  ['everything', ['a\n'], ['\n'], '-a-\n'],
  ['nothing', ['same\n'], ['same\n'], 'same\n'],
  [
    'other words',
    ['Welcome to you, all.\n'],
    ['One two three\n'],
    '-Welcome to you, all.-+One two three+\n',
  ],
  ['a word within', ['a b c d e\n'], ['a x c y e\n'], 'a -b-+x+ c -d-+y+ e\n'],
  // Half of a pair is nobody's letter.
  ['a picture', ['x😀\n'], ['x😁\n'], 'x-😀-+😁+\n'],
] as const)('%s', (_, [before], [after], expected) => {
  expect(written(document([before]), document([after]))).toBe(expected);
});

test('formats that changed are listed', () => {
  const before = document(['one two\n', ADA]);
  const after = document(['one ', ADA], ['two', { ...ADA, bold: 'true' }], ['\n', ADA]);
  expect(written(before, after)).toBe('one ~two~\n');
});

test('markers of lines stay at the start of lines', () => {
  const item = (text: string) => document(['*', ITEM], [`${text}\n`]);
  expect(written(document(['word\n']), item('word'))).toBe('+*+word\n');
  expect(written(document(['old\n']), item('new'))).toBe('+*+-old-+new+\n');
  expect(written(item('word'), document(['word\n']))).toBe('~~word\n');
  const two = document(['a\n'], ['*', ITEM], ['b\n']);
  expect(written(two, document(['a\n']))).toBe('a\n-*b\n-');
});

test('texts that have nothing in common take bounded time', () => {
  const lines = (word: string) =>
    Array.from({ length: 20_000 }, (_, i) => `${word} ${i} ${'and so on '.repeat(4)}\n`).join('');
  const [before, after] = [lines('before'), lines('after')];
  const change = wordDiff(before, after);
  expect([change.oldLen, change.newLen]).toEqual([before.length, after.length]);
});

// The lines that change between two settings files.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerpt, lineDiff } from '../src/admin/settings/diff.ts';

const shown = (before: string, after: string): string[] =>
  lineDiff(before, after).map(
    ({ kind, text }) => `${{ same: ' ', old: '-', new: '+' }[kind]}${text}`,
  );

describe('lines that change', () => {
  test('are listed, and the others are not', () => {
    expect(shown('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d']);
    expect(shown('', '')).toEqual([' ']);
    expect(shown('a', '')).toEqual(['-a', '+']);
  });

  test('give both texts back', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '')).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after);
        const without = (kind: string): string =>
          lines
            .filter((line) => line.kind !== kind)
            .map((line) => line.text)
            .join('\n');
        expect(without('new')).toBe(before);
        expect(without('old')).toBe(after);
      }),
    );
  });

  test('are shown with what is around them', () => {
    const before = 'abcdefghij'.split('').join('\n');
    const lines = excerpt(lineDiff(before, before.replace('e', 'E')), 1);
    expect(lines.map((line) => line?.text ?? '…')).toEqual(['…', 'd', 'e', 'E', 'f', '…']);
  });
});

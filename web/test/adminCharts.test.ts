// Charts: lines with gaps, and a round number above them.

import { expect, test } from 'vitest';
import { ceiling, HEIGHT, highest, newest, path, WIDTH } from '../src/admin/dashboard/plot.ts';

test('a round number is above all lines', () => {
  for (const [numbers, top] of [
    [[], 1],
    [[0, null], 1],
    [[0.3], 0.5],
    [[3, 7], 10],
    [[11], 20],
    [[20], 20],
    [[4_321], 5_000],
  ] as const) {
    expect(ceiling([numbers]), `${numbers}`).toBeCloseTo(top);
  }
  expect(ceiling([[1], [150]])).toBe(200);
});

test('a line ends where nothing is known, and a number alone is a dot', () => {
  expect(path([], 1)).toBe('');
  expect(path([null, null], 1)).toBe('');
  expect(path([0, 1], 1)).toBe(`M0 ${HEIGHT}L${WIDTH} 0`);
  expect(path([1, null, 1], 2)).toBe(`M0 ${HEIGHT / 2}h0M${WIDTH} ${HEIGHT / 2}h0`);
  expect(path([1, 1, null, 1, 1], 1).match(/M/g)).toHaveLength(2);
});

test('the newest and the highest are those that are known', () => {
  expect([newest([1, 3, 2, null]), highest([1, 3, 2, null])]).toEqual([2, 3]);
  expect([newest([null]), highest([null])]).toEqual([null, null]);
});

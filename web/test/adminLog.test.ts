// Which lines of the log a search and a level find.

import { expect, test } from 'vitest';
import { addLines, filterLines, type Level, type Line } from '../src/admin/log/lines.ts';

const line = (level: Level, from: string, text: string): Line => ({
  number: 0,
  at: 0,
  level,
  from,
  text,
});
const LINES = [
  line('ERROR', 'store', 'nothing can be stored: disk full'),
  line('WARN', 'updater', 'email send failed'),
  line('INFO', 'access', 'GET /p/notes status=200'),
  line('DEBUG', 'store', 'a batch of 3'),
];

test.each<[Level, string, number[]]>([
  ['DEBUG', '', [0, 1, 2, 3]],
  ['INFO', '', [0, 1, 2]],
  ['WARN', '', [0, 1]],
  ['ERROR', '', [0]],
  ['DEBUG', 'store', [0, 3]],
  ['WARN', 'store', [0]],
  ['DEBUG', '  FULL disk ', [0]],
  ['DEBUG', 'status=200 get', [2]],
  ['DEBUG', 'nowhere', []],
])('from %s on, searched for "%s"', (level, search, expected) => {
  expect(filterLines(LINES, level, search)).toEqual(expected.map((at) => LINES[at]));
});

test('new lines come first, and requests do not push out errors', () => {
  const error = line('ERROR', 'store', 'broken');
  let lines = addLines([], [error, line('INFO', 'access', 'first')]);
  expect(lines.map(({ text }) => text)).toEqual(['first', 'broken']);
  for (let round = 0; round < 50; round++) {
    const came = Array.from({ length: 100 }, () => line('INFO', 'access', `${round}`));
    lines = addLines(lines, came);
  }
  expect(lines).toHaveLength(1_601);
  expect(lines[0]?.text).toBe('49');
  expect(lines.at(-1)).toBe(error);
});

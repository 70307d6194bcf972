// How long ago something was, in words.

import { expect, test } from 'vitest';
import { ago } from '../src/home/ago.ts';

const at = (text: string): number => new Date(text).getTime();
const NOW = at('2026-11-18T12:00:00');

test.each([
  ['2026-11-18T12:05:00', 'now'],
  ['2026-11-18T11:59:30', 'now'],
  ['2026-11-18T11:59:00', '1 minute ago'],
  ['2026-11-18T09:30:00', '2 hours ago'],
  ['2026-11-17T13:00:00', '23 hours ago'],
  ['2026-11-17T11:00:00', 'yesterday'],
  ['2026-11-16T13:00:00', '2 days ago'],
  ['2026-11-10T12:00:00', 'last week'],
  ['2026-10-01T12:00:00', 'last month'],
  ['2024-01-01T12:00:00', '2 years ago'],
])('%s is %s', (time, words) => {
  expect(ago(at(time), NOW, 'en')).toBe(words);
});

test('in the words of the language', () => {
  expect(ago(at('2026-11-17T11:00:00'), NOW, 'de')).toBe('gestern');
  expect(ago(at('2026-11-18T11:59:30'), NOW, 'fr')).toBe('maintenant');
});

// What opens a list of suggestions, and what does not.

import { expect, test } from 'vitest';
import { mentionsName } from '../src/pad/panel/mentionsName.ts';
import { EMOJI } from '../src/pad/suggest/emoji.ts';
import { findCommand, findEmoji, findPerson } from '../src/pad/suggest/find.ts';

test.each([
  ['/', { from: 0, query: '' }],
  ['/head', { from: 0, query: 'head' }],
  ['text /heading 2', { from: 5, query: 'heading 2' }],
  ['/über', { from: 0, query: 'über' }],
  ['and/or', null],
  ['/usr/bin', null],
  ['https://example.org', null],
  ['1 / 2', null],
  ['/ ', null],
])('command: %s', (text, found) => {
  expect(findCommand(text)).toEqual(found);
});

test.each([
  [':sm', { from: 0, query: 'sm', isComplete: false }],
  ['so :smile:', { from: 3, query: 'smile', isComplete: true }],
  ['(:+1', { from: 1, query: '+1', isComplete: false }],
  [':s', null],
  ['10:30', null],
  ['a:smile', null],
  ['https://x', null],
  ['::', null],
])('emoji: %s', (text, found) => {
  expect(findEmoji(text)).toEqual(found);
});

test.each([
  ['@', { from: 0, query: '' }],
  ['hi @Ada Lo', { from: 3, query: 'Ada Lo' }],
  ['(@ada', { from: 1, query: 'ada' }],
  ['me@example', null],
  ['@ada and then', null],
])('person: %s', (text, found) => {
  expect(findPerson(text)).toEqual(found);
});

test('every emoji has names, and no name means two', () => {
  const names = EMOJI.flatMap(([, names]) => names);
  expect(EMOJI.length).toBeGreaterThan(300);
  expect(EMOJI.filter(([sign, names]) => !sign || names.length === 0)).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z\d_+-]{1,30}$/.test(name))).toEqual([]);
});

test.each([
  ['@Ada look', 'Ada', true],
  ['look, ada!', 'Ada', true],
  ['Adam and Nevada', 'Ada', false],
  ['(Ada Lovelace)', 'Ada Lovelace', true],
  ['100 % a+b', 'a+b', true],
  ['Åda', 'da', false],
  ['anything', ' ', false],
])('%s speaks of %s: %s', (text, name, expected) => {
  expect(mentionsName(text, name)).toBe(expected);
});

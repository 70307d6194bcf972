// Finding commands by words.

import { expect, test } from 'vitest';
import { KEYS } from '../src/editor/keyTable.ts';
import { COMMANDS, type Command } from '../src/pad/commands.ts';
import { isKey } from '../src/pad/keys.ts';
import { search } from '../src/pad/palette/search.ts';

const items = [
  { label: 'Bulleted list' },
  { label: 'Numbered list' },
  { label: 'Heading 1', words: 'h1' },
  { label: 'Heading 2', words: 'h2' },
  { label: 'Überschrift' },
  { label: 'Highlight: Yellow' },
  { label: 'リスト' },
];

test.each([
  ['list', ['Bulleted list', 'Numbered list']],
  ['num li', ['Numbered list']],
  ['h2', ['Heading 2']],
  ['hea', ['Heading 1', 'Heading 2']],
  ['uber', ['Überschrift', 'Numbered list']],
  ['hlt', ['Highlight: Yellow']],
  ['yel high', ['Highlight: Yellow']],
  ['リス', ['リスト']],
  ['xyz', []],
  ['', items.map(({ label }) => label)],
])('%s', (query, labels) => {
  expect(search(items, query).map(({ label }) => label)).toEqual(labels);
});

test('no two commands have one key, and keys are there once', () => {
  const keys = Object.values<Command>(COMMANDS).flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(Object.values(KEYS)).size).toBe(Object.keys(KEYS).length);
});

const key = (key: string, code: string, ...modifiers: string[]) =>
  ({
    key,
    code,
    ctrlKey: modifiers.includes('ctrl'),
    metaKey: modifiers.includes('meta'),
    altKey: modifiers.includes('alt'),
    shiftKey: modifiers.includes('shift'),
  }) as KeyboardEvent;

test.each([
  ['Ctrl+S', key('s', 'KeyS', 'ctrl'), true],
  ['Ctrl+S', key('S', 'KeyS', 'ctrl', 'shift'), false],
  ['Ctrl+S', key('ы', 'KeyS', 'meta'), true],
  ['Ctrl+S', key('o', 'KeyS', 'ctrl'), false],
  ['Alt+C', key('ç', 'KeyC', 'alt'), true],
  ['Alt+C', key('c', 'KeyC', 'alt', 'ctrl'), false],
  ['Ctrl+Shift+2', key('@', 'Digit2', 'ctrl', 'shift'), true],
  ['Ctrl+Shift+P', key('P', 'KeyP', 'ctrl', 'shift'), true],
  ['Ctrl+/', key('/', 'Digit7', 'ctrl', 'shift'), true],
  ['Alt+F9', key('F9', 'F9', 'alt'), true],
  ['F6', key('F6', 'F6', 'shift'), true],
  ['F6', key('F6', 'F6', 'ctrl'), false],
])('%s', (keys, event, expected) => {
  expect(isKey(keys, event)).toBe(expected);
});

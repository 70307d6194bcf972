// The catalogue of plugins, searched and sorted.

import { describe, expect, test } from 'vitest';
import { type Plugin, type Sort, select } from '../src/admin/plugins/catalogue.ts';
import { folderForm } from '../src/admin/plugins/folder.ts';
import { isEverywhere, padLines, shownValue } from '../src/admin/plugins/installed.ts';
import { reachable } from '../src/admin/plugins/sandbox.tsx';

function plugin(name: string, more: Partial<Plugin> = {}): Plugin {
  return {
    name,
    description: null,
    version: null,
    time: null,
    official: false,
    builtIn: null,
    ...more,
  };
}

const PLUGINS = [
  plugin('ep_b', { description: 'Makes Text bold', time: '2024-01-02' }),
  plugin('ep_a', { time: 'long ago' }),
  plugin('ep_c', { description: 'Colours of text', time: '2023-05-06', builtIn: 'clear' }),
];

function names(search: string, sort: Sort = 'name'): string {
  return select(PLUGINS, search, sort)
    .map(({ name }) => name.slice(3))
    .join('');
}

describe('the catalogue of plugins', () => {
  test('is searched by all words, in names and descriptions', () => {
    expect(names('')).toBe('abc');
    expect(names(' text ')).toBe('bc');
    expect(names('TEXT bold')).toBe('b');
    expect(names('ep_a')).toBe('a');
    expect(names('nothing like it')).toBe('');
  });

  test('is sorted; what is equal is in the order of names', () => {
    expect(names('', 'updated')).toBe('bca');
    expect(names('', 'here')).toBe('cab');
  });
});

test('a setting may be called as what all objects have', () => {
  const setting = { key: 'constructor', value: 'mine' };
  expect(shownValue({}, setting)).toBe('mine');
  expect(shownValue({ constructor: 'other' }, setting)).toBe('other');
  expect(shownValue({}, { key: 'toString', value: null })).toBe('');
});

test('patterns of pads are lines', () => {
  expect(padLines(' minutes-*\n\r\n g.*$*')).toEqual(['minutes-*', 'g.*$*']);
  expect(padLines(' \n')).toEqual([]);
  expect([['a', '*'], ['a*']].map(isEverywhere)).toEqual([true, false]);
});

test('what the kernel does not keep a plugin from is named', () => {
  const tight = { noFiles: true, noNetwork: true, noProcesses: true, inherited: 0 };
  expect(reachable(tight)).toEqual([]);
  expect(reachable({ ...tight, noFiles: false })).toEqual(['plugins.sandbox.files']);
  expect(reachable({ ...tight, noNetwork: false, inherited: 1 })).toEqual([
    'plugins.sandbox.network',
    'plugins.sandbox.inherited',
  ]);
  expect(reachable({ ...tight, noProcesses: false })).toEqual(['plugins.sandbox.processes']);
});

describe('the folder of a plugin', () => {
  const file = (path: string, size = 1) =>
    Object.assign(new Blob(['x'.repeat(size)]), { webkitRelativePath: path });

  test('is a form with a field for each file; what is hidden stays', async () => {
    const files = ['a/plugin.json', 'a/locales/en.json', 'a/.git/config', 'a/assets/.DS_Store'];
    const form = await folderForm(files.map((path) => file(path)));
    expect([...(form?.keys() ?? [])]).toEqual(['plugin.json', 'locales/en.json']);
  });

  test('is not sent if no plugin is so large', async () => {
    expect(await folderForm([file('a/film.mp4', 9 * 1024 * 1024)])).toBeNull();
    const many = Array.from({ length: 201 }, (_, number) => file(`a/${number}`));
    expect(await folderForm(many)).toBeNull();
    const hidden = Array.from({ length: 201 }, (_, number) => file(`a/.git/${number}`));
    expect(await folderForm(hidden)).not.toBeNull();
  });
});

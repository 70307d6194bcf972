// What the list of pads is asked for, and what its address says.

import { describe, expect, test } from 'vitest';
import type { Api } from '../src/admin/api.ts';
import { asked, createList, readQuery, writeQuery } from '../src/admin/pads/list.ts';

const NOW = 1_000 * 24 * 60 * 60 * 1000;
const day = (number: number): string => `${number * 24 * 60 * 60 * 1000}`;

describe('the address of a list', () => {
  const rows: [string, Record<string, string>][] = [
    ['', { sort: 'edited', order: 'desc' }],
    ['?sort=name', { sort: 'name', order: 'asc' }],
    ['?sort=name&from=be', { sort: 'name', order: 'asc', from: 'be' }],
    // A name to begin at makes no sense in another order.
    ['?sort=edited&from=be', { sort: 'edited', order: 'desc' }],
    ['?age=%3C7', { sort: 'edited', order: 'desc', since: day(993) }],
    ['?age=%3E30', { sort: 'edited', order: 'desc', before: day(970) }],
    ['?age=tomorrow&size=12&sort=odd', { sort: 'edited', order: 'desc' }],
    ['?sort=bytes&size=1000000', { sort: 'bytes', order: 'desc', bytes: '1000000' }],
    [
      '?group=g.abc&filter=ungrouped',
      { sort: 'edited', order: 'desc', group: 'g.abc', filter: 'ungrouped' },
    ],
  ];
  test.each(rows)('%s is asked for', (address, expected) => {
    const query = readQuery(address);
    const wishes = Object.entries(asked(query, NOW)).filter(([, value]) => value !== '');
    expect(Object.fromEntries(wishes)).toEqual(expected);
    expect(readQuery(writeQuery(query))).toEqual(query);
  });
});

test('the number of all pads stays while one goes on', async () => {
  const answers = [
    { pads: [], next: null, total: 7, measured: null, weighing: false },
    { pads: [], next: null, total: null, measured: null, weighing: false },
  ];
  const get = () => Promise.resolve(answers.shift());
  const list = createList({ get } as unknown as Api, readQuery(''));
  await list.load();
  await list.forth();
  expect(list.total.value).toBe(7);
});

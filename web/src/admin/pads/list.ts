// The list of pads: what is asked for, the page that is shown, and the way back.

import { batch, signal } from '@preact/signals';
import type { Api } from '../api.ts';
import { createRows, type Stretch } from '../rows.ts';

export interface PadLine {
  id: string;
  // Null if nobody has given it one.
  title: string | null;
  revisions: number;
  bytes: number;
  edited: number;
  created: number;
  messages: number;
  people: number;
}

interface Answer {
  pads: PadLine[];
  next: string | null;
  // How many pads there are at all; null where a page goes on.
  total: number | null;
  // When it was seen which pads are the largest, if they are asked for.
  measured: number | null;
  // That is being found out.
  weighing: boolean;
}

export const SORTS = ['name', 'edited', 'created', 'revisions', 'bytes', 'people'] as const;
export const FILTERS = ['', 'occupied', 'groups', 'ungrouped', 'untouched'] as const;
// Days since the last change: so many at most, or more than that.
export const AGES = ['', '<1', '<7', '>30', '>90', '>365'] as const;
export const SIZES = [0, 100_000, 1_000_000, 10_000_000] as const;

export type Sort = (typeof SORTS)[number];
export type Filter = (typeof FILTERS)[number];
export type Age = (typeof AGES)[number];

export interface Query {
  search: string;
  filter: Filter;
  sort: Sort;
  descending: boolean;
  // The id of a group, if its pads alone are wanted.
  group: string;
  age: Age;
  // How many bytes a pad takes at least.
  size: number;
  // The name to begin at.
  from: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
// Weighing takes seconds, with very many pads.
const WEIGHING_MS = 2000;

export type List = ReturnType<typeof createList>;

export function createList(api: Api, first: Query) {
  const query = signal(first);
  // Where the pages before this one began.
  const before = signal<readonly (string | null)[]>([]);
  let start: string | null = null;
  const total = signal<number | null>(null);
  const measured = signal<number | null>(null);
  const weighing = signal(false);

  const ask = async (after: string | null, limit: number): Promise<Stretch<PadLine>> => {
    const wishes = new URLSearchParams({ ...asked(query.peek(), Date.now()), limit: `${limit}` });
    if (after !== null) wishes.set('after', after);
    const answer = await api.get<Answer>(`api/pads?${wishes}`);
    const { pads, next } = answer;
    batch(() => {
      if (answer.total !== null) total.value = answer.total;
      measured.value = answer.measured;
      weighing.value = answer.weighing;
    });
    return { rows: pads, next };
  };
  const { rows, next, loading, problem, load: loadFrom } = createRows(ask);
  const load = async (): Promise<void> => {
    await loadFrom(start);
    if (weighing.value) setTimeout(() => weighing.value && void load(), WEIGHING_MS);
  };

  const change = (wish: Partial<Query>): Promise<void> => {
    batch(() => {
      query.value = { ...query.value, ...wish };
      before.value = [];
    });
    start = null;
    return load();
  };

  const forth = (): Promise<void> => {
    before.value = [...before.value, start];
    start = next.value;
    return load();
  };

  const back = (): Promise<void> => {
    start = before.value.at(-1) ?? null;
    before.value = before.value.slice(0, -1);
    return load();
  };

  // The names of all pads that are asked for, as many as there is room for.
  const everything = async (most: number): Promise<string[]> => {
    let names: string[] = [];
    let after: string | null = null;
    do {
      const answer: Stretch<PadLine> = await ask(after, 200);
      names = [...names, ...answer.rows.map(({ id }) => id)];
      after = answer.next;
    } while (after !== null && names.length < most);
    return names.slice(0, most);
  };

  const shown = { rows, next, before, total, measured, weighing, loading, problem };
  return { query, ...shown, load, change, forth, back, everything };
}

// What the server is asked for.
export function asked(query: Query, now: number): Record<string, string> {
  const { search, filter, sort, group, age, size, from } = query;
  const order = query.descending ? 'desc' : 'asc';
  const time = `${now - Number(age.slice(1)) * DAY_MS}`;
  return {
    search,
    filter,
    sort,
    order,
    group,
    ...(age && { [age.startsWith('<') ? 'since' : 'before']: time }),
    ...(size && { bytes: `${size}` }),
    ...(sort === 'name' && { from }),
  };
}

// The wishes of an address, so that a list can be linked to.
export function readQuery(search: string): Query {
  const wishes = new URLSearchParams(search);
  const oneOf = <T extends string>(name: string, values: readonly T[], usual: T): T =>
    values.find((value) => value === wishes.get(name)) ?? usual;
  const sort = oneOf('sort', SORTS, 'edited');
  return {
    search: wishes.get('search') ?? '',
    filter: oneOf('filter', FILTERS, ''),
    sort,
    descending: oneOf('order', ['asc', 'desc'], sort === 'name' ? 'asc' : 'desc') === 'desc',
    group: wishes.get('group') ?? '',
    age: oneOf('age', AGES, ''),
    size: SIZES.find((size) => `${size}` === wishes.get('size')) ?? 0,
    from: wishes.get('from') ?? '',
  };
}

export function writeQuery({ sort, descending, ...others }: Query): string {
  const wishes = new URLSearchParams({ sort, order: descending ? 'desc' : 'asc' });
  for (const [name, value] of Object.entries(others)) if (value) wishes.set(name, `${value}`);
  return `?${wishes}`;
}

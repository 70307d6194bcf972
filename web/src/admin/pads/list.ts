// The list of pads: what is asked for, the page that is shown, and the way back.
//
// Invariant: the newest question wins; an answer to an older one is dropped. A search that looks
// through many pads asks again and again, each time for a stretch of them, until a page is full.

import { batch, signal } from '@preact/signals';
import type { Api } from '../api.ts';

export const PAGE_ROWS = 50;

export interface PadLine {
  id: string;
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
}

export type Sort = 'name' | 'edited' | 'created' | 'revisions';
export type Filter = '' | 'occupied' | 'groups' | 'untouched';

export interface Query {
  search: string;
  filter: Filter;
  sort: Sort;
  descending: boolean;
}

export type List = ReturnType<typeof createList>;

export function createList(api: Api, first: Query) {
  const query = signal(first);
  const rows = signal<readonly PadLine[]>([]);
  const next = signal<string | null>(null);
  // Where the pages before this one began.
  const before = signal<readonly (string | null)[]>([]);
  const loading = signal(true);
  const problem = signal('');
  let start: string | null = null;
  let newest = 0;

  const ask = (after: string | null, limit: number): Promise<Answer> => {
    const { search, filter, sort, descending } = query.peek();
    const order = descending ? 'desc' : 'asc';
    const wishes = new URLSearchParams({ search, filter, sort, order, limit: `${limit}` });
    if (after !== null) wishes.set('after', after);
    return api.get(`api/pads?${wishes}`);
  };

  const load = async (): Promise<void> => {
    newest += 1;
    const mine = newest;
    batch(() => {
      loading.value = true;
      problem.value = '';
    });
    let found: PadLine[] = [];
    let after = start;
    try {
      do {
        const answer = await ask(after, PAGE_ROWS - found.length);
        if (mine !== newest) return;
        found = [...found, ...answer.pads];
        after = answer.next;
        rows.value = found;
      } while (after !== null && found.length < PAGE_ROWS);
    } catch (error) {
      if (mine === newest) problem.value = error instanceof Error ? error.message : `${error}`;
    }
    if (mine !== newest) return;
    batch(() => {
      rows.value = found;
      next.value = after;
      loading.value = false;
    });
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
      const answer: Answer = await ask(after, 200);
      names = [...names, ...answer.pads.map(({ id }) => id)];
      after = answer.next;
    } while (after !== null && names.length < most);
    return names.slice(0, most);
  };

  return { query, rows, next, before, loading, problem, load, change, forth, back, everything };
}

// The wishes of an address, so that a list can be linked to.
export function readQuery(search: string): Query {
  const wishes = new URLSearchParams(search);
  const oneOf = <T extends string>(name: string, values: readonly T[], usual: T): T =>
    values.find((value) => value === wishes.get(name)) ?? usual;
  const sort = oneOf('sort', ['name', 'edited', 'created', 'revisions'], 'edited');
  return {
    search: wishes.get('search') ?? '',
    filter: oneOf('filter', ['', 'occupied', 'groups', 'untouched'], ''),
    sort,
    descending: oneOf('order', ['asc', 'desc'], sort === 'name' ? 'asc' : 'desc') === 'desc',
  };
}

export function writeQuery({ search, filter, sort, descending }: Query): string {
  const wishes = new URLSearchParams({ sort, order: descending ? 'desc' : 'asc' });
  if (search) wishes.set('search', search);
  if (filter) wishes.set('filter', filter);
  return `?${wishes}`;
}

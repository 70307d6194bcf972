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
  // Where the pages before this one began.
  const before = signal<readonly (string | null)[]>([]);
  let start: string | null = null;

  const ask = async (after: string | null, limit: number): Promise<Stretch<PadLine>> => {
    const { search, filter, sort, descending } = query.peek();
    const order = descending ? 'desc' : 'asc';
    const wishes = new URLSearchParams({ search, filter, sort, order, limit: `${limit}` });
    if (after !== null) wishes.set('after', after);
    const { pads, next } = await api.get<Answer>(`api/pads?${wishes}`);
    return { rows: pads, next };
  };
  const { rows, next, loading, problem, load: loadFrom } = createRows(ask);
  const load = (): Promise<void> => loadFrom(start);

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

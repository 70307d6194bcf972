// The authors, those who were here last first, as many as were asked for.

import type { Api } from '../api.ts';
import { createRows } from '../rows.ts';

export interface Author {
  id: string;
  name: string | null;
  colour: string;
  created: number;
  seen: number;
  erased: number | null;
}

interface Answer {
  authors: Author[];
  next: string | null;
}

export type Authors = ReturnType<typeof createAuthors>;

export function createAuthors(api: Api) {
  let search = '';
  const list = createRows<Author>(async (after) => {
    const wishes = new URLSearchParams({ search });
    if (after !== null) wishes.set('after', after);
    const { authors, next } = await api.get<Answer>(`api/authors?${wishes}`);
    return { rows: authors, next };
  });
  return {
    ...list,
    find: (wish: string) => {
      search = wish;
      return list.load(null);
    },
    more: () => list.load(list.next.peek(), list.rows.peek()),
  };
}

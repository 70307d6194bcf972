// The authors, those who were here last first, as many as were asked for.
//
// Invariant: the newest question wins; an answer to an older one is dropped.

import { batch, signal } from '@preact/signals';
import type { Api } from '../api.ts';

const ENOUGH = 50;

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
  const rows = signal<readonly Author[]>([]);
  const next = signal<string | null>(null);
  const loading = signal(true);
  const problem = signal('');
  let search = '';
  let newest = 0;

  // Until so many more are there, or all.
  const load = async (before: readonly Author[], from: string | null): Promise<void> => {
    newest += 1;
    const mine = newest;
    batch(() => {
      loading.value = true;
      problem.value = '';
    });
    let found = before;
    let after = from;
    try {
      do {
        const wishes = new URLSearchParams({ search, ...(after ? { after } : {}) });
        const answer = await api.get<Answer>(`api/authors?${wishes}`);
        if (mine !== newest) return;
        found = [...found, ...answer.authors];
        after = answer.next;
      } while (after !== null && found.length - before.length < ENOUGH);
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

  return {
    rows,
    next,
    loading,
    problem,
    find: (wish: string) => {
      search = wish;
      return load([], null);
    },
    more: () => load(rows.peek(), next.peek()),
  };
}

// Rows of a list, asked for until there are enough of them.
//
// Invariant: the newest question wins; an answer to an older one is dropped. A search that looks
// through many rows asks again and again, each time for a stretch of them, until a page is full.

import { batch, signal } from '@preact/signals';

export const PAGE_ROWS = 50;

export interface Stretch<Row> {
  rows: readonly Row[];
  // Where the next one begins.
  next: string | null;
}

type Ask<Row> = (after: string | null, limit: number) => Promise<Stretch<Row>>;

export function createRows<Row>(ask: Ask<Row>) {
  const rows = signal<readonly Row[]>([]);
  const next = signal<string | null>(null);
  const loading = signal(true);
  const problem = signal('');
  let newest = 0;

  // A page behind a place, after rows that stay.
  const load = async (from: string | null, before: readonly Row[] = []): Promise<void> => {
    newest += 1;
    const mine = newest;
    const full = before.length + PAGE_ROWS;
    batch(() => {
      loading.value = true;
      problem.value = '';
    });
    let found = before;
    let after = from;
    try {
      do {
        const stretch = await ask(after, full - found.length);
        if (mine !== newest) return;
        found = [...found, ...stretch.rows];
        after = stretch.next;
        rows.value = found;
      } while (after !== null && found.length < full);
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

  return { rows, next, loading, problem, load };
}

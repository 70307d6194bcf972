// Periods of writing, newest first: who wrote when, asked for page by page.
//
// Invariant: one request at a time. What is known is a stretch without gaps that ends at the newest
// revision that the server knew when it was asked.

import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { type Json, listOf, numberOf, objectOf } from '../net/messages.ts';

// How often what is new is asked for, at most: while people write there are several revisions in a second.
const REFRESH_MS = 5_000;

export interface Period {
  // Numbers of revisions.
  readonly first: number;
  readonly last: number;
  readonly began: number;
  readonly ended: number;
  readonly authors: readonly string[];
  // How many authors are not named.
  readonly others: number;
}

export class Periods {
  readonly list: ReadonlySignal<readonly Period[]>;
  readonly hasOlder: ReadonlySignal<boolean>;
  readonly #list = signal<readonly Period[]>([]);
  readonly #hasOlder = signal(false);
  readonly #ask: (before: number | null) => void;
  #next: number | null = null;
  #asked: 'newest' | 'older' | null = null;
  #refreshed = 0;

  constructor(ask: (before: number | null) => void) {
    this.#ask = ask;
    this.list = this.#list;
    this.hasOlder = this.#hasOlder;
  }

  // A connection has begun; what an earlier one was asked it does not answer.
  joined(): void {
    this.#asked = null;
    this.refresh();
  }

  // What has been written since.
  refresh(): void {
    this.#refreshed = Date.now();
    this.#request('newest', null);
  }

  // Keeps up with the newest revision, until the function that it gives is called.
  follow(head: ReadonlySignal<number>): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = effect(() => {
      const [newest] = this.#list.value;
      if (!newest || head.value <= newest.last || timer !== undefined) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          this.refresh();
        },
        Math.max(0, this.#refreshed + REFRESH_MS - Date.now()),
      );
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }

  loadOlder(): void {
    if (this.#next !== null) this.#request('older', this.#next);
  }

  answered(data: Json): void {
    const asked = this.#asked;
    this.#asked = null;
    if (!asked) return;
    const found = listOf(data.periods).map(periodOf);
    const next = typeof data.next === 'number' ? data.next : null;
    const known = this.#list.peek();
    if (asked === 'older') {
      this.#list.value = [...known, ...found];
      this.#next = next;
    } else {
      const oldest = found.at(-1)?.first ?? 0;
      const kept = known.filter(({ last }) => last < oldest);
      this.#list.value = [...found, ...kept];
      if (kept.length === 0) this.#next = next;
    }
    this.#hasOlder.value = this.#next !== null;
  }

  periodOf(revision: number): Period | undefined {
    return this.#list.value.find(({ first, last }) => first <= revision && revision <= last);
  }

  #request(what: 'newest' | 'older', before: number | null): void {
    if (this.#asked) return;
    this.#asked = what;
    this.#ask(before);
  }
}

function periodOf(value: unknown): Period {
  const period = objectOf(value);
  return {
    first: numberOf(period.first),
    last: numberOf(period.last),
    began: numberOf(period.began),
    ended: numberOf(period.ended),
    authors: listOf(period.authors).filter((author) => typeof author === 'string'),
    others: numberOf(period.others),
  };
}

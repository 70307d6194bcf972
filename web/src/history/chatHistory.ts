// Chat history of a pad up to a moment, fetched by pages.
//
// Messages are asked for by pages, one at a time. In which page a moment is, is found by halving,
// so that few of them are needed.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { ChatMessage } from '../net/messages.ts';

export const PAGE_MESSAGES = 50;
// As many as are kept.
const MOST_PAGES = 100;

type Messages = readonly ChatMessage[];

export class ChatHistory {
  // The last ones before the moment; null until they are known.
  readonly said: ReadonlySignal<Messages | null>;
  readonly #said = signal<Messages | null>(null);
  readonly #ask: (first: number, last: number) => void;
  readonly #pages = new Map<number, Messages>();
  #count = 0;
  #asked: number | null = null;
  #moment: number | null = null;

  constructor(ask: (first: number, last: number) => void) {
    this.#ask = ask;
    this.said = this.#said;
  }

  joined(count: number): void {
    this.#count = count;
    this.#asked = null;
    this.#pages.clear();
    this.#advance();
  }

  answered(messages: Messages): void {
    if (this.#asked === null) return;
    if (this.#pages.size >= MOST_PAGES) this.#pages.clear();
    this.#pages.set(this.#asked, messages);
    this.#asked = null;
    this.#advance();
  }

  // Somebody has said something just now.
  grew(): void {
    // It is not whole any more.
    this.#pages.delete(pageOf(this.#count));
    this.#count++;
    this.#advance();
  }

  // With null nobody wants to know.
  upTo(moment: number | null): void {
    this.#moment = moment;
    this.#advance();
  }

  #advance(): void {
    const moment = this.#moment;
    if (moment === null || this.#asked !== null) return;
    if (this.#count === 0) {
      this.#said.value = [];
      return;
    }
    let [low, high] = [0, pageOf(this.#count - 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const page = this.#page(middle);
      if (!page) return;
      if ((page[0]?.time ?? Infinity) <= moment) low = middle;
      else high = middle - 1;
    }
    const page = this.#page(low);
    const before = low > 0 && page ? this.#page(low - 1) : [];
    if (!page || !before) return;
    this.#said.value = [...before, ...page].filter(({ time }) => time <= moment);
  }

  #page(number: number): Messages | undefined {
    const page = this.#pages.get(number);
    if (!page && this.#asked === null) {
      this.#asked = number;
      const first = number * PAGE_MESSAGES;
      this.#ask(first, Math.min(first + PAGE_MESSAGES, this.#count) - 1);
    }
    return page;
  }
}

function pageOf(message: number): number {
  return Math.floor(message / PAGE_MESSAGES);
}

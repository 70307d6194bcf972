// Things to say once, in order.

import { type ReadonlySignal, signal } from '@preact/signals';
import type { Notice } from '../live.ts';

// Nobody reads more.
const MOST = 50;

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;
export type NewNotice = Unnumbered<Notice>;

export class Notices {
  readonly #notices = signal<readonly Notice[]>([]);
  #next = 1;

  get signal(): ReadonlySignal<readonly Notice[]> {
    return this.#notices;
  }

  say(notice: NewNotice): void {
    const numbered = { ...notice, id: this.#next++ } as Notice;
    this.#notices.value = [...this.#notices.peek(), numbered].slice(-MOST);
  }

  dismiss(id: number): void {
    this.#notices.value = this.#notices.peek().filter((notice) => notice.id !== id);
  }
}

// What is kept in the browser for its author: what is not sent yet, drafts of earlier visits, changes
// that the server refused. The part that does it comes a moment after the text.
//
// Invariant: what is to be kept before that part is here waits for it, and it is asked for until it
// comes. Until then `works` says no, and the page warns whoever leaves with something unsent.

import { signal } from '@preact/signals';
import type { Replica } from '../../collab/replica.ts';
import type { PadDocument } from '../../document/document.ts';
import type { Journal, KeptChanges } from '../../draft/journal.ts';
import { later } from '../../load/later.ts';
import type { Draft, Rejected } from '../live.ts';
import type { Kept } from './kept.ts';
import type { Sync } from './sync.ts';

const AGAIN_MS = 3_000;

const part = later(async () => {
  const [{ Journal }, { Kept }] = await Promise.all([
    import('../../draft/journal.ts'),
    import('./kept.ts'),
  ]);
  return { Journal, Kept };
});

interface Parts {
  readonly journal: Journal;
  readonly kept: Kept;
}

export class Keeping {
  readonly draft = signal<Draft | null>(null);
  readonly rejected = signal<Rejected | null>(null);
  readonly #padId: string;
  readonly #refused: () => void;
  #parts: Parts | null = null;
  #waiting: ((kept: Kept) => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  // The listener hears when the browser refuses to keep anything.
  constructor(padId: string, refused: () => void) {
    this.#padId = padId;
    this.#refused = refused;
  }

  get works(): boolean {
    return this.#parts?.journal.works ?? false;
  }

  // Once the text is there.
  async start(sync: Sync): Promise<void> {
    try {
      const { Journal, Kept } = await part.load();
      const journal = new Journal(this.#padId, this.#refused);
      const kept = new Kept(sync, journal, this.draft, this.rejected);
      const found = await journal.open();
      this.#parts = { journal, kept };
      kept.found(found);
      for (const act of this.#waiting.splice(0)) act(kept);
      if (sync.replica) journal.touch(sync.replica);
    } catch {
      this.#timer = setTimeout(() => void this.start(sync), AGAIN_MS);
    }
  }

  touch(replica: Replica<PadDocument>): void {
    this.#parts?.journal.touch(replica);
  }

  flush(replica: Replica<PadDocument>): void {
    this.#parts?.journal.flush(replica);
  }

  setAside(unsent: KeptChanges): void {
    this.#keep((kept) => kept.setAside(unsent));
  }

  refused(unsent: KeptChanges): void {
    this.#keep((kept) => kept.refused(unsent));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#parts?.journal.close();
  }

  #keep(act: (kept: Kept) => void): void {
    if (this.#parts) act(this.#parts.kept);
    else this.#waiting.push(act);
  }
}

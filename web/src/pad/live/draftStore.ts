// Unsent changes, drafts of earlier visits and rejected changes, kept in the browser. The code is
// loaded a moment after the text.
//
// Invariant: what has to be stored before that code is there is queued, and loading is retried until
// it succeeds. Until then `works` is false, and the page warns people who leave with something unsent.

import { signal } from '@preact/signals';
import type { Replica } from '../../collab/replica.ts';
import type { PadDocument } from '../../document/document.ts';
import type { Journal, UnsentChanges } from '../../draft/journal.ts';
import { afterPaint, later } from '../../load/later.ts';
import { windowName } from '../../net/early.ts';
import type { Session } from '../../net/session.ts';
import type { Draft, Rejected } from '../live.ts';
import type { Drafts } from './drafts.ts';
import type { Sync } from './sync.ts';

const AGAIN_MS = 3_000;

const part = later(async () => {
  const [{ Journal }, { Drafts }] = await Promise.all([
    import('../../draft/journal.ts'),
    import('./drafts.ts'),
  ]);
  return { Journal, Drafts };
});

// As the connection that the page began with has named it.
const WINDOW = window.earlySocket?.window ?? windowName();

interface Parts {
  readonly journal: Journal;
  readonly drafts: Drafts;
}

export class DraftStore {
  readonly draft = signal<Draft | null>(null);
  readonly rejected = signal<Rejected | null>(null);
  readonly #padId: string;
  readonly #refused: () => void;
  #parts: Parts | null = null;
  #waiting: ((drafts: Drafts) => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  // The listener hears when the browser refuses to keep anything.
  constructor(padId: string, refused: () => void) {
    this.#padId = padId;
    this.#refused = refused;
  }

  get works(): boolean {
    return this.#parts?.journal.works ?? false;
  }

  // What the server learns with every connection: this window, and those whose drafts it took up.
  get windows(): { window: string; endWindows: readonly string[] } {
    return { window: WINDOW, endWindows: this.#parts?.drafts.ended ?? [] };
  }

  // Once the text is there.
  async start(sync: Sync, session: Session): Promise<void> {
    try {
      await afterPaint();
      const { Journal, Drafts } = await part.load();
      const journal = new Journal(this.#padId, this.#refused);
      const drafts = new Drafts(sync, session, journal, this.draft, this.rejected);
      const found = await journal.open(WINDOW);
      this.#parts = { journal, drafts };
      void drafts.found(found);
      for (const act of this.#waiting.splice(0)) act(drafts);
      if (sync.replica) journal.touch(sync.replica);
    } catch {
      this.#timer = setTimeout(() => void this.start(sync, session), AGAIN_MS);
    }
  }

  touch(replica: Replica<PadDocument>): void {
    this.#parts?.journal.touch(replica);
  }

  flush(replica: Replica<PadDocument>): void {
    this.#parts?.journal.flush(replica);
  }

  setAside(unsent: UnsentChanges): void {
    this.#keep((drafts) => drafts.setAside(unsent));
  }

  refused(unsent: UnsentChanges): void {
    this.#keep((drafts) => drafts.refused(unsent));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#parts?.journal.close();
  }

  #keep(act: (drafts: Drafts) => void): void {
    if (this.#parts) act(this.#parts.drafts);
    else this.#waiting.push(act);
  }
}

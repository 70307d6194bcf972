// The journal of one tab: what it has not been able to send is written down within a moment, and
// what other tabs left behind is found.
//
// Invariant: a row and the document it is about are written together, so that a row can always be
// understood. A tab's row belongs to it while it lives, which a lock shows to the other tabs; one that
// is left behind belongs to the first tab that gets its lock.

import { type Changeset, print } from '../changeset/index.ts';
import type { Replica } from '../collab/replica.ts';
import type { PadDocument } from '../document/document.ts';
import { type BaseRow, type DraftRow, DraftStore } from './store.ts';

const PAUSE_MS = 250;
// Documents of more units are written less often, or not at all.
const LARGE = 200_000;
const LARGE_PAUSE_MS = 3_000;
const LARGEST = 2_000_000;
const TAB_KEY = 'pad-tab';
// Without locks a row counts as another tab's for this long.
const FRESH_MS = 60_000;
// A page takes up so many drafts, the newest ones.
const MOST_FOUND = 16;

export interface FoundDraft {
  readonly row: DraftRow;
  readonly base: BaseRow | undefined;
  // The window that left it.
  readonly window: string;
  // Left by this very tab before it was reloaded.
  readonly own: boolean;
}

// Changes in a row, and the document that they are about.
export interface UnsentChanges {
  readonly base: PadDocument;
  readonly inFlight: Changeset | null;
  readonly pending: Changeset;
}

export class Journal {
  readonly #store = new DraftStore();
  readonly #padId: string;
  readonly #refused: () => void;
  #key = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #written = false;
  #baseRev = -1;
  #baseTime = 0;
  readonly #releases: (() => void)[] = [];
  #works = true;

  constructor(padId: string, refused: () => void) {
    this.#padId = padId;
    this.#refused = refused;
  }

  // Whether the browser keeps what it is given.
  get works(): boolean {
    return this.#works;
  }

  // Takes a place of its own, a new one for every page, and says what was left by pages that are
  // gone.
  async open(window: string): Promise<FoundDraft[]> {
    try {
      const before = sessionStorage.getItem(TAB_KEY);
      const tab = window || newName();
      sessionStorage.setItem(TAB_KEY, tab);
      this.#key = `${tab}/${this.#padId}`;
      await this.#claim(this.#key);
      // A duplicated tab brings the name of its original, which is alive.
      const isOwn = (key: string) => key === `${before}/${this.#padId}`;
      const claimed = new Set<string>();
      for (const { key, time } of await this.#rows()) {
        const isLeft = isOwn(key) || Date.now() - time >= FRESH_MS;
        if (await this.#claim(key, isLeft)) claimed.add(key);
      }
      const found: FoundDraft[] = [];
      // Read again: another page may have taken one up before its lock was ours.
      for (const row of await this.#rows()) {
        if (!claimed.has(row.key)) continue;
        const [window = ''] = row.key.split('/', 1);
        found.push({ row, base: await this.#store.base(row.key), window, own: isOwn(row.key) });
      }
      return found;
    } catch {
      this.#fail();
      return [];
    }
  }

  // Something has changed; it is written down soon.
  touch(replica: Replica<PadDocument>): void {
    if (replica.isSettled) {
      // At once: what is stored must not be found here, and sent again, by another page.
      if (this.#written || this.#timer !== undefined) this.flush(replica);
      return;
    }
    if (this.#timer !== undefined || !this.#works || this.#key === '') return;
    this.#timer = setTimeout(() => this.flush(replica), PAUSE_MS);
  }

  // Writes at once, for when the page may go.
  flush(replica: Replica<PadDocument>): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#works || this.#key === '') return;
    if (replica.isSettled) {
      if (this.#written) this.#store.remove(this.#key).catch(() => this.#fail());
      this.#written = false;
      this.#baseRev = -1;
      return;
    }
    const base = this.#baseOf(replica);
    if (base === 'later') {
      this.#timer = setTimeout(() => this.flush(replica), LARGE_PAUSE_MS);
      return;
    }
    this.#written = true;
    this.#store.put(this.#rowOf(replica), base).catch(() => this.#fail());
  }

  // Writes down changes that are not part of the text any more, until they are discarded by the
  // key that is returned.
  keep(unsent: UnsentChanges, author: string): string {
    const key = `${newName()}/${this.#padId}`;
    const { base, inFlight, pending } = unsent;
    const pool = base.sets.pool.toJson();
    const row = {
      key,
      padId: this.#padId,
      author,
      time: Date.now(),
      rev: 0,
      inFlight: inFlight && print(inFlight),
      pending: print(pending),
      pool,
    };
    const small = base.length <= LARGEST;
    const document = small ? { key, rev: 0, atext: base.toAText(), pool } : null;
    if (this.#works) this.#store.put(row, document).catch(() => this.#fail());
    // As long as this page shows it, no other one does.
    void this.#claim(key);
    return key;
  }

  async discard(key: string): Promise<void> {
    await this.#store.remove(key).catch(() => {});
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const release of this.#releases) release();
  }

  // The newest ones come first.
  async #rows(): Promise<DraftRow[]> {
    const rows = await this.#store.of(this.#padId);
    return rows.sort((a, b) => b.time - a.time).slice(0, MOST_FOUND);
  }

  #rowOf(replica: Replica<PadDocument>): DraftRow {
    return {
      key: this.#key,
      padId: this.#padId,
      author: replica.author,
      time: Date.now(),
      rev: replica.rev,
      inFlight: replica.inFlight && print(replica.inFlight),
      pending: print(replica.pending),
      pool: replica.pool.toJson(),
    };
  }

  // The document to write with the row: none if it is written already, or too large.
  #baseOf(replica: Replica<PadDocument>): BaseRow | null | 'later' {
    if (this.#baseRev === replica.rev || replica.base.length > LARGEST) return null;
    const now = Date.now();
    const large = replica.base.length > LARGE;
    if (large && this.#written && now - this.#baseTime < LARGE_PAUSE_MS) return 'later';
    this.#baseRev = replica.rev;
    this.#baseTime = now;
    const atext = replica.base.toAText();
    return { key: this.#key, rev: replica.rev, atext, pool: replica.pool.toJson() };
  }

  // Whether a row belongs to this page, which holds its lock until it goes: that is how other tabs
  // see that this one is alive.
  #claim(key: string, otherwise = true): Promise<boolean> {
    if (!navigator.locks) return Promise.resolve(otherwise);
    return new Promise((resolve) => {
      const hold = (lock: Lock | null) => {
        resolve(lock !== null);
        return lock && new Promise<void>((release) => this.#releases.push(release));
      };
      const request = navigator.locks.request(lockOf(key), { ifAvailable: true }, hold);
      request.catch(() => resolve(false));
    });
  }

  #fail(): void {
    if (!this.#works) return;
    this.#works = false;
    this.#refused();
  }
}

function newName(): string {
  const parts = crypto.getRandomValues(new Uint32Array(3));
  return Array.from(parts, (part) => part.toString(36)).join('');
}

function lockOf(key: string): string {
  return `pad-draft/${key}`;
}

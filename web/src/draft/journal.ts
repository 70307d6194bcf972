// The journal of one tab: what it has not been able to send is written down within a moment, and
// what other tabs left behind is found.
//
// Invariant: a row and the document it is about are written together, so that a row can always be
// understood. A tab's row belongs to it while it lives, which a lock shows to the other tabs.

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

export interface FoundDraft {
  readonly row: DraftRow;
  readonly base: BaseRow | undefined;
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
  #release: () => void = () => {};
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
  async open(): Promise<FoundDraft[]> {
    try {
      const before = sessionStorage.getItem(TAB_KEY);
      const tab = newName();
      sessionStorage.setItem(TAB_KEY, tab);
      await this.#lock(tab);
      this.#key = `${tab}/${this.#padId}`;
      const rows = await this.#store.of(this.#padId);
      const found: FoundDraft[] = [];
      for (const row of rows) {
        // A duplicated tab brings the name of its original, which is alive.
        const own = row.key === `${before}/${this.#padId}`;
        if (await isAlive(row, own)) continue;
        found.push({ row, base: await this.#store.base(row.key), own });
      }
      return found.sort((a, b) => b.row.time - a.row.time);
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
    return key;
  }

  async discard(key: string): Promise<void> {
    await this.#store.remove(key).catch(() => {});
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#release();
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

  // Held until the page goes, which is how other tabs see that this one is alive.
  #lock(tab: string): Promise<void> {
    if (!navigator.locks) return Promise.resolve();
    return new Promise((resolve) => {
      const hold = () => {
        resolve();
        return new Promise<void>((release) => {
          this.#release = release;
        });
      };
      navigator.locks.request(lockOf(`${tab}/${this.#padId}`), hold).catch(() => resolve());
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

async function isAlive(row: DraftRow, own: boolean): Promise<boolean> {
  if (!navigator.locks) return !own && Date.now() - row.time < FRESH_MS;
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === lockOf(row.key));
}

// The browser's half of editing.
//
// What the user sees is `base · inFlight · pending`: the last document known from the server, the
// one change that is on its way to it, and what was typed since. Invariant: what the server says
// waits in one inbox and is taken in the order it came, acceptances included, however long it was
// held and in whatever portions it is taken.

import {
  type Changeset,
  compose,
  follow,
  identity,
  isIdentity,
  moveChangeset,
  Pool,
  type PoolJson,
  parse,
  print,
} from '../changeset/index.ts';
import { splitNames } from './names.ts';
import { placeAfter, placeBefore } from './position.ts';
import { splitChange } from './split.ts';

// How many revisions back a place may lie that is still followed to the present.
const REMEMBERED = 64;

// What a replica needs of a document.
export interface Base<Self> {
  readonly length: number;
  apply(change: Changeset): Self;
}

// What the server tells, in order.
export type Entry =
  // The change in flight is stored as that revision, or had no effect on it.
  | { readonly kind: 'accepted'; readonly rev: number }
  // A revision. Who made it decides whether it can be ours, told after a lost acknowledgement.
  | {
      readonly kind: 'changed';
      readonly rev: number;
      readonly changeset: string;
      readonly pool: PoolJson | Pool;
      readonly author: string;
      // Which of the author's windows made it; 0 if that is not known.
      readonly window?: number;
      // What the server's record of this window is called, and whether this window made it.
      readonly record?: string;
      readonly own?: boolean;
    };

export interface Submission {
  readonly baseRev: number;
  readonly changeset: string;
  readonly pool: PoolJson;
}

// A stored revision as others see it, numbered in the replica's pool.
export interface Heard {
  readonly rev: number;
  readonly author: string;
  readonly window: number;
  readonly change: Changeset;
}

export interface Taken {
  // What to apply to the visible document.
  readonly change: Changeset;
  // The revisions by others in it.
  readonly heard: readonly Heard[];
  // Set if the server and this page do not speak of the same document any more. What came before
  // is taken all the same; only a fresh copy of the pad helps.
  readonly outOfStep: boolean;
}

export class Replica<B extends Base<B>> {
  readonly author: string;
  // Numbers of this page's own; every change is moved here when it arrives.
  readonly pool: Pool;
  #rev: number;
  #base: B;
  #inFlight: Changeset | null = null;
  #pending: Changeset;
  #inbox: Entry[] = [];
  // Whether an answer to a submission is due on this connection.
  #answerDue = false;
  // Whether the change in flight may already be stored, because a connection was lost.
  #maybeStored = false;
  // What the server's record of this window is called, on this connection and when the change in
  // flight was sent. While they are the same, the server knows what this window has made; otherwise
  // an equal change of our author is taken for ours.
  record = '';
  #sentOn = '';
  // The last revisions, to follow places through.
  #recent: { rev: number; change: Changeset }[] = [];

  constructor(author: string, rev: number, base: B, pool: Pool) {
    this.author = author;
    this.pool = pool;
    this.#rev = rev;
    this.#base = base;
    this.#pending = identity(base.length);
  }

  get rev(): number {
    return this.#rev;
  }

  get base(): B {
    return this.#base;
  }

  get inFlight(): Changeset | null {
    return this.#inFlight;
  }

  get pending(): Changeset {
    return this.#pending;
  }

  // Whether everything typed is stored by the server.
  get isSettled(): boolean {
    return this.#inFlight === null && isIdentity(this.#pending);
  }

  // Everything that is not stored yet, as one change of the base.
  get unsent(): Changeset {
    if (!this.#inFlight) return this.#pending;
    return compose(this.#inFlight, this.#pending, this.pool);
  }

  get waiting(): number {
    return this.#inbox.length;
  }

  visible(): B {
    return this.#base.apply(this.unsent);
  }

  // Where a place of a revision is in the visible document; null if that revision is too old, or
  // not heard of yet.
  placeNow(rev: number, place: number): number | null {
    if (rev > this.#rev || this.#rev - rev > this.#recent.length) return null;
    let now = place;
    for (const recent of this.#recent) if (recent.rev > rev) now = placeAfter(recent.change, now);
    if (this.#inFlight) now = placeAfter(this.#inFlight, now);
    return placeAfter(this.#pending, now);
  }

  // Where a place of the visible document is in the last revision.
  placeInBase(place: number): number {
    const before = placeBefore(this.#pending, place);
    return this.#inFlight ? placeBefore(this.#inFlight, before) : before;
  }

  // Takes an edit of the visible document, numbered in the replica's pool.
  edit(change: Changeset): void {
    this.#pending = compose(this.#pending, change, this.pool);
  }

  // The next change to send, if there is one and none is on its way. At most `limit` characters
  // and operations go at once.
  nextSubmission(limit = Number.POSITIVE_INFINITY): Submission | null {
    if (this.#inFlight || this.#answerDue || isIdentity(this.#pending)) return null;
    const [portion, rest] = splitChange(this.#pending, limit);
    const [first, names] = splitNames(portion, this.author, this.pool);
    this.#inFlight = first;
    this.#pending = compose(names, rest, this.pool);
    return this.#submission(first);
  }

  // The connection is gone, and with it any answer.
  disconnected(): void {
    this.#answerDue = false;
    this.#maybeStored = this.#inFlight !== null;
  }

  // The change in flight once more, on a new connection that has told everything it missed.
  resubmission(): Submission | null {
    // What equals it from now on is of another window.
    this.#maybeStored = false;
    return this.#inFlight && !this.#answerDue ? this.#submission(this.#inFlight) : null;
  }

  // The server refused the change in flight: it and what was typed on top of it are taken out.
  // Says what undoes them in the visible document.
  withdraw(inverse: (unsent: Changeset) => Changeset): Changeset {
    const back = inverse(this.unsent);
    this.#inFlight = null;
    this.#answerDue = false;
    this.#maybeStored = false;
    this.#pending = identity(this.#base.length);
    return back;
  }

  receive(entry: Entry): void {
    this.#inbox.push(entry);
  }

  // Takes everything that waits. Call it when the visible document may change.
  take(): Taken {
    const heard: Heard[] = [];
    let change = identity(this.#pending.newLen);
    const entries = this.#inbox;
    this.#inbox = [];
    for (const entry of entries) {
      if (entry.kind === 'accepted') {
        this.#accept(entry.rev);
        continue;
      }
      try {
        const { stored, shown } = this.#changed(entry);
        const { rev, author, window = 0 } = entry;
        if (stored) heard.push({ rev, author, window, change: stored });
        if (shown) change = compose(change, shown, this.pool);
      } catch {
        return { change, heard, outOfStep: true };
      }
    }
    return { change, heard, outOfStep: false };
  }

  // Starts over on another document of the server, to which `change` leads from the old base.
  restart(rev: number, base: B, change: Changeset, unsent: Changeset): void {
    this.#rev = rev;
    this.#base = base;
    this.#inbox = [];
    this.#recent = [];
    this.#inFlight = null;
    this.#answerDue = false;
    this.#maybeStored = false;
    this.#pending = follow(change, unsent, true, this.pool);
  }

  #submission(change: Changeset): Submission {
    this.#answerDue = true;
    this.#sentOn = this.record;
    const pool = new Pool();
    const changeset = print(moveChangeset(change, this.pool, pool));
    return { baseRev: this.#rev, changeset, pool: pool.toJson() };
  }

  #accept(rev: number): void {
    this.#answerDue = false;
    this.#settleInFlight(Math.max(this.#rev, rev));
  }

  #settleInFlight(rev: number): void {
    if (this.#inFlight) {
      this.#base = this.#base.apply(this.#inFlight);
      if (rev > this.#rev) this.#remember(rev, this.#inFlight);
    }
    this.#rev = rev;
    this.#inFlight = null;
    this.#maybeStored = false;
  }

  #remember(rev: number, change: Changeset): void {
    this.#recent.push({ rev, change });
    if (this.#recent.length > REMEMBERED) this.#recent.shift();
  }

  // Takes a revision. Repeats, and our own that we hear of this way, show nothing. Throws before
  // anything has changed.
  #changed(entry: Entry & { kind: 'changed' }): { stored?: Changeset; shown?: Changeset } {
    if (entry.rev <= this.#rev) return {};
    const pool = entry.pool instanceof Pool ? entry.pool : Pool.fromJson(entry.pool);
    const stored = moveChangeset(parse(entry.changeset), pool, this.pool);
    if (entry.rev !== this.#rev + 1 || stored.oldLen !== this.#base.length) {
      throw new Error('a revision of another text');
    }
    if (this.#isOurs(entry, stored)) {
      this.#settleInFlight(entry.rev);
      return {};
    }
    const shown = this.#rebase(stored);
    this.#rev = entry.rev;
    this.#remember(entry.rev, stored);
    return { stored, shown };
  }

  #isOurs({ author, record, own }: Entry & { kind: 'changed' }, stored: Changeset): boolean {
    if (!this.#maybeStored || !this.#inFlight || author !== this.author) return false;
    if (record && record === this.#sentOn) return own === true;
    return print(stored) === print(this.#inFlight);
  }

  // Carries what is not stored over a stored change, and that change over it.
  #rebase(stored: Changeset): Changeset {
    const base = this.#base.apply(stored);
    // The server puts it behind what it stored first, so it goes behind here too.
    const inFlight = this.#inFlight && follow(stored, this.#inFlight, false, this.pool);
    const incoming = this.#inFlight ? follow(this.#inFlight, stored, true, this.pool) : stored;
    const pending = follow(incoming, this.#pending, true, this.pool);
    const shown = follow(this.#pending, incoming, false, this.pool);
    this.#base = base;
    this.#inFlight = inFlight;
    this.#pending = pending;
    return shown;
  }
}

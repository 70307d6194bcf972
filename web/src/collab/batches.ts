// Batches of revisions, as the entries that a replica takes one by one.
//
// Invariant: whatever goes together on the way, a replica gets what it would get if every revision
// came alone, in the same order. So it does not matter that a pending change rewritten past a
// composition need not be the same as one rewritten past its parts.

import { Pool, type PoolJson } from '../changeset/index.ts';
import type { Entry } from './replica.ts';

export interface BatchedChange {
  // Operations and new text of a change, without the lengths before them.
  readonly change: string;
  // The number of the attribute that names the author, or the author.
  readonly author: number | string;
  // Where the author's last one is meant, there is none.
  readonly window?: number;
}

// Consecutive revisions after `baseRev`, the first on a text of `baseLength`.
export interface Batch {
  readonly kind: 'batch';
  readonly baseRev: number;
  readonly baseLength: number;
  // What was not sent on this connection before. Numbers are those of the pad's pool.
  readonly attributes: PoolJson['numToAttrib'];
  readonly changes: readonly BatchedChange[];
  // Milliseconds from one change of ours to the next.
  readonly commitInterval: number;
}

export class BatchReader {
  #attributes: Record<number, PoolJson['numToAttrib'][string]> = {};
  #pool = new Pool();
  #windows = new Map<number, number>();
  // The newest revision that was handed on.
  #last = 0;
  // Our own revisions in a batch that is still to come.
  #own = new Set<number>();

  // There is another connection, on which everything up to a revision is known.
  restart(rev: number): void {
    this.#attributes = {};
    this.#pool = new Pool();
    this.#windows.clear();
    this.#own.clear();
    this.#last = rev;
  }

  read(message: Entry | Batch): Entry[] {
    if (message.kind === 'batch') return this.#entriesOf(message);
    if (message.kind === 'accepted' && message.rev > this.#last + 1) {
      this.#own.add(message.rev);
      return [];
    }
    this.#last = Math.max(this.#last, message.rev);
    return [message];
  }

  #entriesOf({ baseRev, baseLength, attributes, changes }: Batch): Entry[] {
    if (Object.keys(attributes).length > 0) {
      Object.assign(this.#attributes, attributes);
      this.#pool = Pool.fromJson({ numToAttrib: this.#attributes });
    }
    const pool = this.#pool;
    const entries: Entry[] = [];
    let [rev, length] = [baseRev, baseLength];
    for (const { change, author, window } of changes) {
      const growth = growthOf(change);
      const sign = growth < 0 ? '<' : '>';
      const changeset = `Z:${length.toString(36)}${sign}${Math.abs(growth).toString(36)}${change}`;
      length += growth;
      rev++;
      const from = this.#windowOf(author, window);
      if (rev <= this.#last) continue;
      this.#last = rev;
      if (this.#own.delete(rev)) {
        entries.push({ kind: 'accepted', rev });
      } else {
        const name = typeof author === 'string' ? author : (pool.get(author)?.[1] ?? '');
        entries.push({ kind: 'changed', rev, changeset, pool, author: name, window: from });
      }
    }
    return entries;
  }

  #windowOf(author: number | string, window: number | undefined): number {
    if (typeof author === 'string') return window ?? 0;
    if (window !== undefined) this.#windows.set(author, window);
    return this.#windows.get(author) ?? 0;
  }
}

// How much longer the text becomes.
function growthOf(change: string): number {
  const ops = change.slice(0, change.indexOf('$'));
  let growth = 0;
  for (const [, sign, chars = ''] of ops.matchAll(/([+-])([0-9a-z]+)/g)) {
    growth += Number.parseInt(chars, 36) * (sign === '+' ? 1 : -1);
  }
  return growth;
}

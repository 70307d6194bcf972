// The way from one revision of a pad to another: step by step where it is near, and by the whole
// document where it is far.
//
// Invariant: pure. It holds one document and walks; what it lacks is named, not fetched. However
// long the history is, no way takes more than two pieces: a document, or the steps of two
// stretches. The step of a revision leads to it from the one before.

import { type Changeset, moveChangeset, Pool, parse } from '../changeset/index.ts';
import type { PadDocument } from '../document/document.ts';
import type { PastStretch } from '../net/messages.ts';

// Steps in an answer of the server, and as many revisions as are near.
export const STEPS = 100;
// Stretches that are kept for the way back.
const KEPT = 24;

// The next request.
export type Piece =
  | { readonly kind: 'steps'; readonly start: number }
  | { readonly kind: 'document'; readonly revision: number };

// A document, and how it came to be.
export interface Place {
  readonly revision: number;
  readonly document: PadDocument;
  readonly time: number;
  // Null if nobody is known to have made it, undefined as long as that is not known.
  readonly author: string | null | undefined;
}

export class Timeline {
  #place: Place;
  readonly #past = new Map<number, { past: PastStretch; pool: Pool }>();

  constructor(place: Place) {
    this.#place = place;
  }

  get place(): Place {
    return this.#place;
  }

  add(past: PastStretch): void {
    this.#past.delete(past.start);
    this.#past.set(past.start, { past, pool: Pool.fromJson(past.pool) });
    for (const oldest of this.#past.keys()) {
      if (this.#past.size <= KEPT) break;
      this.#past.delete(oldest);
    }
    this.#learn();
  }

  land(place: Place): void {
    this.#place = place;
  }

  // Goes towards a revision as far as the steps are known. Says what is lacking, null at the goal.
  walk(goal: number): Piece | null {
    while (this.#place.revision !== goal) {
      const { revision, document, time } = this.#place;
      if (Math.abs(goal - revision) > STEPS) return { kind: 'document', revision: goal };
      const forwards = goal > revision;
      const step = this.#step(forwards ? revision + 1 : revision);
      if (!step) return stepsOf(forwards ? revision + 1 : revision);
      const change = this.#move(forwards ? step.forwards : step.backwards, step.pool);
      this.#place = {
        revision: forwards ? revision + 1 : revision - 1,
        document: document.apply(change),
        time: time + (forwards ? step.delta : -step.delta),
        author: undefined,
      };
    }
    this.#learn();
    return null;
  }

  // How long after the one before a revision was made, if that is known.
  deltaOf(revision: number): number | undefined {
    return this.#step(revision)?.delta;
  }

  // What carries no author's name was made by nobody, or by a program.
  #learn(): void {
    const { revision, document, author } = this.#place;
    const step = this.#step(revision);
    if (author !== undefined || !step) return;
    const { pool } = document.sets;
    const { ops } = this.#move(step.forwards, step.pool);
    const authors = ops.map((op) => pool.valueOf(op.attribs, 'author'));
    this.#place = { ...this.#place, author: authors.find(Boolean) ?? null };
  }

  #step(revision: number) {
    const start = revision - (revision % STEPS);
    const { past, pool } = this.#past.get(start) ?? {};
    const [forwards, backwards] = [
      past?.forwards[revision - start],
      past?.backwards[revision - start],
    ];
    if (!past || !pool || forwards === undefined || backwards === undefined) return undefined;
    return { forwards, backwards, delta: past.deltas[revision - start] ?? 0, pool };
  }

  #move(written: string, pool: Pool): Changeset {
    return moveChangeset(parse(written), pool, this.#place.document.sets.pool);
  }
}

// The steps around a revision.
export function stepsOf(revision: number): Piece {
  return { kind: 'steps', start: revision - (revision % STEPS) };
}

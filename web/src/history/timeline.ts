// The way from one revision of a pad to another, over steps of one, ten or a hundred revisions.
//
// Invariant: pure. It holds one document and walks; stretches it lacks are named, not fetched, and
// it never needs more than one at a time. Steps of a span begin at multiples of it, as the server
// cuts them: the step numbered `first` leads from revision `first - 1` to `first + span - 1`.

import { type Changeset, moveChangeset, Pool, parse } from '../changeset/index.ts';
import type { PadDocument } from '../document/document.ts';
import type { PastStretch } from '../net/messages.ts';

const SPANS = [100, 10, 1] as const;
// Steps in an answer of the server.
const STEPS = 100;
// Stretches that are kept for the way back.
const KEPT = 24;

export interface Stretch {
  readonly start: number;
  readonly span: number;
}

export class Timeline {
  #at: number;
  #document: PadDocument;
  #time: number;
  readonly #past = new Map<string, { past: PastStretch; pool: Pool }>();

  constructor(at: number, document: PadDocument, time: number) {
    this.#at = at;
    this.#document = document;
    this.#time = time;
  }

  get at(): number {
    return this.#at;
  }

  get document(): PadDocument {
    return this.#document;
  }

  // When the revision was made.
  get time(): number {
    return this.#time;
  }

  add(past: PastStretch): void {
    const key = keyOf({ start: past.start, span: past.granularity });
    this.#past.delete(key);
    this.#past.set(key, { past, pool: Pool.fromJson(past.pool) });
    for (const oldest of this.#past.keys()) {
      if (this.#past.size <= KEPT) break;
      this.#past.delete(oldest);
    }
  }

  // Goes towards a revision as far as the steps are known. Says what is lacking, null at the goal.
  walk(goal: number): Stretch | null {
    while (this.#at !== goal) {
      const { first, span, forwards } = nextStep(this.#at, goal);
      const known = this.#step(first, span);
      const written = forwards ? known?.forwards : known?.backwards;
      if (!known || written === undefined) return stretchOf(first, span);
      this.#document = this.#document.apply(this.#move(written, known.pool));
      this.#time += forwards ? known.delta : -known.delta;
      this.#at += forwards ? span : -span;
    }
    return null;
  }

  // Who made a revision, and how long after the one before: undefined if that is not known yet.
  // What carries no author's name was made by nobody, or by a program.
  facts(revision: number): { author: string | null; delta: number } | undefined {
    const known = this.#step(revision, 1);
    if (known?.forwards === undefined) return undefined;
    const { pool } = this.#document.sets;
    const change = this.#move(known.forwards, known.pool);
    const authors = change.ops.map((op) => pool.valueOf(op.attribs, 'author'));
    return { author: authors.find(Boolean) ?? null, delta: known.delta };
  }

  #step(first: number, span: number) {
    const found = this.#past.get(keyOf(stretchOf(first, span)));
    if (!found) return undefined;
    const { past, pool } = found;
    const index = (first - past.start) / span;
    const [forwards, backwards] = [past.forwards[index], past.backwards[index]];
    return { forwards, backwards, delta: past.deltas[index] ?? 0, pool };
  }

  #move(written: string, pool: Pool): Changeset {
    return moveChangeset(parse(written), pool, this.#document.sets.pool);
  }
}

export function stretchOf(first: number, span: number): Stretch {
  const whole = span * STEPS;
  return { start: Math.floor(first / whole) * whole, span };
}

// The longest step that does not lead beyond the goal.
export function nextStep(at: number, goal: number) {
  const forwards = goal > at;
  const boundary = at + 1;
  const far = Math.abs(goal - at);
  const span = SPANS.find((span) => boundary % span === 0 && span <= far) ?? 1;
  return { first: forwards ? boundary : boundary - span, span, forwards };
}

function keyOf({ start, span }: Stretch): string {
  return `${span}/${start}`;
}

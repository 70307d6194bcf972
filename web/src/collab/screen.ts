// What is on screen may lag behind the replica: an input method must not be disturbed.
//
// Invariant: screen · held = what the replica shows. Edits of the screen are rewritten for the
// replica, so that sending and acknowledging go on while the screen is held.

import { type Changeset, compose, follow, type Pool } from '../changeset/index.ts';
import { placeAfter, placeBefore } from './position.ts';

export class Screen {
  readonly #pool: Pool;
  #held: Changeset | null = null;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get isBehind(): boolean {
    return this.#held !== null;
  }

  // A change of what the replica shows, which the screen does not show yet.
  arrived(change: Changeset): void {
    this.#held = this.#held ? compose(this.#held, change, this.#pool) : change;
  }

  // An edit of the screen; says what it is to the replica.
  edited(change: Changeset): Changeset {
    if (!this.#held) return change;
    const held = this.#held;
    this.#held = follow(change, held, false, this.#pool);
    return follow(held, change, true, this.#pool);
  }

  // Whether what is held changes anything between two places of the screen.
  touches(from: number, to: number): boolean {
    let at = 0;
    for (const { opcode, chars, attribs } of this.#held?.ops ?? []) {
      const end = opcode === '+' ? at : at + chars;
      if ((opcode !== '=' || attribs !== '') && at <= to && end >= from) return true;
      at = end;
    }
    return false;
  }

  // What to show now.
  release(): Changeset | null {
    const held = this.#held;
    this.#held = null;
    return held;
  }

  // Places on screen for places of what the replica shows, and the other way round.
  fromReplica(place: number): number {
    return this.#held ? placeBefore(this.#held, place) : place;
  }

  toReplica(place: number): number {
    return this.#held ? placeAfter(this.#held, place) : place;
  }
}

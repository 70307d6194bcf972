// Where this visitor is, told to others who can show it, and where they are.
//
// Invariant: places travel in the coordinates of a revision that both sides know.

import type { Heard } from '../../collab/replica.ts';
import type { Session } from '../../net/session.ts';
import { type Presence, placeOfChange } from './presence.ts';
import type { Sync } from './sync.ts';

const BETWEEN_MS = 200;
const MOST_WAITING = 100;

interface Told {
  readonly author: string;
  readonly window: number;
  readonly rev: number;
  readonly position: number;
  readonly anchor: number;
}

export class Carets {
  readonly #session: Session;
  readonly #sync: Sync;
  readonly #presence: Presence;
  // Whether the server carries places; otherwise they follow from what people write.
  enabled = false;
  #moved = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  // Places of revisions that are not shown here yet.
  #waiting: Told[] = [];

  constructor(session: Session, sync: Sync, presence: Presence) {
    this.#session = session;
    this.#sync = sync;
    this.#presence = presence;
  }

  // The own caret is somewhere else.
  moved(): void {
    this.#moved = true;
    this.tell();
  }

  // Says so, unless something unsent will say it anyway.
  tell(): void {
    if (!this.enabled || !this.#moved || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const { replica, editor, isCurrent } = this.#sync;
      if (!replica?.isSettled || !editor || !isCurrent) return;
      this.#moved = false;
      const { head, anchor } = editor.view.state.selection.main;
      const inBase = (place: number) => replica.placeInBase(this.#sync.screen.toReplica(place));
      this.#session.say({
        type: 'CURSOR',
        rev: replica.rev,
        position: inBase(head),
        anchor: inBase(anchor),
      });
    }, BETWEEN_MS);
  }

  told(told: Told): void {
    const { replica } = this.#sync;
    if (replica && told.rev > replica.rev) {
      this.#waiting.push(told);
      if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
      return;
    }
    this.#show(told, false);
  }

  // Revisions by others are shown now.
  heard(revisions: readonly Heard[]): void {
    for (const { change, ...by } of revisions) {
      const position = placeOfChange(change);
      if (position !== null) this.#show({ ...by, position, anchor: position }, true);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const told of waiting) this.told(told);
  }

  #show({ author, window, rev, position, anchor }: Told, typed: boolean): void {
    const { replica, screen } = this.#sync;
    const place = replica?.placeNow(rev, position) ?? null;
    const began = replica?.placeNow(rev, anchor) ?? null;
    if (place === null || began === null) return;
    const cursor = { place: screen.fromReplica(place), anchor: screen.fromReplica(began) };
    this.#presence.moved(author, window, cursor, typed);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

// Who wrote a character of the text, and when.
//
// Invariant: one question to the server at a time, and none that is not answered holds anything up:
// the author is known here, only the time is asked for.

import type { EditorView } from '@codemirror/view';
import { documentOf } from '../../editor/state.ts';
import { type Json, numberOf } from '../../net/messages.ts';
import type { Session } from '../../net/session.ts';
import type { Written, WrittenTime } from '../live.ts';
import type { Presence } from './presence.ts';
import type { Sync } from './sync.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class Writers {
  readonly #session: Session;
  readonly #sync: Sync;
  readonly #presence: Presence;
  #requests = 0;
  #waiting: (time: WrittenTime | null) => void = () => {};

  constructor(session: Session, sync: Sync, presence: Presence) {
    this.#session = session;
    this.#sync = sync;
    this.#presence = presence;
  }

  // At a point of the window, if there is text; or else at the caret.
  at(point: Point | null): Written | null {
    const view = this.#sync.editor?.view;
    const unit = view && (point ? unitAt(view, point) : unitAtCaret(view));
    if (!view || unit === null || unit === undefined) return null;
    const { runs, sets } = documentOf(view.state);
    const id = authorOf(sets.map(runs.at(unit)).get('author'));
    const box = view.coordsForChar(unit);
    const { name, colour } = this.#presence.describe(id);
    const isSelf = id === this.#presence.self.peek()?.id;
    return { id, name, colour, self: isSelf, box, time: () => this.#timeOf(unit) };
  }

  answer(data: Json): void {
    if (data.requestID !== this.#requests) return;
    const isFound = typeof data.time === 'number';
    this.#waiting(isFound ? { time: numberOf(data.time), earlier: data.earlier === true } : null);
  }

  #timeOf(unit: number): Promise<WrittenTime | null> {
    const { replica, screen, isCurrent } = this.#sync;
    // What is not stored yet has no place in the history.
    if (!replica?.isSettled || !isCurrent) return Promise.resolve(null);
    this.#waiting(null);
    this.#requests += 1;
    const position = replica.placeInBase(screen.toReplica(unit));
    const data = { rev: replica.rev, position, requestID: this.#requests };
    this.#session.send({ type: 'ORIGIN_REQ', component: 'pad', data });
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

// Default texts, templates and calls without an author are nobody's.
function authorOf(id: string | undefined): string | null {
  return id && !id.endsWith('-system') ? id : null;
}

function unitAt(view: EditorView, { x, y }: Point): number | null {
  const at = view.posAndSideAtCoords({ x, y });
  if (!at) return null;
  const unit = at.assoc < 0 ? at.pos - 1 : at.pos;
  const box = unit < 0 ? null : view.coordsForChar(unit);
  const isOver = box && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  return isOver ? unit : null;
}

// What is before the caret, or else behind it.
function unitAtCaret({ state }: EditorView): number {
  const { head } = state.selection.main;
  return head > state.doc.lineAt(head).from ? head - 1 : head;
}

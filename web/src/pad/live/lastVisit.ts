// What others have written since this browser saw the pad last.
//
// Invariant: the server is asked once, for the revision that was seen, and the two texts are compared
// once; after that the marks move with the text. Texts too long for that have no marks.

import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { Pool } from '../../changeset/index.ts';
import { wordDiff } from '../../document/diff.ts';
import { PadDocument } from '../../document/document.ts';
import { documentOf } from '../../editor/state.ts';
import type { PastDocument } from '../../net/messages.ts';
import type { Session } from '../../net/session.ts';
import { keepLastSeen, lastSeenRevision } from '../../prefs/lastSeen.ts';
import { recentKept } from '../../prefs/recent.ts';
import type { Sync } from './sync.ts';

const MOST_UNITS = 300_000;
const MOST_MARKS = 2_000;
const NEW = Decoration.mark({ class: 'pad-new' });

export class LastVisit {
  readonly #sync: Sync;
  readonly #padId: string;
  readonly #hidden = () => {
    if (document.visibilityState === 'hidden') this.left();
  };

  constructor(session: Session, sync: Sync, padId: string) {
    this.#sync = sync;
    this.#padId = padId;
    document.addEventListener('visibilitychange', this.#hidden);
    const rev = lastSeenRevision(padId);
    const now = sync.replica;
    if (!now || rev === null || rev >= now.rev || rev < 0) return;
    if (now.visible().length > MOST_UNITS) return;
    session.send({ component: 'pad', type: 'REVISION_REQ', data: { rev, requestID: 1 } });
  }

  answer({ atext, pool }: PastDocument): void {
    const view = this.#sync.editor?.view;
    if (!view || atext.text.length > MOST_UNITS) return;
    const now = documentOf(view.state);
    const before = PadDocument.read(atext, Pool.fromJson(pool), now.sets);
    const marks = newMarks(before, now, this.#sync.replica?.author ?? '');
    if (marks.size > 0) view.dispatch({ effects: StateEffect.appendConfig.of(shown(marks)) });
  }

  left(): void {
    const rev = this.#sync.replica?.rev;
    if (rev !== undefined && recentKept()) keepLastSeen(this.#padId, rev);
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#hidden);
  }
}

function newMarks(before: PadDocument, now: PadDocument, self: string): DecorationSet {
  const marks: ReturnType<Decoration['range']>[] = [];
  let at = 0;
  for (const { opcode, chars } of wordDiff(before.text.toString(), now.text.toString()).ops) {
    if (opcode === '+') {
      now.runs.between(at, Math.min(at + chars, now.length), (from, to, id) => {
        const author = now.sets.map(id).get('author');
        const isOthers = author && author !== self && !author.endsWith('-system');
        if (isOthers && marks.length < MOST_MARKS) marks.push(NEW.range(from, to));
      });
    }
    if (opcode !== '-') at += chars;
  }
  return Decoration.set(marks);
}

const shown = (marks: DecorationSet) =>
  StateField.define<DecorationSet>({
    create: () => marks,
    update: (marks, { docChanged, changes }) => (docChanged ? marks.map(changes) : marks),
    provide: (field) => EditorView.decorations.from(field),
  });

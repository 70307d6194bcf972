// Where the others are and what they have selected, carried along by every change of the text.

import { StateEffect, StateField } from '@codemirror/state';

export interface RemoteCursor {
  readonly author: string;
  // Which of the author's windows; 0 if that is not known.
  readonly window: number;
  readonly place: number;
  // Where the selection began; the same place if nothing is selected.
  readonly anchor: number;
  // The name is shown for a while after something happened.
  readonly named: boolean;
}

export const setCursors = StateEffect.define<readonly RemoteCursor[]>();

// More than these would be confetti.
const MOST = 30;

export const remoteCursors = StateField.define<readonly RemoteCursor[]>({
  create: () => [],
  update(cursors, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setCursors)) return effect.value.slice(0, MOST);
    }
    if (!transaction.docChanged || cursors.length === 0) return cursors;
    return cursors.map((cursor) => ({
      ...cursor,
      place: transaction.changes.mapPos(cursor.place),
      anchor: transaction.changes.mapPos(cursor.anchor),
    }));
  },
});

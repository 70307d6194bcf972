// What differs between two revisions, marked in the editor.
//
// Invariant: as elements that say what they are (`ins`, `del`) and with lines through or under the
// text, so that nobody has to tell colours apart.

import { type Extension, type Range, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { Kind } from './compare.ts';
import type { Change } from './compareState.ts';

export interface Marks {
  readonly changes: readonly Change[];
  readonly current: number | null;
}

export const setMarks = StateEffect.define<Marks>();

const TAGS: Readonly<Record<Kind, string>> = { added: 'ins', removed: 'del', restyled: 'span' };
const LINE = Decoration.line({ class: 'pad-changed' });

export type Title = (kind: Kind, author: string | null) => string;

export function differenceMarks(title: Title): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, transaction) {
      for (const effect of transaction.effects) {
        if (effect.is(setMarks)) return marksOf(effect.value, transaction.newDoc, title);
      }
      return marks.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

function marksOf({ changes, current }: Marks, text: Text, title: Title): DecorationSet {
  const found: Range<Decoration>[] = [];
  changes.forEach((change, number) => {
    for (const { from, to, kind, author } of change) {
      // The pad's final newline is not in the editor.
      const end = Math.min(to, text.length);
      const last = text.lineAt(end).number;
      for (let line = text.lineAt(from); ; line = text.line(line.number + 1)) {
        if (line.from < end || line.from === from) found.push(LINE.range(line.from));
        if (line.number === last) break;
      }
      if (from >= end) continue;
      const name = `pad-${kind}${number === current ? ' pad-current' : ''}`;
      const attributes = { title: title(kind, author) };
      const mark = Decoration.mark({ tagName: TAGS[kind], class: name, attributes });
      found.push(mark.range(from, end));
    }
  });
  return Decoration.set(found, true);
}

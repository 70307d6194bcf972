// Moving a section: two neighbouring stretches of lines change places, as one change.
//
// Invariant: all attributes go along, authors included; only the system's text becomes the mover's.
// Of the two stretches the one is written again in which nobody else writes, and of two such the
// shorter one: what others type into it at the same moment stays where it was, at the end of the
// line before.

import { EditorSelection, type EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { SYSTEM_AUTHOR } from '../document/attributes.ts';
import { edit, MOVE } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { remoteCursors } from './cursors.ts';
import { documentOf, writer } from './state.ts';

// Whole lines, without the newline behind the last.
export interface Lines {
  readonly from: number;
  readonly to: number;
}

// Each move is a step of its own to undo, however fast.
let moves = 0;

// Puts lines before the line that starts at a place; behind the text for its length and one.
export function moveLines(view: EditorView, lines: Lines, before: number): boolean {
  const { from, to } = lines;
  if (before >= from && before <= to + 1) return false;
  const below = { from: to + 1, to: before - 1 };
  const above = { from: before, to: from - 1 };
  return before > to ? swap(view, lines, below) : swap(view, above, lines);
}

function swap(view: EditorView, a: Lines, b: Lines): boolean {
  const { state } = view;
  const change = downIsBetter(state, a, b) ? moveDown(state, a, b) : moveUp(state, a, b);
  const [lengthA, lengthB] = [a.to - a.from, b.to - b.from];
  const follow = (place: number) => {
    if (place >= a.from && place <= a.to) return place + lengthB + 1;
    return place >= b.from && place <= b.to ? place - lengthA - 1 : place;
  };
  const { anchor, head } = state.selection.main;
  const selection = EditorSelection.single(follow(anchor), follow(head));
  return edit(view, change, { kind: `${MOVE}${++moves}`, selection, scroll: false });
}

function downIsBetter(state: EditorState, a: Lines, b: Lines): boolean {
  const cursors = state.field(remoteCursors, false) ?? [];
  const writersIn = ({ from, to }: Lines) =>
    cursors.filter(({ place }) => from <= place && place <= to).length;
  const difference = writersIn(a) - writersIn(b);
  if (difference !== 0) return difference < 0;
  // What stands first has no newline before it to take along. The one behind it is where somebody else
  // may put another section at the same moment, which would then run into the next heading.
  return a.from > 0 && a.to - a.from < b.to - b.from;
}

// The newline before goes along, so that nothing typed at the borders gets in front of a marker.
function moveDown(state: EditorState, a: Lines, b: Lines) {
  const out = new ChangeWriter(state);
  if (a.from > 0) {
    out
      .keepTo(a.from - 1)
      .deleteTo(a.to)
      .keepTo(b.to);
    copy(out, state, { from: a.from - 1, to: a.to });
  } else {
    out.deleteTo(a.to + 1).keepTo(b.to);
    copy(out, state, { from: a.to, to: a.to + 1 });
    copy(out, state, a);
  }
  return out.finish();
}

function moveUp(state: EditorState, a: Lines, b: Lines) {
  const out = new ChangeWriter(state);
  if (a.from > 0) {
    out.keepTo(a.from - 1);
    copy(out, state, { from: a.to, to: b.to });
  } else {
    copy(out, state, b);
    copy(out, state, { from: a.to, to: a.to + 1 });
  }
  return out.keepTo(a.to).deleteTo(b.to).finish();
}

function copy(out: ChangeWriter, state: EditorState, { from, to }: Lines): void {
  const { runs, sets } = documentOf(state);
  const { author } = state.facet(writer);
  runs.between(from, to, (start, end, id) => {
    const attributes = new Map(sets.map(id));
    if (attributes.get('author') === SYSTEM_AUTHOR) attributes.set('author', author);
    out.insert(state.sliceDoc(start, end), sets.insertOf(attributes));
  });
}

// Where a caret or a selection is after a change.
//
// Invariant: start ≤ end stays true, and a range never grows by text inserted at its edges.

import type { Changeset } from './op.ts';

export type Range = readonly [start: number, end: number];

// Follows a range through a change. `insertsAfter` decides what happens to a caret where text is
// inserted: if set it stays in front of the new text, otherwise it goes behind it.
export function followRange(change: Changeset, range: Range, insertsAfter: boolean): Range {
  let [start, end] = range;
  let shift = 0;
  for (const splice of splicesOf(change)) {
    const from = splice.start + shift;
    const to = splice.end + shift;
    const newEnd = from + splice.inserted;
    const growth = newEnd - to;
    if (from <= start && to >= end) {
      start = end = insertsAfter ? from : newEnd;
    } else if (to <= start) {
      start += growth;
      end += growth;
    } else if (from < start) {
      start = newEnd;
      end += growth;
    } else if (from < end) {
      end = to <= end ? end + growth : from;
    }
    shift += growth;
  }
  return [start, end];
}

// A replaced stretch, in positions of the old text.
interface Splice {
  start: number;
  end: number;
  inserted: number;
}

// Neighbouring deletes and inserts are one splice.
function splicesOf(change: Changeset): Splice[] {
  const splices: Splice[] = [];
  let at = 0;
  let open: Splice | undefined;
  for (const op of change.ops) {
    if (op.opcode === '=') {
      at += op.chars;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { start: at, end: at, inserted: 0 };
      splices.push(open);
    }
    if (op.opcode === '+') {
      open.inserted += op.chars;
    } else {
      at += op.chars;
      open.end = at;
    }
  }
  return splices;
}

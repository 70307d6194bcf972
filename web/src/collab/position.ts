// Where a place in a text is before or after a change.

import { type Changeset, followRange } from '../changeset/index.ts';

// A caret stays in front of text inserted right at it.
export function placeAfter(change: Changeset, place: number): number {
  return followRange(change, [place, place], true)[0];
}

// The place in the old text for one in the new text; inside new text, where that was inserted.
export function placeBefore(change: Changeset, place: number): number {
  let old = 0;
  let left = place;
  for (const op of change.ops) {
    if (op.opcode === '-') {
      old += op.chars;
    } else if (left <= op.chars) {
      return op.opcode === '=' ? old + left : old;
    } else {
      left -= op.chars;
      if (op.opcode === '=') old += op.chars;
    }
  }
  return Math.min(old + left, change.oldLen);
}

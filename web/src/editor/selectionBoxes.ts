// The boxes that what somebody else has selected fills on the screen.
//
// Invariant: only lines in sight are measured, and there is at most one box for each row of text.

import type { EditorView } from '@codemirror/view';

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

// A selected line break shows where a line has no text.
const BREAK_WIDTH = 6;
// Rows of one person; more do not fit on a screen.
const MOST = 200;

// In coordinates of the window.
export function selectionBoxes(view: EditorView, from: number, to: number): Box[] {
  const { doc } = view.state;
  const boxes: Box[] = [];
  for (const visible of view.visibleRanges) {
    const end = Math.min(to, visible.to);
    for (let at = Math.max(from, visible.from); at <= end && boxes.length < MOST; ) {
      const line = doc.lineAt(at);
      const stop = Math.min(end, line.to);
      if (at < stop) boxes.push(...rows(view, at, stop));
      else if (line.length === 0 && to > line.to) boxes.push(...lineBreak(view, at));
      at = line.to + 1;
    }
  }
  return boxes.slice(0, MOST);
}

// What stands in one row is one box, however often the format changes in it.
function rows(view: EditorView, from: number, to: number): Box[] {
  const range = document.createRange();
  const start = view.domAtPos(from, 1);
  const end = view.domAtPos(to, -1);
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  const boxes: Box[] = [];
  for (const box of range.getClientRects()) {
    if (box.width === 0) continue;
    const last = boxes.at(-1);
    const middle = (box.top + box.bottom) / 2;
    if (last && last.top < middle && middle < last.bottom)
      boxes[boxes.length - 1] = both(last, box);
    else boxes.push(box);
  }
  return boxes;
}

function both(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function lineBreak(view: EditorView, at: number): Box[] {
  const box = view.coordsAtPos(at);
  return box ? [{ ...box, right: box.left + BREAK_WIDTH }] : [];
}

// Backspace takes a whole emoji, however many characters make it up.

import { deleteCharBackward } from '@codemirror/commands';
import type { Command } from '@codemirror/view';

// Longer than any emoji.
const LOOK_BACK = 40;
const segmenter = new Intl.Segmenter();

export const deleteBackward: Command = (view) => {
  const { state } = view;
  const { empty, head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const before = line.text.slice(Math.max(0, head - line.from - LOOK_BACK), head - line.from);
  const last = [...segmenter.segment(before)].at(-1)?.segment ?? '';
  const isOne = empty && state.selection.ranges.length === 1;
  // Of letters with accents the last accent goes, as everywhere.
  if (!isOne || state.readOnly || !/\p{Emoji_Modifier}/u.test(last))
    return deleteCharBackward(view);
  view.dispatch({
    changes: { from: head - last.length, to: head },
    scrollIntoView: true,
    userEvent: 'delete.backward',
  });
  return true;
};

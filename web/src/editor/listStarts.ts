// A numbered list whose first item was deleted begins with the same number as before.

import type { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { beginsList, listAt, renumber } from './lists.ts';
import { padChangeOf, writer } from './state.ts';

// The kind of what is deleted, so that both are undone together.
const KIND = 'delete';

export const listStarts = EditorView.updateListener.of(({ view, transactions }) => {
  const [transaction, ...others] = transactions;
  const isDeletion = transaction?.isUserEvent('delete') && others.length === 0;
  if (!transaction || !isDeletion || padChangeOf(transaction)?.origin !== 'own') return;
  const found = newFirst(transaction, view.state);
  if (!found) return;
  const { number, start } = found;
  const { from } = view.state.doc.line(number);
  const { sets } = view.state.facet(writer);
  const restyle = sets.restyleOf({ start: String(start) });
  const out = new ChangeWriter(view.state).keepTo(from).keepTo(from + 1, restyle);
  edit(view, out.finish(), { kind: KIND, scroll: false });
  renumber(view, [number], (line) => line === number, KIND);
});

// The line that is now first in its list, and the number that was there before.
function newFirst({ startState, changes }: Transaction, state: EditorState) {
  let found: { number: number; start: number } | null = null;
  changes.iterChangedRanges((fromA, _toA, fromB) => {
    const number = state.doc.lineAt(fromB).number;
    const before = startState.doc.lineAt(fromA).number;
    const [old, now] = [listAt(startState, before), listAt(state, number)];
    const were = [old, now].every((item) => item?.list?.kind === 'number' && item.list.level === 1);
    if (!were || !beginsList(startState, before) || !beginsList(state, number)) return;
    const start = old?.start ?? 1;
    if (now?.start !== start) found = { number, start };
  });
  return found as { number: number; start: number } | null;
}

// Keeps line markers where they belong while somebody types.
//
// Invariant: after an own edit no marker stands inside a line, no text stands before one, and the
// caret never rests in front of one. Edits that say themselves what they do are not touched.

import {
  EditorSelection,
  EditorState,
  type Extension,
  type SelectionRange,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { markerAt } from '../document/lines.ts';
import { documentOf, loadRuns, padChange } from './state.ts';

export const markerRules: Extension = [
  EditorState.transactionFilter.of((transaction) => {
    const touched = transaction.docChanged && !speaksForItself(transaction);
    return touched ? withMarkersInPlace(transaction) : transaction;
  }),
  // Also when somebody else makes a list of the line that the caret is in.
  EditorState.transactionFilter.of((transaction) =>
    transaction.docChanged || transaction.selection
      ? withCaretBehindMarker(transaction)
      : transaction,
  ),
];

function speaksForItself(transaction: Transaction): boolean {
  return (
    transaction.annotation(padChange) !== undefined ||
    transaction.effects.some((effect) => effect.is(loadRuns))
  );
}

function withMarkersInPlace(transaction: Transaction): Transaction | readonly TransactionSpec[] {
  const { startState, newDoc } = transaction;
  const document = documentOf(startState);
  const repairs: { from: number; to: number; insert?: string }[] = [];
  transaction.changes.iterChanges((from, to, newFrom, newTo, inserted) => {
    const next = startState.doc.lineAt(to);
    const marked = next.from === to && markerAt(document, to) !== null;
    if (!marked || newDoc.lineAt(newTo).from === newTo) return;
    // The line behind was joined to something: it is no line of its own any more.
    if (from < to || inserted.lines > 1) repairs.push({ from: newTo, to: newTo + 1 });
    // Text was put in front of the marker: it goes behind.
    else {
      repairs.push({ from: newFrom, to: newTo });
      repairs.push({ from: newTo + 1, to: newTo + 1, insert: inserted.toString() });
    }
  });
  // Everything was selected and deleted: what the first line was goes, too.
  const { empty } = startState.selection.main;
  const isEmptied = newDoc.length === 1 && !empty && transaction.isUserEvent('delete');
  if (isEmptied && markerAt(document, 0)) repairs.push({ from: 0, to: 1 });
  if (repairs.length === 0) return transaction;
  return [transaction, { changes: repairs, sequential: true }];
}

function withCaretBehindMarker(transaction: Transaction): Transaction | readonly TransactionSpec[] {
  const { newSelection, startState } = transaction;
  // Reading the state of a transaction in a filter is dear, so only where a line starts with `*`.
  const suspicious = newSelection.ranges.some((range) =>
    [range.anchor, range.head].some((place) => startsWithStar(transaction, place)),
  );
  if (!suspicious) return transaction;
  const document = documentOf(transaction.state);
  const before = startState.selection;
  const corrected = (place: number, was: number | undefined): number => {
    if (!startsWithStar(transaction, place) || !markerAt(document, place)) return place;
    // Going left from the start of an item leads to the line before.
    const leaving = !transaction.docChanged && was === place + 1 && place > 0;
    return leaving && transaction.isUserEvent('select') ? place - 1 : place + 1;
  };
  let changed = false;
  const ranges = newSelection.ranges.map((range, i): SelectionRange => {
    const head = corrected(range.head, before.ranges[i]?.head);
    const anchor = range.empty ? head : corrected(range.anchor, before.ranges[i]?.anchor);
    if (head === range.head && anchor === range.anchor) return range;
    changed = true;
    return EditorSelection.range(anchor, head);
  });
  if (!changed) return transaction;
  const selection = EditorSelection.create(ranges, newSelection.mainIndex);
  return [transaction, { selection, sequential: true }];
}

function startsWithStar(transaction: Transaction, place: number): boolean {
  const { newDoc } = transaction;
  return newDoc.sliceString(place, place + 1) === '*' && newDoc.lineAt(place).from === place;
}

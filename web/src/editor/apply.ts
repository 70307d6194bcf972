// Changesets as transactions of the editor.

import {
  type EditorSelection,
  type EditorState,
  type SelectionRange,
  type StateEffect,
  Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type Changeset, composeAttribs, isIdentity } from '../changeset/index.ts';
import { SYSTEM_AUTHOR } from '../document/attributes.ts';
import { diff } from '../document/diff.ts';
import { changesWithoutEnd, type PadDocument } from '../document/document.ts';
import { loadRuns, type PadChange, padChange, writer } from './state.ts';

export interface EditOptions {
  readonly kind: string;
  readonly origin?: PadChange['origin'];
  readonly selection?: EditorSelection | SelectionRange | { anchor: number; head?: number };
  readonly userEvent?: string;
  readonly effects?: readonly StateEffect<unknown>[];
  readonly scroll?: boolean;
}

// An own edit. Does nothing in a pad that may not be changed.
export function edit(view: EditorView, change: Changeset, options: EditOptions): boolean {
  if (view.state.readOnly || isIdentity(change)) return false;
  view.dispatch(specOf(change, options));
  return true;
}

export function specOf(change: Changeset, options: EditOptions): TransactionSpec {
  const { kind, origin = 'own', selection, userEvent, effects = [], scroll = true } = options;
  return {
    changes: changesWithoutEnd(change),
    annotations: [
      padChange.of({ change, origin, kind }),
      ...(userEvent ? [Transaction.userEvent.of(userEvent)] : []),
    ],
    effects,
    ...(selection ? { selection } : {}),
    scrollIntoView: scroll && origin !== 'remote',
  };
}

export function remoteSpec(change: Changeset): TransactionSpec {
  return specOf(change, { kind: 'remote', origin: 'remote' });
}

// Brings the editor to a document, the caret staying where its surroundings are.
export function loadSpec(state: EditorState, document: PadDocument): TransactionSpec {
  const change = diff(`${state.doc.toString()}\n`, document.text.toString());
  return { changes: changesWithoutEnd(change), effects: loadRuns.of(document.runs) };
}

// How the kinds of edits begin that move text.
export const MOVE = 'move ';

// Text brought back by undo becomes ours; what is moved back stays its author's.
export function asOwn(state: EditorState, change: Changeset, kind = ''): Changeset {
  const { sets, author } = state.facet(writer);
  const isMove = kind.startsWith(MOVE);
  const own = sets.restyleOf({ author });
  const ops = change.ops.map((op) => {
    if (op.opcode !== '+') return op;
    if (isMove && sets.pool.valueOf(op.attribs, 'author') !== SYSTEM_AUTHOR) return op;
    return { ...op, attribs: composeAttribs(op.attribs, own, false, sets.pool) };
  });
  return { ...change, ops };
}

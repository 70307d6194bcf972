// What the editor's state holds besides the text: the attributes of every character.
//
// Invariant: every transaction that changes text or attributes is one changeset, said in the
// `padChange` annotation or worked out from what was typed; text and attributes follow from it
// together. The editor's text lacks the pad's final newline, the attributes do not.

import {
  Annotation,
  type EditorState,
  Facet,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import type { Changeset } from '../changeset/index.ts';
import type { AttributeSets } from '../document/attributes.ts';
import { PadDocument } from '../document/document.ts';
import { type InlineFormats, NO_FORMATS } from '../document/inline.ts';
import { Runs } from '../document/runs.ts';
import { typedChange } from './typed.ts';

export interface PadChange {
  readonly change: Changeset;
  // Remote changes are known to the replica, and undo does not take them back.
  readonly origin: 'own' | 'undo' | 'remote';
  // Own edits of one kind shortly after each other are undone together.
  readonly kind: string;
}

export const padChange = Annotation.define<PadChange>();

// The sets of attributes, and who writes here.
export interface Writer {
  readonly sets: AttributeSets;
  readonly author: string;
}

export const writer = Facet.define<Writer, Writer>({ combine: ([first]) => first as Writer });

// Replaces the attributes of the whole text, when it was reloaded.
export const loadRuns = StateEffect.define<Runs>();

// Formats chosen for what is typed next, where they differ from the text before the caret; an empty
// value is one that ends here.
export const setTypingFormats = StateEffect.define<InlineFormats>();

export const typingFormats = StateField.define<InlineFormats>({
  create: () => NO_FORMATS,
  update(formats, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setTypingFormats)) return effect.value;
    }
    if (transaction.annotation(padChange)?.origin === 'remote') return formats;
    if (transaction.docChanged || transaction.selection) return NO_FORMATS;
    return formats;
  },
});

export const padRuns = StateField.define<Runs>({
  create: () => Runs.empty,
  update(runs, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(loadRuns)) return effect.value;
    }
    const { change } = padChangeOf(transaction) ?? {};
    return change ? runs.apply(change.ops, transaction.startState.facet(writer).sets) : runs;
  },
});

const workedOut = new WeakMap<Transaction, PadChange>();

// What a transaction does to the pad; null if nothing.
export function padChangeOf(transaction: Transaction): PadChange | null {
  const said = transaction.annotation(padChange);
  if (said) return said;
  if (!transaction.docChanged || transaction.effects.some((effect) => effect.is(loadRuns))) {
    return null;
  }
  const known = workedOut.get(transaction);
  if (known) return known;
  const change: PadChange = {
    change: typedChange(transaction),
    origin: 'own',
    kind: transaction.isUserEvent('delete') ? 'delete' : 'type',
  };
  workedOut.set(transaction, change);
  return change;
}

// The document as the editor has it, without the final newline in its text.
export function documentOf(state: EditorState): PadDocument {
  return new PadDocument(state.doc, state.field(padRuns), state.facet(writer).sets);
}

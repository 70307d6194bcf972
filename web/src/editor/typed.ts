// What somebody typed, as a changeset.
//
// Invariant: every new character carries its author. Typing takes over the inline formats of the
// text before it, never what belongs to a line, and newlines carry no format.

import type { EditorState, Transaction } from '@codemirror/state';
import type { Attribs, Attribute, Changeset } from '../changeset/index.ts';
import { INLINE, type Inline } from '../document/inline.ts';
import { markerAt } from '../document/lines.ts';
import { ChangeWriter } from './changeWriter.ts';
import { documentOf, typingFormats, writer } from './state.ts';

export function typedChange(transaction: Transaction): Changeset {
  const state = transaction.startState;
  const out = new ChangeWriter(state);
  transaction.changes.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    out.keepTo(from).deleteTo(to);
    if (inserted.length > 0) writeText(out, state, inserted.toString(), formatsAt(state, from));
  }, true);
  return out.finish();
}

// Writes own text with formats.
export function writeText(
  out: ChangeWriter,
  state: EditorState,
  text: string,
  formats: ReadonlySet<Inline>,
): void {
  const formatted = ownAttribs(
    state,
    [...formats].map((key) => [key, 'true']),
  );
  const plain = ownAttribs(state, []);
  for (const part of text.split(/(\n+)/)) {
    if (part !== '') out.insert(part, part.startsWith('\n') ? plain : formatted);
  }
}

// Attributes of new text by this author.
export function ownAttribs(state: EditorState, attributes: readonly Attribute[]): Attribs {
  const { sets, author } = state.facet(writer);
  return sets.insertOf([...attributes, ['author', author]]);
}

// The formats that text typed at a place has.
export function formatsAt(state: EditorState, place: number): ReadonlySet<Inline> {
  const formats = new Set(inheritedFormats(state, place));
  for (const [format, on] of state.field(typingFormats)) {
    if (on) formats.add(format);
    else formats.delete(format);
  }
  return formats;
}

function inheritedFormats(state: EditorState, place: number): Inline[] {
  const line = state.doc.lineAt(place);
  const document = documentOf(state);
  const start = markerAt(document, line.from) ? line.from + 1 : line.from;
  // At the start of a line its first character speaks for it.
  const source = place > start ? place - 1 : start;
  if (source >= line.to) return [];
  const attributes = document.sets.map(document.runs.at(source));
  return INLINE.filter((key) => attributes.get(key) === 'true');
}

// What somebody typed, as a changeset.
//
// Invariant: every new character carries its author. Typing takes over the inline formats of the
// text before it, never what belongs to a line, and newlines carry no format.

import type { EditorState, Transaction } from '@codemirror/state';
import type { Attribs, Attribute, Changeset } from '../changeset/index.ts';
import { type Inline, type InlineFormats, inlineFormats, NO_FORMATS } from '../document/inline.ts';
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
  formats: InlineFormats = NO_FORMATS,
): void {
  const formatted = ownAttribs(state, [...formats]);
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
export function formatsAt(state: EditorState, place: number): InlineFormats {
  const formats = new Map(inheritedFormats(state, place));
  for (const [format, value] of state.field(typingFormats)) {
    if (value) formats.set(format, value);
    else formats.delete(format);
  }
  return formats;
}

// A name ends where it ends: what is typed behind it is not part of it.
const BOUNDED: readonly Inline[] = ['url'];

function inheritedFormats(state: EditorState, place: number): InlineFormats {
  const line = state.doc.lineAt(place);
  const document = documentOf(state);
  const start = markerAt(document, line.from) ? line.from + 1 : line.from;
  // At the start of a line its first character speaks for it.
  const source = place > start ? place - 1 : start;
  if (source >= line.to) return NO_FORMATS;
  const formatsOf = (at: number) => inlineFormats(document.sets.map(document.runs.at(at)));
  const formats = formatsOf(source);
  const ends = BOUNDED.filter((key) => {
    const value = formats.get(key);
    return value && (place >= line.to || source === place || formatsOf(place).get(key) !== value);
  });
  if (ends.length === 0) return formats;
  return new Map([...formats].filter(([key]) => !ends.includes(key)));
}

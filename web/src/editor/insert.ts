// Putting a piece of text in the place of what was typed for it.

import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { UNTYPED } from '../document/undo.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { formatsAt, ownAttribs, writeText } from './typed.ts';

// With formats as they are there, and with attributes of its own; then a blank ends it.
export function insertPiece(
  view: EditorView,
  from: number,
  to: number,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): void {
  const { state } = view;
  const formats = formatsAt(state, from);
  const own = Object.entries(attributes);
  const out = new ChangeWriter(state).keepTo(from).deleteTo(to);
  out.insert(text, ownAttribs(state, [...formats, ...own]));
  const blank = own.length > 0 && state.sliceDoc(to, to + 1) !== ' ' ? ' ' : '';
  writeText(out, state, blank, formats);
  const selection = EditorSelection.cursor(from + text.length + blank.length);
  edit(view, out.finish(), { kind: 'piece', selection, userEvent: 'input' });
}

// What was typed for a command goes, and undo does not bring it back.
export function removePiece(view: EditorView, from: number, to: number): void {
  const change = new ChangeWriter(view.state).keepTo(from).deleteTo(to).finish();
  edit(view, change, { kind: UNTYPED, userEvent: 'delete' });
}

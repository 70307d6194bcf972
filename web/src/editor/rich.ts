// Text with its formatting, between pads and from other programs: loaded once the text is there.
//
// Invariant: the author of pasted text is the one who pastes.

import { EditorSelection } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { Attribute } from '../changeset/index.ts';
import { type RichLine, richLines, toHtml } from '../document/html.ts';
import { fromHtml } from '../document/htmlReader.ts';
import { markerAt, PLAIN } from '../document/lines.ts';
import { isSafeUrl } from '../document/links.ts';
import { edit } from './apply.ts';
import { brokenLine } from './brokenLine.ts';
import { ChangeWriter } from './changeWriter.ts';
import { restyle, stretches } from './formatting.ts';
import { newMarker } from './lists.ts';
import { tellPage } from './pasted.ts';
import { documentOf } from './state.ts';
import { ownAttribs, writeText } from './typed.ts';

export function htmlOf(view: EditorView): string {
  const { from, to } = view.state.selection.main;
  return toHtml(richLines(documentOf(view.state), from, to), document.baseURI);
}

// An address that is pasted over words becomes their link, unless they are an address themselves.
export function pasteLink(view: EditorView, plain: string): boolean {
  const url = plain.trim();
  const { from, to } = view.state.selection.main;
  if (from === to || url.startsWith('/') || !isSafeUrl(url)) return false;
  const parts = stretches(view.state, from, to);
  if (isSafeUrl(view.state.sliceDoc(from, to).trim())) return false;
  return restyle(view, parts, { url }, 'link');
}

// Says whether there was anything in it that could be read.
export function pasteHtml(view: EditorView, html: string): boolean {
  const { lines = [], pictures = 0 } = fromHtml(html) ?? {};
  if (lines.length > 0) insertLines(view, lines);
  if (pictures > 0) tellPage(view, { pictures });
  return lines.length > 0 || pictures > 0;
}

// A copy of the line below it, formatting included.
export function duplicateLine(view: EditorView): void {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const [copy] = richLines(documentOf(state), line.from, line.to);
  if (!copy || state.readOnly) return;
  view.dispatch({ selection: { anchor: line.to } });
  insertLines(view, [{ ...PLAIN, pieces: [] }, copy]);
}

// In place of the selection.
export function insertLines(view: EditorView, lines: readonly RichLine[]): void {
  const { state } = view;
  const { from, to } = state.selection.main;
  const document = documentOf(state);
  const line = state.doc.lineAt(from);
  const marked = markerAt(document, line.from) !== null;
  const atStart = from === line.from || (marked && from === line.from + 1);
  const out = new ChangeWriter(state).keepTo(from).deleteTo(to);
  let caret = from;
  lines.forEach((rich, i) => {
    if (i > 0) {
      writeText(out, state, '\n');
      caret++;
    }
    // The first line goes into the one that is there, unless that is still empty of formatting.
    const marker = i > 0 || (atStart && !marked) ? markerAttributes(rich) : [];
    if (marker.length > 0) {
      out.insert('*', ownAttribs(state, marker));
      caret++;
    }
    for (const { text, formats } of brokenLine(rich.pieces)) {
      writeText(out, state, text, formats);
      caret += text.length;
    }
  });
  const next = state.doc.lineAt(to);
  if (next.from === to && to > from && markerAt(document, to)) out.deleteTo(to + 1);
  edit(view, out.finish(), {
    kind: 'paste',
    selection: EditorSelection.cursor(caret),
    userEvent: 'input.paste',
  });
}

export function markerAttributes(line: RichLine): Attribute[] {
  const { list, heading, task, code, quote, rule, start, lang, align } = line;
  const marker = newMarker({ list, heading, task, code, quote, rule, align });
  const more = { start: list?.kind === 'number' && start, lang: code && lang };
  for (const [key, value] of Object.entries(more)) if (value) marker.push([key, String(value)]);
  return marker;
}

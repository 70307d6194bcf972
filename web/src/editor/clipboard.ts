// Copying and pasting with formatting, between pads and from other programs.
//
// Invariant: what is copied has no markers, and what is pasted is ours, whoever wrote it.

import { EditorSelection, type EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Attribute } from '../changeset/index.ts';
import { fromHtml, type RichLine, richLines, toHtml } from '../document/html.ts';
import { listValue, markerAt, withoutMarkers } from '../document/lines.ts';
import { edit } from './apply.ts';
import { documentOf } from './state.ts';
import { ownAttribs, writeText } from './typed.ts';
import { ChangeWriter } from './writing.ts';

// A line of more units is broken, as every program for pads does.
const LONGEST_LINE = 2_000;

function copy(event: ClipboardEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  if (empty || !event.clipboardData) return false;
  const document = documentOf(view.state);
  event.clipboardData.setData('text/plain', withoutMarkers(document, from, to));
  event.clipboardData.setData('text/html', toHtml(richLines(document, from, to)));
  event.preventDefault();
  return true;
}

function cut(event: ClipboardEvent, view: EditorView): boolean {
  if (!copy(event, view)) return false;
  if (!view.state.readOnly) {
    view.dispatch(view.state.replaceSelection(''), { userEvent: 'delete.cut' });
  }
  return true;
}

function paste(event: ClipboardEvent, view: EditorView): boolean {
  const html = event.clipboardData?.getData('text/html');
  if (!html || view.state.readOnly) return false;
  const lines = fromHtml(html);
  if (lines.length === 0) return false;
  insertLines(view, lines);
  event.preventDefault();
  return true;
}

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
      writeText(out, state, '\n', new Set());
      caret++;
    }
    // The first line goes into the one that is there, unless that is still empty of formatting.
    const marker = i > 0 || (atStart && !marked) ? markerAttributes(rich) : [];
    if (marker.length > 0) {
      out.insert('*', ownAttribs(state, marker));
      caret++;
    }
    for (const { text, formats } of rich.pieces) {
      const broken = breakLongLines(text.replace(/\r\n?/g, '\n'));
      writeText(out, state, broken, formats);
      caret += broken.length;
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

function markerAttributes({ list, heading }: RichLine): Attribute[] {
  const attributes: Attribute[] = [];
  if (list) attributes.push(['list', listValue(list.kind, list.level)]);
  else if (heading) attributes.push(['heading', `h${heading}`]);
  if (attributes.length === 0) return [];
  return [...attributes, ['insertorder', 'first'], ['lmkr', '1']];
}

function breakLongLines(text: string): string {
  if (text.length <= LONGEST_LINE) return text;
  return text.replace(new RegExp(`[^\\n]{${LONGEST_LINE}}(?=[^\\n]{10})`, 'gu'), '$&\n');
}

export const clipboard: Extension = [
  EditorView.domEventHandlers({ copy, cut, paste }),
  // Text without formatting, and text that is dragged, take CodeMirror's own way.
  EditorView.clipboardInputFilter.of((text) => breakLongLines(text.replace(/\r\n?/g, '\n'))),
  EditorView.clipboardOutputFilter.of((text, state: EditorState) => {
    const { from, to } = state.selection.main;
    return state.selection.ranges.length > 1 ? text : withoutMarkers(documentOf(state), from, to);
  }),
];

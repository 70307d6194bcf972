// Copying and pasting with formatting, between pads and from other programs.
//
// Invariant: what is copied has no markers. What is pasted always arrives: with its formatting, or
// as plain text where that cannot be.

import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { withoutMarkers } from '../document/lines.ts';
import { later } from '../load/later.ts';
import { breakLongLines } from './longLines.ts';
import { documentOf } from './state.ts';

type Rich = typeof import('./rich.ts');

export const rich = later(() => import('./rich.ts'));

function copy(event: ClipboardEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main;
  if (empty || !event.clipboardData) return false;
  event.clipboardData.setData('text/plain', withoutMarkers(documentOf(view.state), from, to));
  if (rich.now) event.clipboardData.setData('text/html', rich.now.htmlOf(view));
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
  const html = event.clipboardData?.getData('text/html') ?? '';
  const plain = event.clipboardData?.getData('text/plain') ?? '';
  if (view.state.readOnly || (!html && view.state.selection.main.empty)) return false;
  if (!rich.now) void pasteSoon(view, html, plain);
  else if (!pasteRich(rich.now, view, html, plain)) return false;
  event.preventDefault();
  return true;
}

function pasteRich(part: Rich, view: EditorView, html: string, plain: string): boolean {
  return part.pasteLink(view, plain) || (html !== '' && part.pasteHtml(view, html));
}

// In the first moments of a page.
async function pasteSoon(view: EditorView, html: string, plain: string): Promise<void> {
  const part = await rich.load().catch(() => null);
  if (view.state.readOnly || (part && pasteRich(part, view, html, plain))) return;
  const text = view.state.replaceSelection(breakLongLines(plain));
  view.dispatch(text, { userEvent: 'input.paste' });
}

export const clipboard: Extension = [
  EditorView.domEventHandlers({ copy, cut, paste }),
  // Text without formatting, and text that is dragged, take CodeMirror's own way.
  EditorView.clipboardInputFilter.of(breakLongLines),
  EditorView.clipboardOutputFilter.of((text, state: EditorState) => {
    const { from, to } = state.selection.main;
    return state.selection.ranges.length > 1 ? text : withoutMarkers(documentOf(state), from, to);
  }),
];

// Copying the selection, or all of the text, as Markdown.

import type { EditorView } from '@codemirror/view';
import { richLines } from '../document/html.ts';
import { toMarkdown } from '../document/markdown.ts';
import { tellPage } from './pasted.ts';
import { documentOf } from './state.ts';

export async function copyMarkdown(view: EditorView): Promise<void> {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  const [start, end] = empty ? [0, state.doc.length] : [from, to];
  const text = toMarkdown(richLines(documentOf(state), start, end));
  if ((await copyByApi(text)) || copyByCommand(text)) tellPage(view, { copied: true });
}

async function copyByApi(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Where the page is not served by TLS, or stands in a frame, only the older way may work.
function copyByCommand(text: string): boolean {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener('copy', fill, { capture: true, once: true });
  const copied = document.execCommand('copy');
  document.removeEventListener('copy', fill, { capture: true });
  return copied;
}

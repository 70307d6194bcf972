// What the editor tells the page about something that was pasted or copied.

import type { EditorView } from '@codemirror/view';

export const PASTED = 'pad-pasted';

export interface PasteDetail {
  // How many pictures were left out.
  readonly pictures?: number;
  // Something is on the clipboard now.
  readonly copied?: boolean;
  // Formats the text, which looks like Markdown.
  markdown?(): void;
}

export function tellPage(view: EditorView, detail: PasteDetail): void {
  view.dom.dispatchEvent(new CustomEvent<PasteDetail>(PASTED, { detail, bubbles: true }));
}

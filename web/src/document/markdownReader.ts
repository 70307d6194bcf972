// Reader of Markdown that was pasted as plain text.
//
// Invariant: it gives what the server makes of the same Markdown in a file; both are held to
// `fixtures/convert/markdown.json`. What is in it is only read, as HTML that is pasted is.

import { Marked } from 'marked';
import { fromHtml, type Pasted } from './htmlReader.ts';

const marked = new Marked({ gfm: true, async: false });

export function fromMarkdown(text: string): Pasted | null {
  const html = marked.parse(text);
  return typeof html === 'string' ? fromHtml(html) : null;
}

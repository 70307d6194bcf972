// What pasting makes of HTML, for tests that run it in a page of their own.

import { toHtml } from '../src/document/html.ts';
import { fromHtml, type Pasted } from '../src/document/htmlReader.ts';
import { fromMarkdown } from '../src/document/markdownReader.ts';
import { markerAttributes } from '../src/editor/rich.ts';

declare global {
  interface Window {
    pasteReader: typeof import('./pasteReader.ts');
  }
}

// In the words of `fixtures/convert/clipboard.json`.
export const read = (html: string) => shown(fromHtml(html));

export const readMarkdown = (text: string) => shown(fromMarkdown(text));

// What pasting makes of what copying makes of it.
export const readAgain = (html: string) => shown(fromHtml(toHtml(fromHtml(html)?.lines ?? [])));

function shown(pasted: Pasted | null) {
  const { lines = [], pictures = 0 } = pasted ?? {};
  const all = lines.map((line) => {
    const { insertorder, lmkr, ...marker } = Object.fromEntries(markerAttributes(line));
    const pieces = line.pieces.map(({ text, formats }) =>
      formats.size > 0 ? ([text, Object.fromEntries(formats)] as const) : text,
    );
    return [marker, ...pieces];
  });
  return { lines: all, pictures };
}

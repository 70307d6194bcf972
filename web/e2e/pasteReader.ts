// What pasting makes of HTML, for tests that run it in a page of their own.

import { fromHtml } from '../src/document/htmlReader.ts';
import { markerAttributes } from '../src/editor/rich.ts';

declare global {
  interface Window {
    pasteReader: { read: typeof read };
  }
}

// In the words of `fixtures/convert/clipboard.json`.
export function read(html: string) {
  const { lines = [], pictures = 0 } = fromHtml(html) ?? {};
  const shown = lines.map((line) => {
    const { insertorder, lmkr, ...marker } = Object.fromEntries(markerAttributes(line));
    const pieces = line.pieces.map(({ text, formats }) =>
      formats.size > 0 ? ([text, Object.fromEntries(formats)] as const) : text,
    );
    return [marker, ...pieces];
  });
  return { lines: shown, pictures };
}

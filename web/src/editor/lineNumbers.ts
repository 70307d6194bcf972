// Numbers of lines, on the baseline of their lines: a heading's is lower than that of other text.

import type { Extension } from '@codemirror/state';
import { type EditorView, GutterMarker, gutter } from '@codemirror/view';
import { lineFormatAt } from '../document/lines.ts';
import { documentOf, loadRuns, padChange } from './state.ts';

class LineNumber extends GutterMarker {
  readonly #text: string;
  override readonly elementClass: string;

  constructor(text: string, elementClass = '') {
    super();
    this.#text = text;
    this.elementClass = elementClass;
  }

  override eq(other: LineNumber): boolean {
    return this.#text === other.#text && this.elementClass === other.elementClass;
  }

  override toDOM(): Text {
    return document.createTextNode(this.#text);
  }
}

// Wide enough for all numbers with as many digits.
const widest = ({ state }: EditorView) =>
  new LineNumber('9'.repeat(String(state.doc.lines).length));

function numberOf({ state }: EditorView, from: number): LineNumber {
  const line = state.doc.lineAt(from);
  const format = lineFormatAt(documentOf(state), line.from);
  const heading = format?.heading ? `pad-number-heading pad-number-h${format.heading}` : '';
  return new LineNumber(String(line.number), format?.code ? 'pad-number-code' : heading);
}

export const numberedLines: Extension = gutter({
  class: 'cm-lineNumbers',
  lineMarker: (view, { from }) => numberOf(view, from),
  // A line can become a heading without another text.
  lineMarkerChange: ({ transactions }) =>
    transactions.some(
      (each) => each.annotation(padChange) || each.effects.some((effect) => effect.is(loadRuns)),
    ),
  initialSpacer: widest,
  updateSpacer: (_, { view }) => widest(view),
});

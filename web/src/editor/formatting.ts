// Formatting of text: bold and its like, clearing, and what holds at the caret.
//
// Invariant: character formats never touch markers and newlines.

import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import {
  type Choice,
  formatChanges,
  type Inline,
  type InlineFormats,
  inlineFormats,
  NO_FORMATS,
  OPPOSITES,
  type Toggle,
} from '../document/inline.ts';
import { formatOf, type LineFormat, markerAt } from '../document/lines.ts';
import { edit } from './apply.ts';
import { ChangeWriter } from './changeWriter.ts';
import { documentOf, setTypingFormats, typingFormats, writer } from './state.ts';
import { formatsAt } from './typed.ts';

export interface CaretFormats {
  readonly inline: InlineFormats;
  readonly line: LineFormat;
}

export type Stretch = readonly [from: number, to: number];

// The stretches of text in a range, line by line without markers and newlines.
export function stretches(state: EditorState, from: number, to: number): Stretch[] {
  const document = documentOf(state);
  const found: Stretch[] = [];
  for (let at = from; at <= to; ) {
    const line = state.doc.lineAt(at);
    const start = Math.max(at, markerAt(document, line.from) ? line.from + 1 : line.from);
    const end = Math.min(line.to, to);
    if (start < end) found.push([start, end]);
    at = line.to + 1;
  }
  return found;
}

// The formats that all of the text in some stretches has.
export function commonFormats(state: EditorState, parts: readonly Stretch[]): InlineFormats {
  const { runs, sets } = documentOf(state);
  let common: InlineFormats | null = null;
  for (const [from, to] of parts) {
    runs.between(from, to, (_from, _to, id) => {
      const here = inlineFormats(sets.map(id));
      common = common && new Map([...common].filter(([key, value]) => here.get(key) === value));
      common ??= here;
    });
  }
  return common ?? NO_FORMATS;
}

export function toggleInline(view: EditorView, format: Toggle): boolean {
  return setInline(view, format, caretFormats(view.state).inline.has(format) ? '' : 'true');
}

// Gives the selection, or what is typed next, one of several values; the same again takes it away.
export function chooseInline(view: EditorView, choice: Choice, value: string): boolean {
  const chosen = caretFormats(view.state).inline.get(choice) === value;
  return setInline(view, choice, chosen ? '' : value);
}

function setInline(view: EditorView, format: Inline, value: string): boolean {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  if (!empty) {
    // On and off again are two steps to undo, however fast.
    const kind = `${format} ${value}`;
    return restyle(view, stretches(state, from, to), { [format]: value }, kind);
  }
  const formats = new Map(state.field(typingFormats)).set(format, value);
  const opposite = OPPOSITES[format];
  if (value && opposite) formats.set(opposite, '');
  view.dispatch({ effects: setTypingFormats.of(formats) });
  return true;
}

export function restyle(
  view: EditorView,
  parts: readonly Stretch[],
  attributes: Readonly<Record<string, string>>,
  kind = 'format',
): boolean {
  const { sets } = view.state.facet(writer);
  const out = new ChangeWriter(view.state);
  const { runs } = documentOf(view.state);
  const keys = Object.entries(attributes);
  for (const [from, to] of parts) {
    runs.between(from, to, (start, end, id) => {
      // Only what differs, so that nothing is written about text that is right already.
      const needed = formatChanges(sets.map(id), keys);
      out.keepTo(start).keepTo(end, sets.restyleOf(needed));
    });
  }
  return edit(view, out.finish(), { kind });
}

export function caretFormats(state: EditorState): CaretFormats {
  const { from, to, empty, head } = state.selection.main;
  const document = documentOf(state);
  const line = formatOf(markerAt(document, state.doc.lineAt(head).from));
  // A selection of a whole book is not read for the sake of a few buttons.
  const parts = empty ? [] : stretches(state, from, Math.min(to, from + 20_000));
  const inline = empty ? formatsAt(state, head) : commonFormats(state, parts);
  return { inline, line };
}

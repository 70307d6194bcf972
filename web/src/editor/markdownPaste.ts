// Markdown that was pasted as plain text: the page is informed, and can have it formatted.
//
// Invariant: the text is in the pad as it was pasted before anything is asked, and formatting it is one
// edit, which undo takes back to that text. Where others have changed it meanwhile nothing happens.

import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { rich } from './clipboard.ts';
import { looksLikeMarkdown } from './markdownSigns.ts';
import { tellPage } from './pasted.ts';
import { padChange } from './state.ts';

// Not fetched with the rest of what comes late: it is large, and most people never need it.
const reader = () => import('../document/markdownReader.ts');

interface Place {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const setPlace = StateEffect.define<Place>();

// Where the text that was pasted last is.
const place = StateField.define<Place | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(setPlace)) return effect.value;
    if (!value || !transaction.docChanged) return value;
    const { changes } = transaction;
    return { ...value, from: changes.mapPos(value.from, 1), to: changes.mapPos(value.to, -1) };
  },
});

const watch = EditorView.updateListener.of(({ view, transactions }) => {
  const paste = transactions.find(
    (each) => each.isUserEvent('input.paste') && !each.annotation(padChange),
  );
  if (!paste || view.state.readOnly) return;
  paste.changes.iterChanges((_from, _to, from, _end, inserted) => {
    const text = inserted.toString().replace(/\n+$/, '');
    if (!looksLikeMarkdown(text)) return;
    reader().catch(() => {});
    // An update cannot be followed by another before it is done.
    queueMicrotask(() => {
      view.dispatch({ effects: setPlace.of({ from, to: from + text.length, text }) });
      tellPage(view, { markdown: () => void format(view) });
    });
  });
});

async function format(view: EditorView): Promise<void> {
  const parts = await Promise.all([reader(), rich.load()]).catch(() => null);
  if (!parts) return;
  const [{ fromMarkdown }, { insertLines }] = parts;
  const { state } = view;
  const at = state.field(place, false);
  if (!at || state.readOnly || state.sliceDoc(at.from, at.to) !== at.text) return;
  const { lines = [], pictures = 0 } = fromMarkdown(at.text) ?? {};
  if (lines.length === 0) return;
  view.dispatch({ selection: { anchor: at.from, head: at.to } });
  insertLines(view, lines);
  if (pictures > 0) tellPage(view, { pictures });
}

export const markdownPaste: Extension = [place, watch];

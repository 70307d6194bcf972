// Folded sections: what is under a heading is hidden on this screen, and nowhere else.
//
// Invariant: the caret is never in hidden text: where it goes is opened, so that finding, jumping and
// typing need to know nothing about folds. Others write there as ever.

import {
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { type Command, Decoration, EditorView, keymap, WidgetType } from '@codemirror/view';
import { sectionEnd } from '../document/headings.ts';
import { lineFormatAt } from '../document/lines.ts';
import { FOLD_KEYS } from './foldKeys.ts';
import { documentOf } from './state.ts';

// By the start of the heading's line.
interface FoldChange {
  readonly from: number;
  readonly fold: boolean;
}

export const changeFold = StateEffect.define<FoldChange>({
  map: ({ from, fold }, changes) => ({ from: changes.mapPos(from), fold }),
});
// While the page is printed everything is shown.
export const showAll = StateEffect.define<boolean>();

class Folded extends WidgetType {
  readonly label: string;

  constructor(label: string) {
    super();
    this.label = label;
  }

  override eq(other: Folded): boolean {
    return other.label === this.label;
  }

  override toDOM(view: EditorView): HTMLElement {
    const span = document.createElement('span');
    span.className = 'pad-folded';
    span.role = 'img';
    span.ariaLabel = this.label;
    span.title = this.label;
    span.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const { from } = view.state.doc.lineAt(view.posAtDOM(span));
      view.dispatch({ effects: changeFold.of({ from, fold: false }) });
    });
    return span;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

// What a heading hides when it is folded; null if it is none, or nothing is under it.
export function foldable(state: EditorState, place: number): { from: number; to: number } | null {
  const { from, to } = state.doc.lineAt(place);
  const document = documentOf(state);
  const level = lineFormatAt(document, from)?.heading ?? 0;
  if (level === 0) return null;
  const end = sectionEnd(document, to, level);
  return end > to ? { from: to, to: end } : null;
}

// Whether anything is under a heading, without looking for its end.
export function hasSection(state: EditorState, from: number): boolean {
  const { number } = state.doc.lineAt(from);
  if (number === state.doc.lines) return false;
  const document = documentOf(state);
  const level = lineFormatAt(document, from)?.heading ?? 0;
  const next = lineFormatAt(document, state.doc.line(number + 1).from)?.heading ?? 0;
  return level > 0 && (next === 0 || next > level);
}

interface Folds {
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  readonly shownAll: boolean;
}

function updated(folds: Folds, transaction: Transaction): Folds {
  const { changes, state } = transaction;
  let { ranges, shownAll } = folds;
  if (!changes.empty && ranges.length > 0) {
    ranges = ranges.flatMap(({ from, to }) => {
      const touched = changes.touchesRange(from, to);
      // What is typed behind the heading belongs to it.
      const moved = { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) };
      if (!touched) return [moved];
      // Others may have made it longer, or have taken the heading away.
      const now = foldable(state, moved.from);
      return now && now.from === moved.from ? [now] : [];
    });
  }
  for (const effect of transaction.effects) {
    if (effect.is(showAll)) shownAll = effect.value;
    if (!effect.is(changeFold)) continue;
    const { to } = state.doc.lineAt(effect.value.from);
    ranges = ranges.filter(({ from }) => from !== to);
    const hidden = effect.value.fold ? foldable(state, to) : null;
    if (hidden) ranges = [...ranges, hidden].sort((a, b) => a.from - b.from);
  }
  if (transaction.selection && ranges.length > 0) {
    const { anchor, head } = transaction.newSelection.main;
    const hides = ({ from, to }: { from: number; to: number }) =>
      [anchor, head].some((place) => place > from && place <= to);
    if (ranges.some(hides)) ranges = ranges.filter((range) => !hides(range));
  }
  const same = ranges === folds.ranges && shownAll === folds.shownAll;
  return same ? folds : { ranges, shownAll };
}

export function foldField(label: (lines: number) => string): StateField<Folds> {
  return StateField.define<Folds>({
    create: () => ({ ranges: [], shownAll: false }),
    update: updated,
    provide: (field) =>
      EditorView.decorations.compute([field], (state) => {
        const { ranges, shownAll } = state.field(field);
        if (shownAll || ranges.length === 0) return Decoration.none;
        let hiddenTo = -1;
        const found = [];
        for (const { from, to } of ranges) {
          // Inside of one that is hidden already.
          if (from <= hiddenTo || to > state.doc.length) continue;
          hiddenTo = to;
          const lines = state.doc.lineAt(to).number - state.doc.lineAt(from).number;
          found.push(Decoration.replace({ widget: new Folded(label(lines)) }).range(from, to));
        }
        return Decoration.set(found);
      }),
  });
}

export type FoldField = ReturnType<typeof foldField>;

export function isFolded(state: EditorState, field: FoldField, lineEnd: number): boolean {
  return state.field(field).ranges.some(({ from }) => from === lineEnd);
}

// Folds the section of a heading or opens it. A caret that is in it goes to the heading.
export function setFold(view: EditorView, from: number, fold: boolean): void {
  const hidden = fold ? foldable(view.state, from) : null;
  const { anchor, head } = view.state.selection.main;
  const inside =
    hidden && [anchor, head].some((place) => place > hidden.from && place <= hidden.to);
  view.dispatch({
    effects: changeFold.of({ from, fold }),
    ...(inside ? { selection: { anchor: hidden.from } } : {}),
  });
}

// Of the section that the caret is in.
const foldHere =
  (fold: boolean): Command =>
  (view) => {
    const { state } = view;
    for (let { number } = state.doc.lineAt(state.selection.main.head); number > 0; number--) {
      const line = state.doc.line(number);
      if (!lineFormatAt(documentOf(state), line.from)?.heading) continue;
      setFold(view, line.from, fold);
      return true;
    }
    return false;
  };

// The end of a folded heading is before what it hides; the editor's own key would go behind that.
const toEnd =
  (field: FoldField, extend: boolean): Command =>
  (view) => {
    const { doc, selection } = view.state;
    const { anchor, head } = selection.main;
    const line = doc.lineAt(head);
    if (!isFolded(view.state, field, line.to)) return false;
    const place = Math.min(view.moveToLineBoundary(selection.main, true).head, line.to);
    view.dispatch({
      selection: { anchor: extend ? anchor : place, head: place },
      scrollIntoView: true,
      userEvent: 'select',
    });
    return true;
  };

// Before the keys of the editor.
export function foldKeys(field: FoldField): Extension {
  const end = { run: toEnd(field, false), shift: toEnd(field, true) };
  return Prec.high(
    keymap.of([
      { ...FOLD_KEYS.fold, run: foldHere(true), preventDefault: true },
      { ...FOLD_KEYS.unfold, run: foldHere(false), preventDefault: true },
      { key: 'End', ...end },
      { mac: 'Cmd-ArrowRight', ...end },
    ]),
  );
}

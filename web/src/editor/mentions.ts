// People who are mentioned in the text: a name that knows whom it means.
//
// Invariant: the page learns of every mention of its visitor that others add, and of none that they
// only move.

import { EditorSelection, RangeSetBuilder, type Transaction } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import type { PadDocument } from '../document/document.ts';
import { addStyles } from '../load/styles.ts';
import { MENTIONED, type MentionDetail } from './mentioned.ts';
import styles from './mentions.css?inline';
import { documentOf, padChangeOf, writer } from './state.ts';

addStyles(styles);

const MARK = Decoration.mark({ class: 'pad-mention' });
const ME = Decoration.mark({ class: 'pad-mention pad-mention-me' });

// Those before are shown where they were.
const MOST = 99;

interface Place {
  at: number;
}

class Mentions {
  decorations: DecorationSet;
  readonly #view: EditorView;
  // Of this author, still to be shown.
  readonly #places = new Set<Place>();

  constructor(view: EditorView) {
    this.#view = view;
    this.decorations = draw(view);
  }

  update(update: ViewUpdate): void {
    const restyled = update.transactions.some((each) => padChangeOf(each) !== null);
    if (update.docChanged || update.viewportChanged || restyled) {
      this.decorations = draw(update.view);
    }
    for (const place of this.#places) place.at = update.changes.mapPos(place.at);
    if (!restyled) return;
    const { doc } = update.state;
    for (const transaction of update.transactions) {
      for (const { from, author } of added(transaction)) {
        const place = { at: Math.min(from, doc.length) };
        this.#places.add(place);
        if (this.#places.size > MOST) this.#places.delete([...this.#places][0] as Place);
        // Not within the update, where nothing can be measured.
        queueMicrotask(() => this.#tell(place, author));
      }
    }
  }

  #tell(place: Place, author: string | undefined): void {
    const isSeen = !document.hidden && this.#isInSight(place.at);
    if (isSeen) this.#places.delete(place);
    const show = () => this.#show(place);
    const detail: MentionDetail = { author, isSeen, show };
    this.#view.dom.dispatchEvent(new CustomEvent(MENTIONED, { detail, bubbles: true }));
  }

  #isInSight(at: number): boolean {
    const place = this.#view.coordsAtPos(at);
    const frame = this.#view.scrollDOM.getBoundingClientRect();
    return place !== null && place.top >= frame.top && place.bottom <= frame.bottom;
  }

  #show(place: Place): void {
    this.#places.delete(place);
    const { at } = place;
    this.#view.dispatch({
      selection: EditorSelection.cursor(at),
      effects: EditorView.scrollIntoView(at, { y: 'center' }),
    });
    this.#view.focus();
  }
}

// What somebody else adds of mentions of this author.
function added(transaction: Transaction): { from: number; author: string | undefined }[] {
  const made = padChangeOf(transaction);
  const { sets, author } = transaction.startState.facet(writer);
  if (made?.origin !== 'remote' || !author) return [];
  const found: { from: number; author: string | undefined }[] = [];
  let at = 0;
  let end = -1;
  for (const { opcode, chars, attribs } of made.change.ops) {
    if (opcode === '-') continue;
    if (attribs && sets.pool.valueOf(attribs, 'mention') === author) {
      if (at !== end) found.push({ from: at, author: sets.pool.valueOf(attribs, 'author') });
      end = at + chars;
    }
    at += chars;
  }
  if (found.length === 0) return [];
  const before = countOf(documentOf(transaction.startState), author);
  const more = countOf(documentOf(transaction.state), author) - before;
  return more > 0 ? found.slice(-more) : [];
}

function countOf({ runs, sets, length }: PadDocument, author: string): number {
  let count = 0;
  let end = -1;
  runs.between(0, length, (from, to, id) => {
    if (sets.map(id).get('mention') !== author) return;
    if (from !== end) count++;
    end = to;
  });
  return count;
}

function draw({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { runs, sets } = documentOf(state);
  const { author } = state.facet(writer);
  for (const { from, to } of visibleRanges) {
    runs.between(from, to, (start, end, id) => {
      const mentioned = sets.map(id).get('mention');
      if (mentioned) builder.add(start, end, mentioned === author ? ME : MARK);
    });
  }
  return builder.finish();
}

export const mentions = ViewPlugin.define((view) => new Mentions(view), {
  decorations: (plugin) => plugin.decorations,
});

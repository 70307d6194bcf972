// The headings of the text in the editor, for those who want to know them.
//
// Invariant: looked for when somebody asks, or when typing pauses and somebody listens. A key costs
// a flag.

import { EditorView, type ViewUpdate } from '@codemirror/view';
import { type Heading, headingsOf } from '../document/headings.ts';
import { documentOf, loadRuns, padChange } from './state.ts';

const PAUSE_MS = 300;

class HeadingList {
  readonly #view: EditorView;
  readonly #listeners = new Set<() => void>();
  #known: readonly Heading[] | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.#view = view;
  }

  get now(): readonly Heading[] {
    this.#known ??= headingsOf(documentOf(this.#view.state));
    return this.#known;
  }

  // Calls after a pause when the text has changed, and at once when only the caret moves.
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(update: ViewUpdate): void {
    const changed = update.docChanged || update.transactions.some(isRestyling);
    if (changed) this.#known = null;
    if (this.#listeners.size === 0) return;
    if (changed) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#tell(), PAUSE_MS);
    } else if (update.selectionSet && this.#known) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isRestyling(transaction: ViewUpdate['transactions'][number]): boolean {
  const loaded = transaction.effects.some((effect) => effect.is(loadRuns));
  return loaded || transaction.annotation(padChange) !== undefined;
}

// By view, because the states of one come and go.
const lists = new WeakMap<EditorView, HeadingList>();

export function headingList(view: EditorView): HeadingList {
  const list = lists.get(view) ?? new HeadingList(view);
  lists.set(view, list);
  return list;
}

export const headings = EditorView.updateListener.of((update) => {
  lists.get(update.view)?.update(update);
});

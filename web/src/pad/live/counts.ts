// How long the text is, and what is selected of it.
//
// Invariant: counting goes over the whole text, so it takes at most a fiftieth of the time, however
// long that is, and none while nothing changes.

import type { EditorState, Text } from '@codemirror/state';
import type { Signal } from '@preact/signals';
import { countCharacters, countWords, withoutMarkers } from '../../document/lines.ts';
import type { PadEditor } from '../../editor/setup.ts';
import { documentOf } from '../../editor/state.ts';
import type { Length, TextLength } from '../live.ts';

const PAUSE_MS = 400;
const SHARE = 50;

export class Counts {
  readonly #length: Signal<TextLength>;
  #counted: Text | null = null;
  #pause = PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(length: Signal<TextLength>) {
    this.#length = length;
  }

  // The text or the selection may have changed.
  update(editor: PadEditor): void {
    const { doc, selection } = editor.view.state;
    const isSame = doc === this.#counted && selection.main.empty;
    if (isSame && this.#length.peek().selected === null) return;
    this.#timer ??= setTimeout(() => this.#count(editor.view.state), this.#pause);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #count(state: EditorState): void {
    this.#timer = undefined;
    const start = performance.now();
    const { doc, selection } = state;
    const whole =
      doc === this.#counted ? this.#length.peek().whole : lengthOf(state, 0, doc.length);
    const { from, to, empty } = selection.main;
    this.#counted = doc;
    this.#length.value = { whole, selected: empty ? null : lengthOf(state, from, to) };
    this.#pause = Math.max(PAUSE_MS, SHARE * (performance.now() - start));
  }
}

function lengthOf(state: EditorState, from: number, to: number): Length {
  const text = withoutMarkers(documentOf(state), from, to);
  return { words: countWords(text), characters: countCharacters(text) };
}

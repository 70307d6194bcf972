// Builder of a changeset for the text in the editor, from left to right.

import type { EditorState } from '@codemirror/state';
import { type Attribs, Builder, type Changeset } from '../changeset/index.ts';
import { pushSpan } from '../document/document.ts';

export class ChangeWriter {
  readonly #state: EditorState;
  readonly #builder: Builder;
  #at = 0;

  constructor(state: EditorState) {
    this.#state = state;
    // The final newline of the pad is not in the editor.
    this.#builder = new Builder(state.doc.length + 1);
  }

  keepTo(place: number, attribs: Attribs = ''): this {
    this.#span(place, (chars, lines) => this.#builder.keepCounted(chars, lines, attribs));
    return this;
  }

  deleteTo(place: number): this {
    this.#span(place, (chars, lines) => this.#builder.deleteCounted(chars, lines));
    return this;
  }

  insert(text: string, attribs: Attribs): this {
    this.#builder.insert(text, attribs);
    return this;
  }

  finish(): Changeset {
    return this.#builder.finish();
  }

  #span(place: number, push: (chars: number, lines: number) => void): void {
    pushSpan(this.#state.doc, this.#at, place, push);
    this.#at = Math.max(this.#at, place);
  }
}

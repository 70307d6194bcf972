// Others as lines with a name, drawn above the text and never inside it.
//
// Invariant: only those in sight are measured. An element stays with its author, so that a name can
// fade.

import { Direction, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type Authors, authorsChanged } from './authors.ts';
import { remoteCursors } from './cursors.ts';

interface Mark {
  readonly author: string;
  readonly name: string;
  readonly look: string;
  readonly left: number;
  readonly top: number;
  readonly height: number;
}

class Marks {
  readonly #view: EditorView;
  readonly #authors: Authors;
  readonly #unnamed: string;
  readonly #layer = document.createElement('div');
  readonly #elements = new Map<string, HTMLElement>();
  readonly #request = {
    key: this,
    read: () => this.#measure(),
    write: (marks: readonly Mark[]) => this.#draw(marks),
  };

  constructor(view: EditorView, authors: Authors, unnamed: string) {
    this.#view = view;
    this.#authors = authors;
    this.#unnamed = unnamed;
    this.#layer.className = 'pad-cursors';
    this.#layer.setAttribute('aria-hidden', 'true');
    view.scrollDOM.append(this.#layer);
    view.requestMeasure(this.#request);
  }

  update(update: ViewUpdate): void {
    const { state, startState, transactions } = update;
    const changed =
      update.docChanged ||
      update.viewportChanged ||
      update.geometryChanged ||
      state.field(remoteCursors) !== startState.field(remoteCursors) ||
      transactions.some(({ effects }) => effects.some((effect) => effect.is(authorsChanged)));
    if (changed) this.#view.requestMeasure(this.#request);
  }

  destroy(): void {
    this.#layer.remove();
  }

  #measure(): Mark[] {
    const { scrollDOM, viewport, textDirection, state } = this.#view;
    const frame = scrollDOM.getBoundingClientRect();
    const edge = textDirection === Direction.LTR ? frame.left : frame.right - scrollDOM.clientWidth;
    return state
      .field(remoteCursors)
      .filter(({ place }) => viewport.from <= place && place <= viewport.to)
      .flatMap(({ author, place, named }) => {
        const at = this.#view.coordsAtPos(place);
        if (!at) return [];
        const right = at.left - edge > scrollDOM.clientWidth / 2;
        const classes = ['pad-cursor', this.#authors.classOf(author)];
        if (named) classes.push('pad-cursor-named');
        // The name goes to the side where there is more room.
        if (right) classes.push('pad-cursor-right');
        return {
          author,
          name: this.#authors.lookOf(author)?.name ?? this.#unnamed,
          look: classes.join(' '),
          left: at.left - edge + scrollDOM.scrollLeft,
          top: at.top - frame.top + scrollDOM.scrollTop,
          height: at.bottom - at.top,
        };
      });
  }

  #draw(marks: readonly Mark[]): void {
    const gone = new Set(this.#elements.keys());
    for (const { author, name, look, left, top, height } of marks) {
      gone.delete(author);
      const element = this.#elements.get(author) ?? document.createElement('div');
      this.#elements.set(author, element);
      element.className = look;
      element.dataset.name = name;
      element.style.left = `${left}px`;
      element.style.top = `${top}px`;
      element.style.height = `${height}px`;
      if (!element.isConnected) this.#layer.append(element);
    }
    for (const author of gone) {
      this.#elements.get(author)?.remove();
      this.#elements.delete(author);
    }
  }
}

export const cursorMarks = (authors: Authors, unnamed: string) =>
  ViewPlugin.define((view) => new Marks(view, authors, unnamed));

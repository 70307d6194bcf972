// Others as lines with a name, and what they have selected as a tint, drawn above the text and
// never inside it.
//
// Invariant: only those in sight are measured. An element stays with its author's window, so that a
// name can fade.

import { Direction, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type Authors, authorsChanged } from './authors.ts';
import { type RemoteCursor, remoteCursors } from './cursors.ts';
import { type Box, selectionBoxes } from './selectionBoxes.ts';

interface Mark {
  readonly key: string;
  readonly author: string;
  readonly name: string;
  readonly look: string;
  // From the corner where the text begins. Null if the caret is out of sight.
  readonly caret: Box | null;
  readonly selected: readonly Box[];
}

interface Elements {
  readonly caret: HTMLElement;
  readonly selection: HTMLElement;
}

// How near to a caret the pointer finds its name.
const NEAR = 5;

class Marks {
  readonly #view: EditorView;
  readonly #authors: Authors;
  readonly #unnamed: (author: string) => string;
  readonly #layer = document.createElement('div');
  readonly #elements = new Map<string, Elements>();
  #marks: readonly Mark[] = [];
  readonly #request = {
    key: this,
    read: () => this.#measure(),
    write: (marks: readonly Mark[]) => this.#draw(marks),
  };
  // The layer itself lets every click through to the text.
  readonly #pointed = (event: MouseEvent) => {
    if (this.#marks.length > 0) this.#hover(event.type === 'mousemove' ? event : null);
  };

  constructor(view: EditorView, authors: Authors, unnamed: (author: string) => string) {
    this.#view = view;
    this.#authors = authors;
    this.#unnamed = unnamed;
    this.#layer.className = 'pad-cursors';
    this.#layer.setAttribute('aria-hidden', 'true');
    view.scrollDOM.append(this.#layer);
    view.scrollDOM.addEventListener('mousemove', this.#pointed, { passive: true });
    view.scrollDOM.addEventListener('mouseleave', this.#pointed, { passive: true });
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
    this.#view.scrollDOM.removeEventListener('mousemove', this.#pointed);
    this.#view.scrollDOM.removeEventListener('mouseleave', this.#pointed);
  }

  // Where the layer begins, in coordinates of the window.
  #origin(): { x: number; y: number } {
    const { scrollDOM, textDirection } = this.#view;
    const frame = scrollDOM.getBoundingClientRect();
    const edge = textDirection === Direction.LTR ? frame.left : frame.right - scrollDOM.clientWidth;
    return { x: edge - scrollDOM.scrollLeft, y: frame.top - scrollDOM.scrollTop };
  }

  #measure(): Mark[] {
    const { viewport, state } = this.#view;
    const { x, y } = this.#origin();
    const inLayer = ({ left, top, right, bottom }: Box): Box => ({
      left: left - x,
      top: top - y,
      right: right - x,
      bottom: bottom - y,
    });
    return state.field(remoteCursors).flatMap((cursor) => {
      const { author, window, place, anchor } = cursor;
      const from = Math.max(Math.min(place, anchor), viewport.from);
      const to = Math.min(Math.max(place, anchor), viewport.to);
      if (from > to) return [];
      const isInSight = viewport.from <= place && place <= viewport.to;
      const at = isInSight ? this.#view.coordsAtPos(place) : null;
      const selected = from < to ? selectionBoxes(this.#view, from, to).map(inLayer) : [];
      const caret = at && inLayer(at);
      const name = this.#authors.lookOf(author)?.name ?? this.#unnamed(author);
      const key = `${author} ${window}`;
      return { key, author, name, look: this.#look(cursor, caret), caret, selected };
    });
  }

  #look({ author, named }: RemoteCursor, caret: Box | null): string {
    const { clientWidth, scrollLeft } = this.#view.scrollDOM;
    const classes = ['pad-cursor', this.#authors.classOf(author)];
    if (named) classes.push('pad-cursor-named');
    // The name goes to the side where there is more room.
    if (caret && caret.left - scrollLeft > clientWidth / 2) classes.push('pad-cursor-right');
    return classes.join(' ');
  }

  #draw(marks: readonly Mark[]): void {
    const gone = new Set(this.#elements.keys());
    this.#marks = marks;
    for (const { key, author, name, look, caret, selected } of marks) {
      gone.delete(key);
      const elements = this.#elementsOf(key);
      elements.caret.className = look;
      elements.caret.dataset.name = name;
      elements.caret.hidden = !caret;
      if (caret) place(elements.caret, caret);
      elements.selection.className = `pad-selection ${this.#authors.classOf(author)}`;
      fill(elements.selection, selected);
    }
    for (const key of gone) {
      const elements = this.#elements.get(key);
      elements?.caret.remove();
      elements?.selection.remove();
      this.#elements.delete(key);
    }
  }

  #elementsOf(key: string): Elements {
    const known = this.#elements.get(key);
    if (known) return known;
    const made = { caret: document.createElement('div'), selection: document.createElement('div') };
    this.#elements.set(key, made);
    this.#layer.append(made.selection, made.caret);
    return made;
  }

  // The name of the caret, or of the selection, under the pointer.
  #hover(pointer: MouseEvent | null): void {
    const { x, y } = this.#origin();
    for (const { key, caret, selected } of this.#marks) {
      const boxes = caret ? [widened(caret), ...selected] : [];
      const isOver =
        pointer !== null &&
        boxes.some((box) => contains(box, pointer.clientX - x, pointer.clientY - y));
      this.#elements.get(key)?.caret.toggleAttribute('data-hover', isOver);
    }
  }
}

function widened({ left, top, right, bottom }: Box): Box {
  return { left: left - NEAR, top, right: right + NEAR, bottom };
}

function contains({ left, top, right, bottom }: Box, x: number, y: number): boolean {
  return left <= x && x <= right && top <= y && y <= bottom;
}

function place({ style }: HTMLElement, { left, top, bottom }: Box): void {
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.height = `${bottom - top}px`;
}

function fill(selection: HTMLElement, boxes: readonly Box[]): void {
  while (selection.childElementCount > boxes.length) selection.lastElementChild?.remove();
  while (selection.childElementCount < boxes.length) {
    selection.append(document.createElement('div'));
  }
  boxes.forEach((box, index) => {
    const element = selection.children[index];
    if (!(element instanceof HTMLElement)) return;
    place(element, box);
    element.style.width = `${box.right - box.left}px`;
  });
}

export const cursorMarks = (authors: Authors, unnamed: (author: string) => string) =>
  ViewPlugin.define((view) => new Marks(view, authors, unnamed));

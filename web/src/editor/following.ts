// The view of the text goes along with the caret of somebody else.
//
// Invariant: it never moves the own caret. It ends with the first thing the visitor does to the
// text or its place on the screen: a key, a wheel, a touch, a jump.

import { Compartment, type EditorState, StateEffect } from '@codemirror/state';
import { EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { remoteCursors } from './cursors.ts';

const slot = new Compartment();
// Of the height of the window: their caret stays this far from its edges.
const MARGIN = 0.25;
const HANDS = ['wheel', 'touchmove', 'pointerdown'] as const;
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

// Nobody is followed with null. `ended` is called once, when the visitor ends it by hand, or the text
// is filled again.
export function follow(view: EditorView, author: string | null, ended: () => void): void {
  const plugin = author === null ? [] : ViewPlugin.define((at) => new Follower(at, author, ended));
  const isThere = slot.get(view.state) !== undefined;
  view.dispatch({
    effects: isThere ? slot.reconfigure(plugin) : StateEffect.appendConfig.of(slot.of(plugin)),
  });
}

class Follower {
  readonly #view: EditorView;
  readonly #author: string;
  readonly #ended: () => void;
  readonly #end = () => {
    if (this.#isOver) return;
    this.#stop();
    this.#ended();
  };
  readonly #pressed = (event: KeyboardEvent) => {
    const inText = event.target instanceof Node && this.#view.dom.contains(event.target);
    if (event.key === 'Escape' || (inText && !MODIFIERS.has(event.key))) this.#end();
  };
  #place: number | null = null;
  #isOver = false;

  constructor(view: EditorView, author: string, ended: () => void) {
    this.#view = view;
    this.#author = author;
    this.#ended = ended;
    for (const hand of HANDS) view.scrollDOM.addEventListener(hand, this.#end, { passive: true });
    addEventListener('keydown', this.#pressed, true);
    this.#goAlong(view.state);
  }

  update({ state, selectionSet }: ViewUpdate): void {
    if (selectionSet) queueMicrotask(this.#end);
    else this.#goAlong(state);
  }

  destroy(): void {
    // Not inside of the update that takes it away.
    queueMicrotask(this.#end);
  }

  #goAlong(state: EditorState): void {
    const cursor = state.field(remoteCursors).find(({ author }) => author === this.#author);
    if (!cursor || cursor.place === this.#place) return;
    const isFirst = this.#place === null;
    this.#place = cursor.place;
    // No update may begin inside of another.
    queueMicrotask(() => this.#scroll(isFirst));
  }

  #scroll(toMiddle: boolean): void {
    if (this.#isOver || this.#place === null) return;
    const { scrollDOM, state } = this.#view;
    const yMargin = Math.round(scrollDOM.clientHeight * MARGIN);
    const place = Math.min(this.#place, state.doc.length);
    const how = toMiddle ? { y: 'center' as const } : { y: 'nearest' as const, yMargin };
    this.#view.dispatch({ effects: EditorView.scrollIntoView(place, how) });
  }

  #stop(): void {
    this.#isOver = true;
    for (const hand of HANDS) this.#view.scrollDOM.removeEventListener(hand, this.#end);
    removeEventListener('keydown', this.#pressed, true);
  }
}

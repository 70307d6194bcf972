// Where the others are: a line with a name, drawn above the text and never inside it.

import { EditorSelection, type Extension, StateEffect, StateField } from '@codemirror/state';
import { type EditorView, type LayerMarker, layer, RectangleMarker } from '@codemirror/view';
import type { Authors } from './authors.ts';

export interface RemoteCursor {
  readonly author: string;
  readonly place: number;
  // The name is shown for a while after something happened.
  readonly named: boolean;
}

export const setCursors = StateEffect.define<readonly RemoteCursor[]>();

// More than these would be confetti.
const MOST = 30;

export const remoteCursors = StateField.define<readonly RemoteCursor[]>({
  create: () => [],
  update(cursors, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setCursors)) return effect.value.slice(0, MOST);
    }
    if (!transaction.docChanged || cursors.length === 0) return cursors;
    return cursors.map((cursor) => ({
      ...cursor,
      place: transaction.changes.mapPos(cursor.place),
    }));
  },
});

class CursorMarker implements LayerMarker {
  readonly rectangle: RectangleMarker;
  readonly name: string;
  readonly look: string;

  constructor(rectangle: RectangleMarker, name: string, look: string) {
    this.rectangle = rectangle;
    this.name = name;
    this.look = look;
  }

  eq(other: LayerMarker): boolean {
    if (!(other instanceof CursorMarker)) return false;
    return (
      other.look === this.look && other.name === this.name && other.rectangle.eq(this.rectangle)
    );
  }

  draw(): HTMLElement {
    const element = this.rectangle.draw();
    element.className = this.look;
    element.dataset.name = this.name;
    return element;
  }
}

export function cursorLayer(authors: Authors, unnamed: string): Extension {
  const markersOf = (view: EditorView): CursorMarker[] =>
    view.state
      .field(remoteCursors)
      .filter(({ place }) => place >= view.viewport.from && place <= view.viewport.to)
      .flatMap(({ author, place, named }) => {
        const look = `pad-cursor ${authors.classOf(author)}${named ? ' pad-cursor-named' : ''}`;
        const name = authors.lookOf(author)?.name ?? unnamed;
        return RectangleMarker.forRange(view, look, EditorSelection.cursor(place)).map(
          (rectangle) => new CursorMarker(rectangle, name, look),
        );
      });
  return [
    remoteCursors,
    layer({
      above: true,
      class: 'pad-cursors',
      update: (update) =>
        update.docChanged ||
        update.viewportChanged ||
        update.geometryChanged ||
        update.state.field(remoteCursors) !== update.startState.field(remoteCursors),
      markers: markersOf,
    }),
  ];
}

// A small card below the address that the caret was put into, which opens it: for those who have no
// Ctrl key at hand.
//
// Invariant: outside of the text one writes in. It goes with the next key that changes the text.

import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type Link, linkAt } from './links.ts';

const GAP = 4;

class Card {
  readonly #view: EditorView;
  readonly #card = document.createElement('div');
  readonly #anchor = document.createElement('a');
  readonly #address = document.createElement('span');
  #link: Link | null = null;
  readonly #moved = () => this.#place();
  readonly #left = (event: FocusEvent) => {
    const { relatedTarget } = event;
    const inside = relatedTarget instanceof Node && this.#view.dom.contains(relatedTarget);
    if (!inside) this.#show(null);
  };
  readonly #escaped = (event: KeyboardEvent) => {
    if (event.key === 'Escape') this.#show(null);
  };

  constructor(view: EditorView, open: string) {
    this.#view = view;
    this.#card.className = 'pad-link-card';
    this.#card.hidden = true;
    this.#anchor.target = '_blank';
    this.#anchor.rel = 'noopener noreferrer';
    const word = document.createElement('span');
    word.className = 'pad-link-open';
    word.textContent = open;
    this.#anchor.append(this.#address, word);
    this.#card.append(this.#anchor);
    // The caret stays where it is.
    this.#card.addEventListener('mousedown', (event) => event.preventDefault());
    view.dom.append(this.#card);
    view.dom.addEventListener('focusout', this.#left);
    view.dom.addEventListener('keydown', this.#escaped);
    view.scrollDOM.addEventListener('scroll', this.#moved, { passive: true });
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) this.#show(null);
    else if (update.selectionSet) {
      const { main } = update.state.selection;
      this.#show(main.empty ? linkAt(update.state, main.head) : null);
    } else if (update.geometryChanged) this.#place();
  }

  destroy(): void {
    this.#card.remove();
    this.#view.dom.removeEventListener('focusout', this.#left);
    this.#view.dom.removeEventListener('keydown', this.#escaped);
    this.#view.scrollDOM.removeEventListener('scroll', this.#moved);
  }

  #show(link: Link | null): void {
    this.#link = link;
    this.#card.hidden = !link;
    if (!link) return;
    this.#anchor.href = link.href;
    this.#address.textContent = link.href;
    this.#place();
  }

  #place(): void {
    if (!this.#link) return;
    const { from } = this.#link;
    this.#view.requestMeasure({
      key: this,
      read: (view) => {
        const at = view.coordsAtPos(from);
        const frame = view.dom.getBoundingClientRect();
        return at && { at, frame, width: this.#card.offsetWidth, height: this.#card.offsetHeight };
      },
      write: (measured) => {
        if (!measured) return;
        const { at, frame, width, height } = measured;
        const below = at.bottom - frame.top + GAP;
        const top = below + height > frame.height ? at.top - frame.top - height - GAP : below;
        const left = Math.min(at.left - frame.left, frame.width - width - GAP);
        this.#card.style.top = `${top}px`;
        this.#card.style.left = `${Math.max(GAP, left)}px`;
        // Scrolled out of sight.
        this.#card.classList.toggle('pad-away', at.top < frame.top || at.bottom > frame.bottom);
      },
    });
  }
}

export const linkCard = (open: string) => ViewPlugin.define((view) => new Card(view, open));

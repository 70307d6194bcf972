// A small card below the link that the caret was put into: opens, copies, changes and removes it,
// for those who have no keys for that at hand.
//
// Invariant: outside of the text one writes in. It goes with the next key that changes the text.

import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { Link } from '../document/links.ts';
import { headingOfPage, linkAt, namedLinkAt } from './links.ts';
import { removeLink } from './namedLinks.ts';

export interface LinkWords {
  readonly openLink: string;
  readonly editLink: string;
  readonly removeLink: string;
  readonly copy: string;
  readonly copied: string;
}

const GAP = 4;

class Card {
  readonly #view: EditorView;
  readonly #card = document.createElement('div');
  readonly #anchor = document.createElement('a');
  readonly #address = document.createElement('span');
  readonly #buttons = document.createElement('div');
  readonly #copy: HTMLButtonElement;
  // What only those may do who write here, and what only a link with a name can lose.
  readonly #edit: HTMLButtonElement;
  readonly #remove: HTMLButtonElement;
  readonly #words: LinkWords;
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

  constructor(view: EditorView, words: LinkWords, edit: () => void) {
    this.#view = view;
    this.#words = words;
    this.#card.className = 'pad-link-card';
    this.#card.hidden = true;
    this.#anchor.target = '_blank';
    this.#anchor.rel = 'noopener noreferrer';
    const word = document.createElement('span');
    word.className = 'pad-link-open';
    word.textContent = words.openLink;
    this.#anchor.append(this.#address, word);
    this.#copy = this.#button(words.copy, () => void this.#copyAddress().catch(() => {}));
    this.#edit = this.#button(words.editLink, edit);
    this.#remove = this.#button(words.removeLink, () => {
      removeLink(view);
      view.focus();
    });
    this.#card.append(this.#anchor, this.#buttons);
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
    this.#anchor.target = headingOfPage(link.href) ? '' : '_blank';
    this.#address.textContent = link.href;
    this.#copy.textContent = this.#words.copy;
    const { state } = this.#view;
    this.#edit.hidden = state.readOnly;
    this.#remove.hidden = state.readOnly || !namedLinkAt(state, state.selection.main.head);
    this.#place();
  }

  #button(label: string, act: () => void): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', act);
    this.#buttons.append(button);
    return button;
  }

  // Without the permission nothing is said to be copied.
  async #copyAddress(): Promise<void> {
    await navigator.clipboard.writeText(this.#anchor.href);
    this.#copy.textContent = this.#words.copied;
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

export const linkCard = (words: LinkWords, edit: () => void) =>
  ViewPlugin.define((view) => new Card(view, words, edit));

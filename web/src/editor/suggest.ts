// A list at the caret of what a few typed characters may mean: commands, emoji, people.
//
// Invariant: only typing opens it, and nothing is lost by it: Escape, a click elsewhere or words that
// nothing fits leave what was typed. The focus stays in the text, which names the chosen option.

import { type EditorState, type Extension, Prec } from '@codemirror/state';
import {
  type Command,
  type EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { inlineFormats } from '../document/inline.ts';
import { formatOf, markerAt } from '../document/lines.ts';
import { documentOf, padChangeOf } from './state.ts';

export interface Suggestion {
  readonly id: string;
  readonly label: string;
  // A character or two, or the path of an icon, in front of it.
  readonly sign?: string | undefined;
  readonly icon?: string | undefined;
  readonly keys?: string | undefined;
}

export interface Found {
  // Where the text begins that the suggestion replaces, counted as the text that was searched.
  readonly from: number;
  readonly query: string;
  // Written out and closed: nothing is left to choose.
  readonly isComplete?: boolean;
}

export interface SuggestionSource {
  readonly label: string;
  isOn(): boolean;
  find(before: string): Found | null;
  list(query: string): readonly Suggestion[];
  choose(view: EditorView, from: number, to: number, chosen: Suggestion): void;
}

const GAP = 4;
const MOST = 40;
// Far enough back for the longest query.
const LOOK_BACK = 60;
const OPENING = /[/:@]/;
const SVG = 'http://www.w3.org/2000/svg';

class SuggestionList {
  readonly #view: EditorView;
  readonly #load: () => Promise<readonly SuggestionSource[]>;
  readonly #list = document.createElement('div');
  #sources: readonly SuggestionSource[] | null = null;
  #source: SuggestionSource | null = null;
  #items: readonly Suggestion[] = [];
  #from = 0;
  #at = 0;
  // Where the visitor wants none.
  #dismissed: number | null = null;
  readonly #left = () => this.close();

  constructor(view: EditorView, load: () => Promise<readonly SuggestionSource[]>) {
    this.#view = view;
    this.#load = load;
    this.#list.className = 'pad-suggest';
    this.#list.id = 'pad-suggest';
    this.#list.role = 'listbox';
    // It scrolls.
    this.#list.tabIndex = 0;
    this.#list.hidden = true;
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
    view.dom.append(this.#list);
    view.contentDOM.addEventListener('blur', this.#left);
  }

  get isOpen(): boolean {
    return this.#source !== null;
  }

  update(update: ViewUpdate): void {
    if (update.docChanged) {
      const typed = update.transactions.some(
        (each) => each.isUserEvent('input.type') && padChangeOf(each)?.origin === 'own',
      );
      if (this.#dismissed !== null) this.#dismissed = update.changes.mapPos(this.#dismissed);
      // Not within the update: a choice is an update of its own.
      if (typed || this.isOpen) queueMicrotask(() => void this.#look());
    } else if (update.selectionSet) this.close();
    else if (update.geometryChanged && this.isOpen) this.#place();
  }

  destroy(): void {
    this.#list.remove();
    this.#view.contentDOM.removeEventListener('blur', this.#left);
  }

  move(by: number): boolean {
    if (!this.isOpen) return false;
    this.#at = (this.#at + by + this.#items.length) % this.#items.length;
    this.#mark();
    return true;
  }

  choose(index = this.#at): boolean {
    const item = this.#items[index];
    const source = this.#source;
    if (!source || !item) return false;
    const { head } = this.#view.state.selection.main;
    const from = this.#from;
    this.close();
    source.choose(this.#view, from, head, item);
    return true;
  }

  dismiss(): boolean {
    if (!this.isOpen) return false;
    this.#dismissed = this.#from;
    this.close();
    return true;
  }

  close(): void {
    this.#source = null;
    this.#items = [];
    this.#list.hidden = true;
    for (const name of ['aria-activedescendant', 'aria-controls', 'aria-autocomplete']) {
      this.#view.contentDOM.removeAttribute(name);
    }
  }

  async #look(): Promise<void> {
    const before = textBefore(this.#view.state);
    if (before === null || !OPENING.test(before)) return this.close();
    this.#sources ??= await this.#load().catch(() => null);
    const { state } = this.#view;
    // Typing has gone on meanwhile.
    const text = textBefore(state);
    const { head } = state.selection.main;
    for (const source of (text !== null && this.#sources) || []) {
      const found = source.isOn() ? source.find(text ?? '') : null;
      if (!found) continue;
      const from = head - (text ?? '').length + found.from;
      if (from === this.#dismissed) return;
      this.#items = source.list(found.query).slice(0, MOST);
      if (this.#items.length === 0) break;
      this.#source = source;
      this.#from = from;
      if (found.isComplete) this.choose(0);
      else this.#show(source.label);
      return;
    }
    this.close();
  }

  #show(label: string): void {
    this.#at = 0;
    this.#list.ariaLabel = label;
    this.#list.replaceChildren(...this.#items.map((item, index) => this.#option(item, index)));
    this.#list.hidden = false;
    const { contentDOM } = this.#view;
    contentDOM.setAttribute('aria-controls', this.#list.id);
    contentDOM.setAttribute('aria-autocomplete', 'list');
    this.#mark();
    this.#place();
  }

  #option({ label, sign, icon, keys }: Suggestion, index: number): HTMLElement {
    const option = document.createElement('div');
    option.className = 'menu-item';
    option.role = 'option';
    option.id = `pad-suggest-${index}`;
    const front = icon ? drawn(icon) : part('span', sign ?? '');
    front.classList.add(icon ? 'icon' : 'sign');
    front.setAttribute('aria-hidden', 'true');
    option.append(front, part('span', label));
    if (keys) option.append(part('kbd', keys));
    option.addEventListener('click', () => this.choose(index));
    return option;
  }

  #mark(): void {
    [...this.#list.children].forEach((option, index) => {
      option.ariaSelected = String(index === this.#at);
    });
    const chosen = this.#list.children[this.#at];
    chosen?.scrollIntoView({ block: 'nearest' });
    if (chosen) this.#view.contentDOM.setAttribute('aria-activedescendant', chosen.id);
  }

  #place(): void {
    this.#view.requestMeasure({
      key: this,
      read: (view) => {
        const at = this.isOpen ? view.coordsAtPos(this.#from) : null;
        const { offsetWidth: width, offsetHeight: height } = this.#list;
        return at && { at, frame: view.dom.getBoundingClientRect(), width, height };
      },
      write: (measured) => {
        if (!measured) return;
        const { at, frame, width, height } = measured;
        const below = at.bottom - frame.top + GAP;
        const above = at.top - frame.top - height - GAP;
        const top = below + height > frame.height && above > 0 ? above : below;
        const left = Math.min(at.left - frame.left, frame.width - width - GAP);
        this.#list.style.top = `${top}px`;
        this.#list.style.left = `${Math.max(GAP, left)}px`;
      },
    });
  }
}

// What was typed in this line up to the caret; null where characters are what they are.
function textBefore(state: EditorState): string | null {
  const { head, empty } = state.selection.main;
  if (!empty || state.readOnly || head === 0) return null;
  const document = documentOf(state);
  const line = state.doc.lineAt(head);
  const marker = markerAt(document, line.from);
  const isCode = inlineFormats(document.sets.map(document.runs.at(head - 1))).has('code');
  if (isCode || formatOf(marker).code) return null;
  return state.sliceDoc(Math.max(marker ? line.from + 1 : line.from, head - LOOK_BACK), head);
}

function part(tag: 'span' | 'kbd', text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function drawn(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.append(document.createElementNS(SVG, 'path'));
  svg.firstElementChild?.setAttribute('d', path);
  return svg;
}

export function suggestions(load: () => Promise<readonly SuggestionSource[]>): Extension {
  const plugin = ViewPlugin.define((view) => new SuggestionList(view, load));
  const does =
    (act: (list: SuggestionList) => boolean): Command =>
    (view) => {
      const list = view.plugin(plugin);
      return list?.isOpen === true && act(list);
    };
  return [
    plugin,
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: does((list) => list.move(1)) },
        { key: 'ArrowUp', run: does((list) => list.move(-1)) },
        { key: 'Enter', run: does((list) => list.choose()) },
        { key: 'Tab', run: does((list) => list.choose()) },
        { key: 'Escape', run: does((list) => list.dismiss()) },
      ]),
    ),
  ];
}

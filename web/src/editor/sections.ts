// Sections and code blocks on the screen, loaded a moment after the text.

import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { addStyles } from '../load/styles.ts';
import { changeFold, type FoldField, foldField, foldKeys, showAll } from './folds.ts';
import { headingList } from './headings.ts';
import { margins } from './margins.ts';
import styles from './sections.css?inline';
import type { SectionTools } from './sectionTools.ts';
import { syntaxColours } from './syntax.ts';

const WRITE_PAUSE_MS = 500;

// Remembers what is folded, by the names of headings, and opens everything for the printer.
class Memory {
  readonly #view: EditorView;
  readonly #tools: SectionTools;
  readonly #field: FoldField;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #leave = () => this.#flush();
  readonly #print = () => this.#view.dispatch({ effects: showAll.of(true) });
  readonly #printed = () => this.#view.dispatch({ effects: showAll.of(false) });

  constructor(view: EditorView, tools: SectionTools, field: FoldField) {
    this.#view = view;
    this.#tools = tools;
    this.#field = field;
    addEventListener('pagehide', this.#leave);
    addEventListener('beforeprint', this.#print);
    addEventListener('afterprint', this.#printed);
    // Not in the middle of the update that this begins with.
    queueMicrotask(() => this.#restore());
  }

  update({ startState, state }: ViewUpdate): void {
    const before = startState.field(this.#field, false)?.ranges;
    const now = state.field(this.#field).ranges;
    if (before === undefined || before.length === now.length) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), WRITE_PAUSE_MS);
  }

  destroy(): void {
    this.#flush();
    removeEventListener('pagehide', this.#leave);
    removeEventListener('beforeprint', this.#print);
    removeEventListener('afterprint', this.#printed);
  }

  #restore(): void {
    const slugs = new Set(this.#tools.readFolds());
    if (slugs.size === 0) return;
    const { head } = this.#view.state.selection.main;
    const folded = headingList(this.#view).now.filter(({ slug }) => slugs.has(slug));
    // The caret may be there already, by an address that names a heading.
    const effects = folded.map(({ from }) => changeFold.of({ from, fold: true }));
    this.#view.dispatch({ effects, selection: { anchor: head } });
  }

  // Writes what waits to be written, before the page or the text goes.
  #flush(): void {
    if (this.#timer !== undefined) this.#write();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { ranges } = this.#view.state.field(this.#field);
    const ends = new Set(ranges.map(({ from }) => from));
    const folded = headingList(this.#view).now.filter(({ to }) => ends.has(to));
    this.#tools.writeFolds(folded.map(({ slug }) => slug));
  }
}

export function sectionExtension(tools: SectionTools): Extension {
  addStyles(styles);
  const field = foldField((lines) => tools.folded(lines));
  return [
    field,
    foldKeys(field),
    ViewPlugin.define((view) => new Memory(view, tools, field)),
    margins(tools, field),
    syntaxColours,
  ];
}

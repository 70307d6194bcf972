// What stands beside lines: a button that folds a section, one that copies the link to its heading,
// and the language of a code block.
//
// Invariant: outside of the text one writes in, so that neither the names of headings nor the text
// have anything of it. Only visible lines are looked at; elements are reused while their line stays.

import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { lineFormatAt } from '../document/lines.ts';
import { codeLanguageAt, LANGUAGES, languageOf, setLanguage } from './codeBlocks.ts';
import { type FoldField, hasSection, isFolded, setFold } from './folds.ts';
import { headingList } from './headings.ts';
import type { SectionTools } from './sectionTools.ts';
import { documentOf, padChange } from './state.ts';

const COPIED_MS = 2_000;

interface Place {
  readonly from: number;
  readonly kind: 'heading' | 'code';
}

class Row {
  readonly kind: Place['kind'];
  readonly element = document.createElement('div');
  from = 0;
  readonly #view: EditorView;
  readonly #tools: SectionTools;
  readonly #fold = document.createElement('button');
  readonly #copy = document.createElement('button');
  readonly #select = document.createElement('select');

  constructor(view: EditorView, tools: SectionTools, kind: Place['kind']) {
    this.#view = view;
    this.#tools = tools;
    this.kind = kind;
    this.element.className = `pad-beside pad-beside-${kind}`;
    if (kind === 'code') this.#makeSelect();
    else this.#makeButtons();
  }

  update(from: number, field: FoldField): void {
    this.from = from;
    const { state } = this.#view;
    if (this.kind === 'code') {
      this.#select.disabled = state.readOnly;
      const language = codeLanguageAt(state, from) ?? '';
      const known = languageOf(language)?.id ?? language;
      if (![...this.#select.options].some(({ value }) => value === known)) {
        this.#select.add(new Option(known, known));
      }
      if (this.#select.value !== known) this.#select.value = known;
      return;
    }
    const line = state.doc.lineAt(from);
    const heading = line.text.slice(1, 200).trim();
    const folded = isFolded(state, field, line.to);
    this.#fold.hidden = !folded && !hasSection(state, from);
    this.#fold.ariaExpanded = String(!folded);
    this.#fold.ariaLabel = this.#tools.section(heading);
    if (!this.#copy.classList.contains('pad-copied')) {
      this.#copy.ariaLabel = this.#tools.copyLink(heading);
      this.#copy.title = this.#copy.ariaLabel;
    }
  }

  #makeButtons(): void {
    this.#fold.type = 'button';
    this.#fold.className = 'pad-fold';
    this.#fold.addEventListener('click', () => {
      setFold(this.#view, this.from, this.#fold.ariaExpanded === 'true');
    });
    this.#copy.type = 'button';
    this.#copy.className = 'pad-copy-link';
    this.#copy.addEventListener('click', () => void this.#copyLink().catch(() => {}));
    // The caret stays where it is.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
    this.element.append(this.#fold, this.#copy);
  }

  #makeSelect(): void {
    this.#select.ariaLabel = this.#tools.language;
    this.#select.add(new Option(this.#tools.noLanguage, ''));
    for (const { id, name } of LANGUAGES) this.#select.add(new Option(name, id));
    this.#select.addEventListener('change', () => {
      setLanguage(this.#view, this.from, this.#select.value);
      this.#view.focus();
    });
    this.element.append(this.#select);
  }

  // Reports success only if the browser has copied it.
  async #copyLink(): Promise<void> {
    const heading = headingList(this.#view).now.find(({ from }) => from === this.from);
    if (!heading) return;
    await navigator.clipboard.writeText(this.#tools.address(heading.slug));
    const { ariaLabel } = this.#copy;
    this.#copy.classList.add('pad-copied');
    this.#copy.ariaLabel = this.#tools.copied;
    this.#copy.title = this.#tools.copied;
    setTimeout(() => {
      this.#copy.classList.remove('pad-copied');
      this.#copy.ariaLabel = ariaLabel;
      this.#copy.title = ariaLabel ?? '';
    }, COPIED_MS);
  }
}

class Margins {
  readonly #view: EditorView;
  readonly #tools: SectionTools;
  readonly #field: FoldField;
  readonly #layer = document.createElement('div');
  #rows: Row[] = [];
  readonly #pointed = (event: Event) => {
    const { target } = event;
    const line = target instanceof Element ? target.closest('.pad-heading') : null;
    const at = line ? this.#view.state.doc.lineAt(this.#view.posAtDOM(line)).from : -1;
    for (const { element, from } of this.#rows) element.classList.toggle('pad-near', from === at);
  };

  constructor(view: EditorView, tools: SectionTools, field: FoldField) {
    this.#view = view;
    this.#tools = tools;
    this.#field = field;
    this.#layer.className = 'pad-margins';
    view.scrollDOM.append(this.#layer);
    view.contentDOM.addEventListener('mouseover', this.#pointed, { passive: true });
    this.#draw();
  }

  update(update: ViewUpdate): void {
    const changed = update.transactions.some(
      (each) => each.docChanged || each.effects.length > 0 || each.annotation(padChange),
    );
    if (changed || update.viewportChanged || update.geometryChanged) this.#draw();
  }

  destroy(): void {
    this.#layer.remove();
    this.#view.contentDOM.removeEventListener('mouseover', this.#pointed);
  }

  #places(): Place[] {
    const { state, visibleRanges } = this.#view;
    const document = documentOf(state);
    const places: Place[] = [];
    const seen = new Set<number>();
    for (const { from, to } of visibleRanges) {
      for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
        const format = lineFormatAt(document, line.from);
        if (format && !seen.has(line.from)) {
          seen.add(line.from);
          if (format.heading > 0) places.push({ from: line.from, kind: 'heading' });
          else if (format.code && startsBlock(this.#view, line.number)) {
            places.push({ from: line.from, kind: 'code' });
          }
        }
        if (line.to >= to || line.number === state.doc.lines) break;
      }
    }
    return places;
  }

  #draw(): void {
    const places = this.#places();
    const old = this.#rows;
    this.#rows = places.map(({ kind }) => {
      const at = old.findIndex((row) => row.kind === kind);
      const [row] = at >= 0 ? old.splice(at, 1) : [];
      return row ?? new Row(this.#view, this.#tools, kind);
    });
    for (const { element } of old) element.remove();
    places.forEach(({ from }, i) => {
      const row = this.#rows[i] as Row;
      row.update(from, this.#field);
      if (!row.element.isConnected) this.#layer.append(row.element);
    });
    if (places.length > 0) this.#place(places);
  }

  #place(places: readonly Place[]): void {
    this.#view.requestMeasure({
      key: this,
      read: (view) => {
        const { contentDOM } = view;
        const tops = places.map(({ from }) =>
          from <= view.state.doc.length ? view.lineBlockAt(from) : null,
        );
        const start = view.documentTop - view.scrollDOM.getBoundingClientRect().top;
        const offset = start + view.scrollDOM.scrollTop;
        return { tops, offset, left: contentDOM.offsetLeft, width: contentDOM.offsetWidth };
      },
      write: ({ tops, offset, left, width }) => {
        this.#layer.style.left = `${left}px`;
        this.#layer.style.width = `${width}px`;
        tops.forEach((block, i) => {
          const style = this.#rows[i]?.element.style;
          if (!style || !block) return;
          style.top = `${block.top + offset}px`;
          style.height = `${block.height}px`;
        });
      },
    });
  }
}

// The first line of code, or of code in another language.
function startsBlock({ state }: EditorView, number: number): boolean {
  if (number === 1) return true;
  const language = codeLanguageAt(state, state.doc.line(number).from);
  return codeLanguageAt(state, state.doc.line(number - 1).from) !== language;
}

export const margins = (tools: SectionTools, field: FoldField) =>
  ViewPlugin.define((view) => new Margins(view, tools, field));

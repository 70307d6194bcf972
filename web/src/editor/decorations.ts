// How text and lines look: formats, authors, lists, headings, direction.
//
// Invariant: only visible lines are looked at. Formats are real elements (`strong`, `em`), lists
// and headings have their roles, so that a screen reader tells them.

import { type EditorState, type Extension, type Range, RangeSet } from '@codemirror/state';
import {
  BlockWrapper,
  Decoration,
  type DecorationSet,
  Direction,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { SetId } from '../document/attributes.ts';
import { sizeName } from '../document/fonts.ts';
import { type InlineFormats, inlineFormats, type Toggle } from '../document/inline.ts';
import { depthOf, type LineFormat, lineFormatAt, Numbering, type Task } from '../document/lines.ts';
import { linkSpans } from '../document/links.ts';
import { type Authors, authorsChanged } from './authors.ts';
import { directionByLine, directionOf } from './direction.ts';
import { tickAt } from './lists.ts';
import { documentOf, loadRuns, padChange } from './state.ts';

const ELEMENTS: readonly (readonly [Toggle, Decoration])[] = [
  ['bold', Decoration.mark({ tagName: 'strong' })],
  ['italic', Decoration.mark({ tagName: 'em' })],
  ['underline', Decoration.mark({ tagName: 'u' })],
  ['strikethrough', Decoration.mark({ tagName: 's' })],
  ['sub', Decoration.mark({ tagName: 'sub' })],
  ['sup', Decoration.mark({ tagName: 'sup' })],
  ['code', Decoration.mark({ tagName: 'code' })],
];

const BULLETS = ['•', '◦', '▪', '▫'];
const LIST = BlockWrapper.create({ tagName: 'div', attributes: { role: 'list' } });
const QUOTE = BlockWrapper.create({ tagName: 'blockquote', attributes: { class: 'pad-block' } });
const CODE = BlockWrapper.create({ tagName: 'div', attributes: { role: 'code' } });
// How far before the first visible line a list is followed to count its items.
const FARTHEST = 500;
// Enough of a line to tell its direction.
const DIRECTION_UNITS = 300;

class Marker extends WidgetType {
  readonly label: string;

  constructor(label: string) {
    super();
    this.label = label;
  }

  override eq(other: Marker): boolean {
    return other.label === this.label;
  }

  override toDOM(): HTMLElement {
    const span = document.createElement('span');
    span.className = 'pad-marker';
    span.textContent = this.label;
    return span;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

// A box to tick. Only a picture of what the line says: a click changes the line.
class CheckBox extends WidgetType {
  readonly task: Task;
  readonly label: string;

  constructor(task: Task, label: string) {
    super();
    this.task = task;
    this.label = label;
  }

  override eq(other: CheckBox): boolean {
    return other.task === this.task;
  }

  override toDOM(view: EditorView): HTMLElement {
    const span = document.createElement('span');
    span.className = 'pad-marker pad-check';
    span.role = 'checkbox';
    span.ariaChecked = String(this.task === 'done');
    span.ariaLabel = this.label;
    if (view.state.readOnly) span.ariaDisabled = 'true';
    return span;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const span = document.createElement('span');
    span.className = 'pad-rule';
    span.role = 'separator';
    return span;
  }
}

function checkBoxAt({ target }: Event): Element | null {
  return target instanceof Element ? target.closest('.pad-check') : null;
}

const ticking = EditorView.domEventHandlers({
  // The caret stays where it is, and on a phone the keyboard stays away.
  mousedown: (event) => checkBoxAt(event) !== null,
  click: (event, view) => {
    const box = checkBoxAt(event);
    return box !== null && tickAt(view, view.posAtDOM(box));
  },
});

class Drawing {
  decorations: DecorationSet = Decoration.none;
  markers: DecorationSet = Decoration.none;
  wrappers: RangeSet<BlockWrapper> = RangeSet.empty;
  readonly #authors: Authors;
  readonly #words: DrawingWords;
  readonly #marks = new Map<SetId, readonly Decoration[]>();
  readonly #writers = new Map<SetId, string>();
  // The way of the page.
  #direction = Direction.LTR;

  constructor(view: EditorView, authors: Authors, words: DrawingWords) {
    this.#authors = authors;
    this.#words = words;
    this.#draw(view);
  }

  update(update: ViewUpdate): void {
    const effects = update.transactions.flatMap((transaction) => transaction.effects);
    const renamed = effects.some((effect) => effect.is(authorsChanged));
    if (renamed) this.#marks.clear();
    const restyled = update.transactions.some((transaction) => transaction.annotation(padChange));
    const loaded = effects.some((effect) => effect.is(loadRuns));
    const turned =
      update.state.facet(directionByLine) !== update.startState.facet(directionByLine) ||
      update.view.textDirection !== this.#direction;
    if (update.docChanged || update.viewportChanged || restyled || renamed || loaded || turned) {
      this.#draw(update.view);
    }
  }

  #draw(view: EditorView): void {
    const { state } = view;
    const document = documentOf(state);
    const found: Range<Decoration>[] = [];
    const markers: Range<Decoration>[] = [];
    const wrappers = new Wrappers();
    const byLine = state.facet(directionByLine);
    this.#direction = view.textDirection;
    // The main writer of the line before.
    let before: string | undefined;
    for (const { from, to } of view.visibleRanges) {
      const first = state.doc.lineAt(from);
      const numbering = numberingBefore(state, first.number);
      for (let line = first; ; line = state.doc.line(line.number + 1)) {
        const format = lineFormatAt(document, line.from);
        const number = numbering.next(format);
        const head =
          line.length > DIRECTION_UNITS ? line.text.slice(0, DIRECTION_UNITS) : line.text;
        const direction = format?.code ? Direction.LTR : byLine ? directionOf(head) : null;
        wrappers.add(format, line.from, line.to);
        const start = Math.max(from, format ? line.from + 1 : line.from);
        if (format && from <= line.from) {
          const widget = markerOf(format, number, this.#words);
          const marker = Decoration.replace(widget ? { widget } : {}).range(
            line.from,
            line.from + 1,
          );
          found.push(marker);
          markers.push(marker);
        }
        const writers = new Map<string, number>();
        document.runs.between(start, Math.min(line.to, to), (a, b, id) => {
          for (const mark of this.#marksOf(state, id)) found.push(mark.range(a, b));
          const author = this.#writers.get(id);
          if (author) writers.set(author, (writers.get(author) ?? 0) + b - a);
        });
        const [main, also] = [...writers].sort(([, a], [, b]) => b - a).map(([author]) => author);
        const label = main && main !== before ? this.#initialsOf(main) : '';
        if (line.length > 0) before = main;
        const decoration = lineDecoration(
          format,
          direction === this.#direction ? null : direction,
          main ? this.#stripeOf(main, also) : '',
          label,
        );
        if (decoration) found.push(decoration.range(line.from));
        for (const link of linkSpans(document, start, Math.min(line.to, to))) {
          found.push(linkDecoration(link.href).range(link.from, link.to));
        }
        if (line.to >= to || line.number === state.doc.lines) break;
      }
    }
    this.decorations = Decoration.set(found, true);
    this.markers = Decoration.set(markers);
    this.wrappers = BlockWrapper.set(wrappers.finish());
  }

  #marksOf(state: EditorState, id: SetId): readonly Decoration[] {
    const known = this.#marks.get(id);
    if (known) return known;
    const attributes = documentOf(state).sets.map(id);
    const formats = inlineFormats(attributes);
    const marks = ELEMENTS.filter(([format]) => formats.has(format)).map(([, mark]) => mark);
    const author = attributes.get('author');
    if (author) this.#writers.set(id, author);
    const look = this.#lookOf(author, formats);
    if (look) marks.push(look);
    this.#marks.set(id, marks);
    return marks;
  }

  // Of the one who wrote most of a line, and of the next.
  #stripeOf(main: string, also: string | undefined): string {
    const second = also === undefined ? '' : ` pad-also also-${this.#authors.classOf(also)}`;
    return `pad-by by-${this.#authors.classOf(main)}${second}`;
  }

  #initialsOf(author: string): string {
    const name = this.#authors.lookOf(author)?.name ?? this.#words.unnamed(author);
    const words = name.trim().split(/\s+/u);
    const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
    return ends.map((word) => [...(word ?? '')][0] ?? '').join('');
  }

  // Everything that colours a text is one element: which of two around the same text is the inner one
  // is not said, and the colour of one would cover the other's.
  #lookOf(author: string | undefined, formats: InlineFormats): Decoration | null {
    const classes = author ? [`pad-author ${this.#authors.classOf(author)}`] : [];
    const highlight = formats.get('highlight');
    if (highlight) classes.push(`pad-mark pad-mark-${highlight}`);
    if (formats.has('color')) classes.push(`pad-ink pad-ink-${formats.get('color')}`);
    if (formats.has('code')) classes.push('pad-code');
    if (formats.has('font-family')) classes.push(`pad-font-${formats.get('font-family')}`);
    const size = sizeName(formats.get('font-size'));
    if (size) classes.push(`pad-size-${size}`);
    if (classes.length === 0) return null;
    const title = author && this.#authors.lookOf(author)?.name;
    return Decoration.mark({
      tagName: highlight ? 'mark' : 'span',
      class: classes.join(' '),
      ...(title ? { attributes: { title } } : {}),
    });
  }
}

// Counts from the start of the list that the line is in, or from as far as is worth it.
function numberingBefore(state: EditorState, lineNumber: number): Numbering {
  const document = documentOf(state);
  const formatOf = (number: number) => lineFormatAt(document, state.doc.line(number).from);
  let first = lineNumber;
  while (first > 1 && lineNumber - first < FARTHEST && formatOf(first - 1)?.list) first--;
  const numbering = new Numbering();
  for (let number = first; number < lineNumber; number++) numbering.next(formatOf(number));
  return numbering;
}

function lineDecoration(
  format: LineFormat | null,
  direction: Direction | null,
  stripe: string,
  label: string,
): Decoration | null {
  const attributes: Record<string, string> = {};
  if (label) attributes['data-by'] = label;
  if (direction !== null) attributes.dir = direction === Direction.RTL ? 'rtl' : 'ltr';
  const classes: string[] = [];
  const depth = format ? depthOf(format) : 0;
  if (depth > 0) {
    const kind = format?.task ? `task pad-${format.task}` : format?.list?.kind;
    classes.push(`pad-item pad-${kind} pad-level-${depth}`);
    attributes.role = 'listitem';
    attributes['aria-level'] = String(depth);
  } else if (format?.heading) {
    classes.push(`pad-heading pad-h${format.heading}`);
    attributes.role = 'heading';
    attributes['aria-level'] = String(format.heading);
  }
  if (format?.quote) classes.push('pad-quote');
  if (format?.code) classes.push('pad-code-line');
  if (format?.align) classes.push(`pad-align-${format.align}`);
  if (stripe) classes.push(stripe);
  if (classes.length > 0) attributes.class = classes.join(' ');
  return Object.keys(attributes).length > 0 ? Decoration.line({ attributes }) : null;
}

// As an element of its own around all formats of its words.
function linkDecoration(href: string): Decoration {
  const attributes = {
    href,
    title: href,
    target: '_blank',
    rel: 'noopener noreferrer',
    draggable: 'false',
  };
  return Decoration.mark({ tagName: 'a', class: 'pad-link', attributes });
}

// What stands for the marker of a line; null where nobody sees it.
function markerOf(
  { list, task, rule }: LineFormat,
  number: number | null,
  words: DrawingWords,
): WidgetType | null {
  if (rule) return new Rule();
  if (task) return new CheckBox(task, words.task);
  if (!list || list.kind === 'indent') return null;
  const bullet = BULLETS[(list.level - 1) % BULLETS.length] ?? '';
  const label = list.kind === 'number' ? `${number ?? 1}.` : bullet;
  return new Marker(label);
}

function wrapperOf(format: LineFormat | null): BlockWrapper | null {
  if (!format) return null;
  if (depthOf(format) > 0) return LIST;
  return format.code ? CODE : format.quote ? QUOTE : null;
}

// Neighbouring items are one list, and lines of a quote or of code one block.
class Wrappers {
  readonly #wrappers: Range<BlockWrapper>[] = [];
  #open: { wrapper: BlockWrapper; from: number; to: number } | null = null;

  add(format: LineFormat | null, from: number, to: number): void {
    const wrapper = wrapperOf(format);
    if (this.#open && this.#open.wrapper === wrapper) {
      this.#open.to = to;
      return;
    }
    this.#close();
    this.#open = wrapper && { wrapper, from, to };
  }

  finish(): Range<BlockWrapper>[] {
    this.#close();
    return this.#wrappers;
  }

  #close(): void {
    if (this.#open) this.#wrappers.push(this.#open.wrapper.range(this.#open.from, this.#open.to));
    this.#open = null;
  }
}

export interface DrawingWords {
  // Name of the box of a task.
  readonly task: string;
  // What somebody without a name is called.
  unnamed(author: string): string;
}

export function drawing(authors: Authors, words: DrawingWords): Extension {
  return ViewPlugin.define((view) => new Drawing(view, authors, words), {
    decorations: (plugin) => plugin.decorations,
    provide: (plugin) => [
      ticking,
      EditorView.atomicRanges.of((view) => view.plugin(plugin)?.markers ?? Decoration.none),
      EditorView.blockWrappers.of((view) => view.plugin(plugin)?.wrappers ?? RangeSet.empty),
    ],
  });
}

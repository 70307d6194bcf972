// Text with formatting as HTML, for the clipboard: out to any program, in from any program.
//
// Invariant: what comes in is only read, never put into the page. Tags and styles that mean nothing
// here leave their text behind.

import { nearestColour, nearestHighlight } from './colours.ts';
import { type InlineFormats, inlineFormats, NO_FORMATS, TOGGLES, type Toggle } from './inline.ts';
import {
  DEEPEST,
  depthOf,
  type LineFormat,
  type ListKind,
  lineFormatAt,
  type Marked,
  PLAIN,
  type Task,
  taskList,
} from './lines.ts';
import { isSafeUrl } from './links.ts';

const TAGS: Readonly<Record<Toggle, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  sub: 'sub',
  sup: 'sup',
};

// Behind text and of it, for programs that do not know our names.
export const MARKS: Readonly<Record<string, string>> = {
  yellow: '#fff176',
  green: '#a5e8b0',
  blue: '#a8d1ff',
  pink: '#ffb0d8',
  orange: '#ffcb8f',
  purple: '#d3bdff',
};
export const INKS: Readonly<Record<string, string>> = {
  black: '#000000',
  gray: '#6b7280',
  red: '#c01c1c',
  orange: '#b85600',
  yellow: '#8a6d00',
  green: '#187a3e',
  blue: '#1a4fa8',
  purple: '#6a2ba8',
};

const CHECK_BOXES: Readonly<Record<Task, string>> = {
  open: '<input type="checkbox" disabled> ',
  done: '<input type="checkbox" checked disabled> ',
};

export interface Piece {
  readonly text: string;
  readonly formats: InlineFormats;
}

export interface RichLine extends LineFormat {
  readonly pieces: readonly Piece[];
}

// The lines between two places. A line that is only partly in it keeps its kind if it is not the
// only one.
export function richLines(document: Marked, from: number, to: number): RichLine[] {
  const { text, runs, sets } = document;
  const lines: RichLine[] = [];
  for (let at = from; at <= to; ) {
    const line = text.lineAt(at);
    const format = lineFormatAt(document, line.from);
    const whole = to > line.to || at <= line.from + 1;
    const pieces: Piece[] = [];
    const start = format && at === line.from ? at + 1 : at;
    runs.between(start, Math.min(line.to, to), (a, b, id) => {
      pieces.push({ text: text.sliceString(a, b), formats: inlineFormats(sets.map(id)) });
    });
    lines.push({ ...PLAIN, ...(whole && format), pieces });
    at = line.to + 1;
  }
  return lines;
}

// Links inside the service are for other programs, too, so they get the address of this page.
export function toHtml(lines: readonly RichLine[], base?: string): string {
  const only = lines[0];
  if (lines.length === 1 && only && isPlain(only)) return inlineHtml(only, base);
  let html = '';
  const open: string[] = [];
  const close = (depth: number) => {
    while (open.length > depth) html += `</li></${open.pop()}>`;
  };
  let block = '';
  const within = (tags: string) => {
    if (tags === block) return;
    html += BLOCK_TAGS[block]?.[1] ?? '';
    html += BLOCK_TAGS[tags]?.[0] ?? '';
    block = tags;
  };
  for (const line of lines) {
    const depth = depthOf(line);
    if (depth > 0) {
      within('');
      const tag = line.list?.kind === 'number' ? 'ol' : 'ul';
      close(depth);
      if (open.length === depth) {
        if (open.at(-1) === tag) html += '</li><li>';
        else close(depth - 1);
      }
      const plain = line.list?.kind === 'indent' && !line.task;
      while (open.length < depth) {
        html += plain ? `<${tag} data-list="indent"><li>` : `<${tag}><li>`;
        open.push(tag);
      }
      if (line.task) html += CHECK_BOXES[line.task];
      html += inlineHtml(line, base);
      continue;
    }
    close(0);
    within(line.code ? 'code' : line.quote ? 'quote' : '');
    if (line.rule) html += '<hr>';
    if (line.code) html += `${inlineHtml(line, base, escapeMarkup)}\n`;
    if (line.code || (line.rule && line.pieces.length === 0)) continue;
    const tag = line.heading ? `h${line.heading}` : 'div';
    html += `<${tag}>${inlineHtml(line, base) || '<br>'}</${tag}>`;
  }
  close(0);
  within('');
  return html;
}

const BLOCK_TAGS: Readonly<Record<string, readonly [string, string]>> = {
  code: ['<pre><code>', '</code></pre>'],
  quote: ['<blockquote>', '</blockquote>'],
};

function isPlain(line: RichLine): boolean {
  return !(depthOf(line) || line.heading || line.code || line.quote || line.rule);
}

function inlineHtml({ pieces }: RichLine, base?: string, escapeText = escapeHtml): string {
  let html = '';
  let open: string | undefined;
  const link = (url: string | undefined) => {
    if (url === open) return;
    if (open) html += '</a>';
    if (url) html += `<a href="${escapeHtml(base ? new URL(url, base).href : url)}">`;
    open = url;
  };
  for (const { text, formats } of pieces) {
    link(formats.get('url'));
    const tags = TOGGLES.filter((key) => formats.has(key)).map((key) => TAGS[key]);
    const highlight = formats.get('highlight');
    const colour = formats.get('color');
    html += tags.map((tag) => `<${tag}>`).join('');
    if (highlight) html += `<mark style="background-color:${MARKS[highlight]}">`;
    if (colour) html += `<span style="color:${INKS[colour]}">`;
    html += escapeText(text) + (colour ? '</span>' : '') + (highlight ? '</mark>' : '');
    html += tags
      .toReversed()
      .map((tag) => `</${tag}>`)
      .join('');
  }
  link(undefined);
  return html;
}

function escapeHtml(text: string): string {
  return escapeMarkup(text).replace(/^ | (?= )| $/g, '&nbsp;');
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}

const BLOCKS = new Set([
  ...'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DIV DL DT FIGURE FOOTER FORM'.split(' '),
  ...'H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TBODY THEAD TR UL'.split(' '),
]);
// Between their parts white space means nothing.
const FRAMES = new Set('DL OL TABLE TBODY TFOOT THEAD TR UL'.split(' '));
const SILENT = new Set('HEAD META SCRIPT STYLE TITLE TEMPLATE NOSCRIPT SVG'.split(' '));

interface Context {
  readonly formats: InlineFormats;
  readonly list: LineFormat['list'];
  readonly heading: number;
  readonly task: Task | null;
  readonly code: boolean;
  readonly quote: boolean;
  readonly preserve: boolean;
}

// Reads HTML from a clipboard into lines.
export function fromHtml(html: string): RichLine[] {
  const reader = new HtmlReader();
  const { body } = new DOMParser().parseFromString(fragmentOf(html), 'text/html');
  reader.read(body, { ...PLAIN, formats: NO_FORMATS, preserve: false });
  return reader.finish();
}

// Some programs put the copied piece between comments, with their own page around it.
function fragmentOf(html: string): string {
  const match = /<!--\s*StartFragment\s*-->([\s\S]*?)<!--\s*EndFragment\s*-->/.exec(html);
  return match?.[1] ?? html;
}

class HtmlReader {
  readonly #lines: RichLine[] = [];
  #pieces: Piece[] = [];
  #context: Context | null = null;
  // Whether the open line has to be there even without text.
  #wanted = false;
  // Whether it is an item of which nothing was read yet: a block in it begins no other line.
  #isNewItem = false;

  read(node: Node, context: Context): void {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        if (!FRAMES.has(node.nodeName)) this.#text(child.nodeValue ?? '', context);
      } else if (child instanceof Element && !SILENT.has(child.tagName.toUpperCase())) {
        this.#element(child, context);
      }
    }
  }

  finish(): RichLine[] {
    this.#endLine();
    return this.#lines;
  }

  #element(element: Element, context: Context): void {
    const tag = element.tagName;
    if (tag === 'BR') {
      this.#wanted = true;
      this.#context ??= context;
      this.#endLine();
      return;
    }
    if (tag === 'INPUT' && element.getAttribute('type') === 'checkbox') {
      if (this.#context?.list) this.#context = { ...this.#context, task: taskOf(element) };
      return;
    }
    const block = BLOCKS.has(tag);
    if (block && !this.#isNewItem) this.#endLine();
    const inner = contextOf(element, context);
    if (tag === 'HR') {
      this.#lines.push({ ...PLAIN, rule: true, pieces: [] });
      return;
    }
    if (tag === 'LI') {
      this.#wanted = true;
      this.#isNewItem = true;
      this.#context = inner;
    }
    // Cells of a table stand side by side.
    const cell = tag === 'TD' || tag === 'TH';
    if (cell && element.previousElementSibling) this.#add('\t', inner);
    this.read(element, inner);
    if (block) this.#endLine();
  }

  #text(text: string, context: Context): void {
    if (context.preserve) {
      const [first = '', ...others] = text.replace(/\r\n?/g, '\n').split('\n');
      this.#add(first, context);
      for (const line of others) {
        this.#wanted = true;
        this.#context ??= context;
        this.#endLine();
        this.#add(line, context);
      }
      return;
    }
    let collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    if (this.#pieces.length === 0 || this.#pieces.at(-1)?.text.endsWith(' ')) {
      collapsed = collapsed.replace(/^ /, '');
    }
    this.#add(collapsed.replace(/\u00a0/g, ' '), context);
  }

  #add(text: string, context: Context): void {
    if (text === '') return;
    this.#isNewItem = false;
    this.#context ??= context;
    this.#pieces.push({ text, formats: context.formats });
  }

  #endLine(): void {
    if (this.#pieces.length > 0 || this.#wanted) {
      this.#lines.push(lineOf(this.#context, this.#pieces));
    }
    this.#pieces = [];
    this.#context = null;
    this.#wanted = false;
    this.#isNewItem = false;
  }
}

function lineOf(context: Context | null, pieces: readonly Piece[]): RichLine {
  const { list = null, task = null, ...rest } = context ?? PLAIN;
  const { heading, code, quote } = rest;
  const depth = task ? taskList(list?.level ?? 1) : list;
  return { ...PLAIN, list: depth, heading, task, code: code && !depth && !task, quote, pieces };
}

// Of a box, or of an item that says itself that it is one.
function taskOf(element: Element): Task | null {
  if (element.tagName === 'INPUT') return element.hasAttribute('checked') ? 'done' : 'open';
  if (element.tagName !== 'LI') return null;
  const checked = element.getAttribute('aria-checked') ?? element.getAttribute('data-checked');
  return checked === 'true' ? 'done' : checked === 'false' ? 'open' : null;
}

function contextOf(element: Element, outer: Context): Context {
  const tag = element.tagName;
  const style = styleOf(element);
  const preserve = outer.preserve || tag === 'PRE' || /^pre/.test(style.get('white-space') ?? '');
  const formats = new Map(formatsOf(tag, style, outer.formats, preserve));
  const url = tag === 'A' && addressOf(element);
  if (url) formats.set('url', url);
  const background = style.get('background-color') ?? style.get('background') ?? '';
  const highlight = nearestHighlight(background) ?? (tag === 'MARK' ? 'yellow' : null);
  if (highlight && !BLOCKS.has(tag)) formats.set('highlight', highlight);
  // What is only darker or paler than a page is no colour that somebody has chosen.
  const value = style.get('color') ?? element.getAttribute('color') ?? '';
  const colour = nearestColour(value);
  const chosen = colour && colour !== 'black' && (colour !== 'gray' || value === INKS.gray);
  if (chosen && !formats.has('url') && tag !== 'A') formats.set('color', colour);
  const heading = /^H[1-6]$/.test(tag) ? Number(tag[1]) : outer.heading;
  let list = outer.list;
  if (tag === 'UL' || tag === 'OL') {
    const plain = element.getAttribute('data-list') === 'indent';
    const kind: ListKind = tag === 'OL' ? 'number' : plain ? 'indent' : 'bullet';
    list = { kind, level: Math.min((outer.list?.level ?? 0) + 1, DEEPEST) };
  }
  const task = tag === 'LI' ? taskOf(element) : outer.task;
  const code = outer.code || tag === 'PRE';
  const quote = outer.quote || tag === 'BLOCKQUOTE';
  return { formats, list, heading, task, code, quote, preserve };
}

// A path would lead to this server instead of the one it was copied from, and an address that is its
// own name is a link by being in the text.
function addressOf(element: Element): string | null {
  const url = element.getAttribute('href')?.trim() ?? '';
  if (!isSafeUrl(url) || url.startsWith('/')) return null;
  return element.textContent?.trim() === url ? null : url;
}

// Read as text: the policy of the page holds for what it parses, too, and drops styles.
function styleOf(element: Element): ReadonlyMap<string, string> {
  const declarations = (element.getAttribute('style') ?? '').toLowerCase().split(';');
  return new Map(
    declarations.map((declaration) => {
      const [name = '', value = ''] = declaration.split(':');
      return [name.trim(), value.trim()] as const;
    }),
  );
}

function formatsOf(
  tag: string,
  style: ReadonlyMap<string, string>,
  outer: InlineFormats,
  isPre: boolean,
): InlineFormats {
  const formats = new Map(outer);
  const set = (format: Toggle, on: boolean) =>
    on ? formats.set(format, 'true') : formats.delete(format);
  if (tag === 'B' || tag === 'STRONG') set('bold', true);
  if (tag === 'I' || tag === 'EM' || tag === 'CITE') set('italic', true);
  if (tag === 'U' || tag === 'INS') set('underline', true);
  if (tag === 'S' || tag === 'STRIKE' || tag === 'DEL') set('strikethrough', true);
  if (/^(?:CODE|KBD|SAMP|TT)$/.test(tag) && !isPre) set('code', true);
  const place = style.get('vertical-align') ?? '';
  if (tag === 'SUB' || place === 'sub') set('sub', true);
  if (tag === 'SUP' || place === 'super') set('sup', true);
  const weight = style.get('font-weight') ?? '';
  if (weight) set('bold', weight === 'bold' || weight === 'bolder' || Number(weight) >= 600);
  const slant = style.get('font-style') ?? '';
  if (slant) set('italic', slant !== 'normal');
  const lines = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  if (/underline/.test(lines)) set('underline', true);
  if (/line-through/.test(lines)) set('strikethrough', true);
  return formats;
}

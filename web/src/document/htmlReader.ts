// Reader of HTML from a clipboard: its lines, with what of their formatting a pad can hold.
//
// Invariant: what comes in is only read, never put into the page, and within bounds. It gives what the
// server makes of the same HTML in a file: the twin of this is `crates/convert/src/html/shown.rs`, and
// both are held to `fixtures/convert/clipboard.json`, which says where they differ.

import type { Piece, RichLine } from './html.ts';
import * as say from './htmlElements.ts';
import { type InlineFormats, NO_FORMATS } from './inline.ts';
import { type LineFormat, PLAIN, type Task, taskList } from './lines.ts';

// More is not read: the text of it is pasted without formatting.
const LONGEST = 10_000_000;
const MOST_NODES = 500_000;
// What is deeper is read as text. Browsers stop nesting at about twice this.
const DEEPEST_NODE = 256;

export interface Pasted {
  readonly lines: readonly RichLine[];
  // How many pictures were left out.
  readonly pictures: number;
}

// Null for what is too much to read.
export function fromHtml(html: string): Pasted | null {
  if (html.length > LONGEST) return null;
  const { body } = new DOMParser().parseFromString(quiet(fragmentOf(html)), 'text/html');
  const reader = new HtmlReader();
  return reader.read(body) ? reader : null;
}

// Some programs put the copied piece between comments, with their own page around it.
function fragmentOf(html: string): string {
  const start = /<!--\s*StartFragment\s*-->/.exec(html);
  if (!start) return html;
  const rest = html.slice(start.index + start[0].length);
  const end = rest.lastIndexOf('<!--EndFragment');
  return end < 0 ? rest : rest.slice(0, end);
}

// Styles and handlers under other names: the policy of the page holds for whatever it parses, and the
// browser reports each that it does not apply. What this does not find is reported, and read as well.
function quiet(html: string): string {
  return html
    .replace(/<[a-z](?:[^>"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*/gi, (tag) =>
      tag.replace(/"[^"]*"|'[^']*'|\b(?:style|on\w+)(?=\s*=)/gi, (part) =>
        /^["']/.test(part) ? part : `pad-${part}`,
      ),
    )
    .replace(/<(\/?)style\b/gi, '<$1noframes');
}

interface Marker extends LineFormat {
  readonly lang: string | null;
}

const NO_MARKER: Marker = { ...PLAIN, lang: null };

class HtmlReader implements Pasted {
  readonly lines: RichLine[] = [];
  pictures = 0;
  #nodes = 0;
  // The line that is being written; its marker is set with its first text.
  #pieces: Piece[] = [];
  #lineMarker: Marker | null = null;
  // A space that counts once something follows it in its line.
  #space: InlineFormats | null = null;
  #formats: InlineFormats = NO_FORMATS;
  // What the next line is.
  #marker: Marker = NO_MARKER;
  // Lists around, and of the innermost the number of its last item.
  #depth = 0;
  #number = 0;
  // Cells around: what is in one stays in its line. Lines in it are words apart.
  #cells = 0;
  #apart = false;
  #inPre = false;
  #keepsSpaces = false;
  // The language that a box around code names.
  #boxLang: string | null = null;
  #isDone = false;
  // Right after a heading or an aligned block a `br` is only what separates it from the next line:
  // that is how pads are written.
  #afterBlock = false;
  // Right after the box of a task.
  #afterBox = false;

  read(body: Element): boolean {
    this.#children(body, 0);
    this.#endLine();
    return this.#nodes <= MOST_NODES;
  }

  #children(node: Element, level: number): void {
    if (level > DEEPEST_NODE) {
      this.#text(node.textContent ?? '');
      return;
    }
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (++this.#nodes > MOST_NODES) return;
      if (child.nodeType === Node.TEXT_NODE) this.#text(child.nodeValue ?? '');
      else if (child instanceof Element) this.#element(child, level + 1);
    }
  }

  #element(element: Element, level: number): void {
    const style = say.styleOf(element);
    const tag = element.tagName;
    if (tag === 'BR') this.#break(element);
    else if (tag === 'HR') this.#rule();
    else if (tag === 'IMG') this.#image(element);
    else if (say.boxOf(element)) this.#box(say.boxOf(element));
    else if (tag === 'INPUT' || say.isSilent(element, style)) return;
    else if (say.isBlock(tag) || isLayoutCell(element)) this.#block(element, style, level);
    else this.#styled(element, style, level);
  }

  #break(element: Element): void {
    if (element.className === 'Apple-interchange-newline') return;
    if (this.#afterBlock) this.#afterBlock = false;
    else this.#startLine();
  }

  #block(element: Element, style: say.Style, level: number): void {
    this.#endLine();
    this.#afterBlock = false;
    const [inPre, boxLang] = [this.#inPre, this.#boxLang];
    this.#inPre ||= element.tagName === 'PRE';
    this.#boxLang = say.boxLanguage(element) ?? boxLang;
    if (this.#cells > 0) {
      this.#styled(element, style, level);
      this.#endLine();
    } else {
      this.#line(element, style, level);
    }
    this.#inPre = inPre;
    this.#boxLang = boxLang;
  }

  // A block outside of tables.
  #line(element: Element, style: say.Style, level: number): void {
    const tag = element.tagName;
    const linesBefore = this.lines.length;
    const outer = this.#marker;
    const align = say.alignOf(element, style);
    const heading = /^H[1-6]$/.test(tag) ? Number(tag[1]) : 0;
    const code = tag === 'PRE';
    const marker = { ...outer, align: align === 'left' ? null : (align ?? outer.align) };
    if (heading || code) Object.assign(marker, { heading, code });
    if (code) marker.lang = this.#boxLang;
    Object.assign(marker, say.wordItem(element, style));
    const isQuote = (tag === 'BLOCKQUOTE' && !outer.quote) || say.isWordQuote(element);
    this.#marker = { ...marker, quote: outer.quote || isQuote };
    const isList = tag === 'UL' || tag === 'OL' || (tag === 'BLOCKQUOTE' && !isQuote);
    if (isList) this.#list(element, style, level);
    else if (tag === 'LI') this.#item(element, style, level);
    else this.#styled(element, style, level);
    const isEmpty = this.lines.length === linesBefore;
    if (isEmpty && /^(?:P|LI|PRE)$/.test(tag)) this.#startLine();
    else this.#endLine();
    const inner = this.#marker;
    this.#marker = outer;
    // A second paragraph of an item has no bullet.
    if (outer.list && !isList && tag !== 'LI' && this.lines.length > linesBefore) {
      this.#marker = { ...outer, list: inner.list, start: inner.start, task: null };
    }
    this.#afterBlock = heading > 0 || code || align !== null;
  }

  #list(element: Element, style: say.Style, level: number): void {
    const isQuote = element.tagName === 'BLOCKQUOTE';
    const list = isQuote
      ? say.listAt('indent', this.#depth + 1)
      : say.listOf(element, style, this.#depth);
    const number = this.#number;
    this.#number = Math.max((say.numberIn(element, 'start') ?? 1) - 1, 0);
    this.#marker = { ...this.#marker, list, start: null };
    this.#depth++;
    this.#styled(element, style, level);
    this.#depth--;
    this.#number = number;
  }

  #item(element: Element, style: say.Style, level: number): void {
    const around = this.#marker.list ?? say.listAt('bullet', 1);
    const deeper = Math.max(around?.level ?? 1, say.levelOf(element));
    const list = say.listAt(around?.kind ?? 'bullet', deeper);
    this.#number = say.numberIn(element, 'value') ?? this.#number + 1;
    const start = list?.kind === 'number' ? this.#number : null;
    const task = say.taskOf(element);
    const isDone = this.#isDone;
    this.#isDone = task === 'done';
    this.#marker = { ...this.#marker, list, start, task };
    this.#styled(element, style, level);
    this.#isDone = isDone;
  }

  #rule(): void {
    this.#endLine();
    if (this.#cells > 0) return;
    this.#lineMarker = { ...NO_MARKER, rule: true, quote: this.#marker.quote };
    this.#startLine();
  }

  // A box in front of text makes a task of its line.
  #box(task: Task | null): void {
    if (!this.#isLineEmpty || this.#cells > 0) return;
    this.#marker = { ...this.#marker, task: this.#marker.task ?? task };
    this.#afterBox = true;
  }

  #image(image: Element): void {
    const emoji = say.emojiOf(image);
    if (emoji) this.#text(emoji);
    else if (say.isPicture(image)) this.pictures++;
  }

  #styled(element: Element, style: say.Style, level: number): void {
    const isCell = isTableCell(element) && !isLayoutCell(element);
    if (isCell && hasCellBefore(element)) this.#tab();
    if (isCell) this.#cells++;
    const [outer, keepsSpaces, pictures] = [this.#formats, this.#keepsSpaces, this.pictures];
    const formats = say.formatsOf(element, style, outer, this.#isDone);
    if (this.#inPre) {
      formats.delete('code');
      const lang = say.languageOf(element);
      if (lang && this.#cells === 0) this.#marker = { ...this.#marker, lang };
    }
    this.#formats = formats;
    this.#keepsSpaces = say.keepsSpaces(element.tagName, style) ?? keepsSpaces;
    // A space before it is not part of it.
    const pieces = this.#pieces.length + (this.#space ? 1 : 0);
    const lines = this.lines.length;
    this.#children(element, level);
    this.#formats = outer;
    this.#keepsSpaces = keepsSpaces;
    const url = element.tagName === 'A' ? formats.get('url') : null;
    if (url) {
      const isOneLine = lines === this.lines.length;
      this.#endLink(url, isOneLine ? pieces : 0, isOneLine && this.pictures > pictures);
    }
    if (isCell) {
      this.#cells--;
      this.#apart = false;
      this.#space = null;
    }
  }

  // Text that is the address itself needs no link; a picture that is one becomes the address.
  #endLink(url: string, from: number, hasPicture: boolean): void {
    const text = this.#pieces
      .slice(from)
      .map((piece) => piece.text)
      .join('');
    if (text === '' && hasPicture) this.#push(url);
    if (!say.isWrittenOut(text, url)) return;
    for (let i = from; i < this.#pieces.length; i++) {
      const { text, formats } = this.#pieces[i] as Piece;
      this.#pieces[i] = { text, formats: without(formats, 'url') };
    }
    if (this.#space) this.#space = without(this.#space, 'url');
  }

  #text(raw: string): void {
    const text = raw.normalize('NFC');
    if (!this.#keepsSpaces) {
      this.#words(text);
      return;
    }
    text
      .replace(/\r\n?/g, '\n')
      .split('\n')
      .forEach((line, i) => {
        if (i > 0) this.#startLine();
        if (line) this.#push(line);
      });
  }

  // Text in which any white space is one space, and none at the ends of a line.
  #words(text: string): void {
    const collapsed = text.replace(/[\t-\r ]+/g, ' ');
    const words = collapsed.replace(/^ | $/g, '');
    const isStart = this.#pieces.length === 0 || this.#apart || this.#endsInTab;
    if (collapsed.startsWith(' ') && !isStart) this.#space ??= this.#formats;
    if (words) this.#push(words);
    if (words && collapsed.endsWith(' ')) this.#space ??= this.#formats;
  }

  get #endsInTab(): boolean {
    return this.#pieces.at(-1)?.text.endsWith('\t') ?? false;
  }

  #push(words: string): void {
    this.#afterBlock = false;
    const space = this.#space;
    this.#space = null;
    if (space) this.#pieces.push({ text: ' ', formats: space });
    else if (this.#apart && !this.#endsInTab) this.#pieces.push({ text: ' ', formats: NO_FORMATS });
    this.#apart = false;
    let text = this.#afterBox ? words.trimStart() : words;
    if (text) this.#afterBox = false;
    if (this.#isLineEmpty && this.#cells === 0) text = this.#writtenTask(text);
    this.#beginLine();
    if (text) this.#pieces.push({ text, formats: this.#formats });
  }

  // An item that starts with a box in brackets is a task.
  #writtenTask(text: string): string {
    const [box, mark] = /^\[([ \u00a0xX])\][ \u00a0]+/.exec(text) ?? [];
    if (!box || this.#marker.list?.kind !== 'bullet' || this.#marker.task || this.#inPre)
      return text;
    this.#marker = { ...this.#marker, task: /x/i.test(mark ?? '') ? 'done' : 'open' };
    return text.slice(box.length);
  }

  #tab(): void {
    this.#space = null;
    this.#apart = false;
    this.#beginLine();
    this.#pieces.push({ text: '\t', formats: NO_FORMATS });
  }

  get #isLineEmpty(): boolean {
    return this.#pieces.length === 0 && this.#lineMarker === null;
  }

  // Only the first line of an item has its bullet or number; the others are indented.
  #beginLine(): void {
    if (!this.#isLineEmpty) return;
    this.#lineMarker = this.#marker;
    const list = this.#marker.list && say.listAt('indent', this.#depth);
    this.#marker = { ...this.#marker, list, start: null, task: null };
  }

  #startLine(): void {
    this.#afterBlock = false;
    this.#afterBox = false;
    if (this.#cells > 0) {
      this.#endLine();
      return;
    }
    this.#beginLine();
    this.lines.push(lineOf(this.#lineMarker ?? NO_MARKER, this.#pieces));
    this.#pieces = [];
    this.#lineMarker = null;
    this.#space = null;
  }

  // Ends the line unless it is empty.
  #endLine(): void {
    if (this.#isLineEmpty) {
      this.#space = null;
    } else if (this.#cells > 0) {
      this.#space = null;
      this.#apart = true;
    } else {
      this.#startLine();
    }
  }
}

const without = (formats: InlineFormats, key: string): InlineFormats =>
  new Map([...formats].filter(([each]) => each !== key));

const isTableCell = ({ tagName }: Element) => tagName === 'TD' || tagName === 'TH';

// Mails and pages are put into tables to place their parts: these are no rows.
function isLayoutCell(element: Element): boolean {
  return isTableCell(element) && element.querySelector('table') !== null;
}

function hasCellBefore(cell: Element): boolean {
  for (let other = cell.previousElementSibling; other; other = other.previousElementSibling) {
    if (isTableCell(other)) return !isLayoutCell(other);
  }
  return false;
}

function lineOf(marker: Marker, pieces: readonly Piece[]): RichLine {
  const { list, task } = marker;
  const depth = task ? taskList(list?.level ?? 1) : list;
  return { ...marker, list: depth, start: task ? null : marker.start, pieces: shownSpaces(pieces) };
}

// Makes plain spaces of those that only were a way to write several in HTML. A no-break space between
// two words was meant. Neighbours with the same formats become one piece.
function shownSpaces(pieces: readonly Piece[]): Piece[] {
  const line = pieces.map((piece) => piece.text).join('');
  const isMeant = (run: string, at: number) =>
    at > 0 && at + run.length < line.length && !run.includes(' ');
  const shown = line.replace(/[ \u00a0]+/g, (run, at: number) =>
    isMeant(run, at) ? run : ' '.repeat(run.length),
  );
  const joined: Piece[] = [];
  let at = 0;
  for (const { text, formats } of pieces) {
    const part = shown.slice(at, at + text.length);
    at += text.length;
    const last = joined.at(-1);
    if (last && isSame(last.formats, formats)) {
      joined[joined.length - 1] = { text: last.text + part, formats };
    } else {
      joined.push({ text: part, formats });
    }
  }
  return joined;
}

function isSame(one: InlineFormats, other: InlineFormats): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);
}

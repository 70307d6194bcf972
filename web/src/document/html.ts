// Text with formatting as HTML, for the clipboard: out to any program.
//
// Invariant: only tags that mean something, and no style but colours and what has no tag, so that the
// look of the page it came from stays behind. Reading it again gives the same lines (`htmlReader.ts`).

import { sizeName } from './fonts.ts';
import { type InlineFormats, inlineFormats, TOGGLES, type Toggle } from './inline.ts';
import {
  depthOf,
  type LineFormat,
  lineFormatAt,
  type Marked,
  markerAt,
  PLAIN,
  type Task,
} from './lines.ts';
import { inkShade, markShade } from './shades.ts';

const TAGS: Readonly<Record<Toggle, string>> = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
  sub: 'sub',
  sup: 'sup',
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
  // Of code.
  readonly lang?: string | null;
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
    lines.push({
      ...PLAIN,
      ...(whole && format && { ...format, lang: languageAt(document, line.from) }),
      pieces,
    });
    at = line.to + 1;
  }
  return lines;
}

// In words that may stand in HTML.
function languageAt(document: Marked, from: number): string | null {
  const lang = markerAt(document, from)?.get('lang') ?? '';
  return /^[\w+#.-]{1,32}$/.test(lang) ? lang : null;
}

// Links inside the service are for other programs, too, so they get the address of this page.
export function toHtml(lines: readonly RichLine[], base?: string): string {
  const only = lines[0];
  if (lines.length === 1 && only && isPlain(only)) return inlineHtml(only, base);
  const writer = new HtmlWriter(base);
  for (const line of lines) writer.write(line);
  return writer.finish();
}

function isPlain(line: RichLine): boolean {
  const { heading, code, quote, rule, align } = line;
  return !(depthOf(line) || heading || code || quote || rule || align);
}

class HtmlWriter {
  readonly #base: string | undefined;
  #html = '';
  #inQuote = false;
  // The end of the code that is open.
  #code: string | null = null;
  // The lists that are open, by the tags that opened them.
  readonly #lists: string[] = [];

  constructor(base: string | undefined) {
    this.#base = base;
  }

  write(line: RichLine): void {
    if (line.quote !== this.#inQuote) {
      this.#endCode();
      this.#closeLists(0);
      this.#html += line.quote ? '<blockquote>' : '</blockquote>';
      this.#inQuote = line.quote;
    }
    const depth = depthOf(line);
    if (depth === 0) this.#closeLists(0);
    if (line.code && depth === 0) this.#writeCode(line);
    else {
      this.#endCode();
      if (depth > 0) this.#item(line, depth);
      else this.#paragraph(line);
    }
  }

  finish(): string {
    this.#endCode();
    this.#closeLists(0);
    if (this.#inQuote) this.#html += '</blockquote>';
    return this.#html;
  }

  #writeCode(line: RichLine): void {
    const open = line.lang ? `<pre><code class="language-${line.lang}">` : '<pre><code>';
    if (this.#code !== open) {
      this.#endCode();
      this.#html += open;
      this.#code = open;
    }
    this.#html += `${inlineHtml(line, this.#base, true)}\n`;
  }

  #endCode(): void {
    if (this.#code) this.#html += '</code></pre>';
    this.#code = null;
  }

  #paragraph(line: RichLine): void {
    if (line.rule) this.#html += '<hr>';
    if (line.rule && line.pieces.length === 0) return;
    this.#html += this.#block(line, 'div') || '<div><br></div>';
  }

  // The text of a line in the tag that it needs, at least the one given.
  #block(line: RichLine, least: string): string {
    const tag = line.heading ? `h${line.heading}` : line.align ? 'div' : least;
    const html = inlineHtml(line, this.#base);
    if (!tag) return html;
    const style = line.align ? ` style="text-align:${line.align}"` : '';
    return `<${tag}${style}>${html || '<br>'}</${tag}>`;
  }

  #item(line: RichLine, depth: number): void {
    const tag = listTag(line);
    this.#closeLists(depth);
    if (this.#lists.length === depth) {
      if (kindOf(this.#lists.at(-1)) === kindOf(tag)) this.#html += '</li><li>';
      else this.#closeLists(depth - 1);
    }
    while (this.#lists.length < depth) {
      this.#html += `${tag}<li>`;
      this.#lists.push(tag);
    }
    if (line.task) this.#html += CHECK_BOXES[line.task];
    const code = line.code ? `<pre>${inlineHtml(line, this.#base, true)}</pre>` : null;
    this.#html += code ?? this.#block(line, '');
  }

  #closeLists(depth: number): void {
    while (this.#lists.length > depth) {
      this.#html += `</li></${kindOf(this.#lists.pop()).slice(0, 2)}>`;
    }
  }
}

function listTag({ list, task, start }: RichLine): string {
  if (list?.kind === 'number') return start && start > 1 ? `<ol start="${start}">` : '<ol>';
  // Lines that are only indented have no tag of their own.
  return list?.kind === 'indent' && !task ? '<ul style="list-style-type:none">' : '<ul>';
}

// Where a list starts makes no difference to whether an item belongs to it.
function kindOf(tag = ''): string {
  return tag.slice(1).replace(/ start.*|>/g, '');
}

function inlineHtml({ pieces }: RichLine, base?: string, isCode = false): string {
  let html = '';
  let at = 0;
  const shown = isCode ? null : shownSpaces(pieces.map((piece) => piece.text).join(''));
  let open: string | undefined;
  const link = (url: string | undefined) => {
    if (url === open) return;
    if (open) html += '</a>';
    if (url) html += `<a href="${escapeMarkup(base ? new URL(url, base).href : url)}">`;
    open = url;
  };
  for (const { text, formats } of pieces) {
    link(formats.get('url'));
    const tags = TOGGLES.filter((key) => formats.has(key)).map((key) => TAGS[key]);
    const highlight = markShade(formats.get('highlight') ?? '');
    const style = styleOf(formats);
    html += tags.map((tag) => `<${tag}>`).join('');
    if (highlight) html += `<mark style="background-color:${highlight}">`;
    if (style) html += `<span style="${style}">`;
    const written = escapeMarkup(shown?.slice(at, at + text.length) ?? text);
    at += text.length;
    html +=
      (shown ? withTabs(written) : written) +
      (style ? '</span>' : '') +
      (highlight ? '</mark>' : '');
    html += tags
      .toReversed()
      .map((tag) => `</${tag}>`)
      .join('');
  }
  link(undefined);
  return html;
}

// What has no tag.
function styleOf(formats: InlineFormats): string {
  const colour = inkShade(formats.get('color') ?? '');
  const family = formats.get('font-family');
  const size = sizeName(formats.get('font-size'));
  return [
    colour && `color:${colour}`,
    family && `font-family:${family}`,
    size && `font-size:${size}`,
  ]
    .filter(Boolean)
    .join(';');
}

// A line in which those spaces do not break that a browser would not show: at its ends, and all but
// the last of several.
function shownSpaces(line: string): string {
  return line.replace(/^ | (?= )| $/g, '\u00a0');
}

function withTabs(html: string): string {
  return html.replace(/\t+/g, '<span style="white-space:pre">$&</span>');
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`).replace(/\u00a0/g, '&nbsp;');
}

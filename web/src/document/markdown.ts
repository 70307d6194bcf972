// Text with formatting as Markdown, for the clipboard.
//
// Invariant: the same Markdown as the server's export gives (`crates/convert/src/markdown/`); both are
// held to `fixtures/convert/attributes.json`.

import { SIZES } from './fonts.ts';
import type { Piece, RichLine } from './html.ts';
import { depthOf, type LineFormat, Numbering } from './lines.ts';
import { inkShade, markShade } from './shades.ts';

export function toMarkdown(lines: readonly RichLine[]): string {
  const writer = new MarkdownWriter();
  for (let at = 0; at < lines.length; ) {
    const end = endOf(lines, at, (line) => line.quote === lines[at]?.quote);
    const stretch = lines.slice(at, end);
    if (lines[at]?.quote) {
      const quoted = new MarkdownWriter();
      quoted.stretch(stretch);
      writer.quotation(quoted.text);
    } else {
      writer.stretch(stretch);
    }
    at = end;
  }
  return `${writer.text.replace(/\n+$/, '')}\n`;
}

function endOf(
  lines: readonly RichLine[],
  at: number,
  isSame: (line: RichLine) => boolean,
): number {
  const other = lines.findIndex((line, i) => i > at && !isSame(line));
  return other < 0 ? lines.length : other;
}

// What the line before is, as far as it decides how the next one is separated.
type Last = 'empty' | 'text' | 'item' | `quote${number}` | 'code' | 'heading' | 'block';

class MarkdownWriter {
  text = '';
  #last: Last = 'empty';
  #numbers = new Numbering();
  // The items that are open: their kinds, and the column their text starts in.
  #open: { kind: string; column: number }[] = [];

  // Lines that are all quoted, or all not.
  stretch(lines: readonly RichLine[]): void {
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as RichLine;
      if (!isFenced(line)) {
        this.#line(line);
        continue;
      }
      const end = endOf(lines, at, (other) => isFenced(other) && other.lang === line.lang);
      this.#fenced(lines.slice(at, end), line.lang ?? '');
      at = end - 1;
    }
  }

  quotation(quoted: string): void {
    this.#startBlock();
    const lines = quoted.replace(/\n+$/, '').split('\n');
    this.text += lines.map((line) => (line ? `> ${line}` : '>')).join('\n');
  }

  #startBlock(): void {
    this.#numbers = new Numbering();
    this.#open = [];
    this.#separate('block');
    this.#last = 'block';
  }

  #fenced(lines: readonly RichLine[], lang: string): void {
    this.#startBlock();
    const text = lines.map((line) => `${plain(line)}\n`).join('');
    const fence = fenceFor(text, 3);
    this.text += `${fence}${lang}\n${text}${fence}`;
  }

  #line(line: RichLine): void {
    if (line.rule && depthOf(line) === 0) {
      this.#startBlock();
      this.text += '---';
      if (line.pieces.length === 0) return;
    }
    const number = this.#numbers.next(line);
    const kind = kindOf(line);
    this.#separate(kind);
    if (kind === 'item') this.#item(line, number);
    else this.#open = [];
    if (line.task) this.text += line.task === 'done' ? '[x] ' : '[ ] ';
    if (kind.startsWith('quote')) this.text += '> '.repeat(line.list?.level ?? 1);
    this.#last = kind;
    if (kind === 'code') {
      this.text += `    ${plain(line)}`;
      return;
    }
    if (line.heading) this.text += `${'#'.repeat(line.heading)} `;
    this.text += inline(line.pieces);
  }

  // Ends the line before, so that one of this kind can follow.
  #separate(kind: Last): void {
    const last = this.#last;
    if (last === 'empty') return;
    const goesOn = last === kind && (kind === 'text' || kind.startsWith('quote'));
    const isNext = last === kind && (kind === 'item' || kind === 'code');
    this.text += goesOn ? '  \n' : isNext ? '\n' : '\n\n';
  }

  // The bullet or number of an item, below the item it belongs to. An item that skips levels stands
  // in items of its own.
  #item(line: RichLine, number: number | null): void {
    const depth = depthOf(line);
    const kind = line.task ? 'task' : (line.list?.kind ?? 'bullet');
    this.#open.length = Math.min(this.#open.length, depth);
    const before = this.#open.length === depth ? this.#open.pop() : undefined;
    // Two lists of the same look would be one.
    if (before && before.kind !== kind && depth === 1) this.text += '\n';
    const column = () => this.#open.at(-1)?.column ?? 0;
    this.text += ' '.repeat(column());
    while (this.#open.length < depth) {
      const isLast = this.#open.length + 1 === depth;
      const marker = kind === 'number' ? `${isLast ? (number ?? 1) : 1}. ` : '- ';
      this.text += marker;
      this.#open.push({ kind, column: column() + marker.length });
    }
  }
}

const isFenced = (line: RichLine) => line.code && Boolean(line.lang) && depthOf(line) === 0;

const plain = ({ pieces }: RichLine) => pieces.map((piece) => piece.text).join('');

function kindOf(line: RichLine & LineFormat): Last {
  if (line.list?.kind === 'indent' && !line.task) return `quote${line.list.level}`;
  if (depthOf(line) > 0) return 'item';
  if (line.code) return 'code';
  if (line.heading) return 'heading';
  return line.pieces.length === 0 ? 'empty' : 'text';
}

// More backticks than are in a text, at least so many.
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(longest + 1, least));
}

const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:?!)\]'*]/g;

// A line's text. White space at its ends is not shown by Markdown, so it is spelt out.
function inline(pieces: readonly Piece[]): string {
  const line = pieces.map((piece) => piece.text).join('');
  const start = line.length - line.trimStart().length;
  const end = Math.max(line.trimEnd().length, start);
  let out = '';
  let at = 0;
  pieces.forEach((piece, i) => {
    const { text, formats } = piece;
    const cut = (place: number) => Math.min(Math.max(place - at, 0), text.length);
    const parts = [
      text.slice(0, cut(start)),
      text.slice(cut(start), cut(end)),
      text.slice(Math.max(cut(end), cut(start))),
    ] as const;
    const url = formats.get('url');
    const neighbours = [pieces[i - 1], pieces[i + 1]];
    const [before, after] = neighbours.map((other) => other?.formats.get('url'));
    const isAlone = neighbours.every((other) => !other || tagsOf(other).length === 0);
    if (url && before !== url) out += '[';
    out += written(piece, parts, isAlone, at <= start);
    if (url && after !== url) out += `](${escapedAddress(url)})`;
    at += text.length;
  });
  return out;
}

function written(
  piece: Piece,
  [before, text, after]: readonly [string, string, string],
  isAlone: boolean,
  atStart: boolean,
): string {
  const tags = tagsOf(piece);
  const isCode = tags.length === 1 && piece.formats.has('code');
  if (isCode && !before && !after) return codeSpan(text);
  // The signs of Markdown mean what they should only around words, and not next to each other. Tags
  // always do.
  const isWord = /^[\p{L}\p{N}](?:.*[\p{L}\p{N}])?$/su.test(piece.text);
  const sign = tags.length === 1 && isAlone && isWord && !piece.formats.has('url') && tags[0]?.sign;
  const open = sign || tags.map((tag) => tag.open).join('');
  const close =
    sign ||
    tags
      .map((tag) => `</${tag.name}>`)
      .reverse()
      .join('');
  const isFirst = atStart && tags.length === 0;
  const words = piece.formats.has('url') ? escaped(text, isFirst) : withAddresses(text, isFirst);
  return open + spelt(before) + words + spelt(after) + close;
}

interface Tag {
  readonly name: string;
  readonly open: string;
  readonly sign?: string;
}

// In the order of an attribute list.
const TAGS: Readonly<Record<string, Tag>> = Object.fromEntries(
  [
    ['bold', 'strong', '**'],
    ['code', 'code', ''],
    ['italic', 'em', '*'],
    ['strikethrough', 's', '~~'],
    ['sub', 'sub', ''],
    ['sup', 'sup', ''],
    ['underline', 'u', ''],
  ].map(([key, name = '', sign = '']) => [key, { name, open: `<${name}>`, sign }]),
);

function tagsOf({ formats }: Piece): Tag[] {
  const tags = Object.keys(TAGS).filter((key) => formats.has(key as 'bold'));
  const all = tags.map((key) => TAGS[key] as Tag);
  const colour = formats.get('color');
  const mark = formats.get('highlight');
  if (colour) all.push(valueTag('span', `color:${colour}`, `color:${inkShade(colour)}`));
  if (mark) all.push(valueTag('mark', `highlight:${mark}`, `background-color:${markShade(mark)}`));
  const size = Object.values(SIZES).find((each) => each === formats.get('font-size'));
  const family = formats.get('font-family');
  if (size) all.push(valueTag('span', `font-size:${size}`, `font-size:${size}px`));
  if (family) all.push({ name: 'span', open: `<span style="font-family:${family}">` });
  return all;
}

function valueTag(name: string, word: string, style: string): Tag {
  return { name, open: `<${name} class="${word}" style="${style}">` };
}

function codeSpan(text: string): string {
  const fence = fenceFor(text, 1);
  const pad = /^`|`$|^ .*\S.* $/s.test(text) ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}

function withAddresses(text: string, isFirst: boolean): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    out += escaped(text.slice(at, match.index), isFirst && at === 0);
    out += linked(match[0]);
    at = match.index + match[0].length;
  }
  return out + escaped(text.slice(at), isFirst && at === 0);
}

// People leave out the scheme.
function linked(address: string): string {
  if (!address.startsWith('www.')) return `<${address}>`;
  return `[${escaped(address, false)}](https://${escapedAddress(address)})`;
}

const escapedAddress = (url: string) => url.replace(/[\\()<>&`[\]"]/g, '\\$&');

// Text that Markdown would take for something else. At the start of a line more characters mean
// something.
function escaped(text: string, isFirst: boolean): string {
  const signs = text.replace(/[\\`*_[\]<>&~|$]/g, '\\$&').replace(/[\0\r]/g, '\ufffd');
  return isFirst ? signs.replace(/^[#+\-=:]/, '\\$&').replace(/^(\d+)([.)])/, '$1\\$2') : signs;
}

function spelt(spaces: string): string {
  return [...spaces].map((space) => `&#${space.codePointAt(0)};`).join('');
}

// What a line is besides its text: list item, task, heading, quote, code, rule, aligned. It says so on a marker, an asterisk at its
// start that nobody sees.
//
// Invariant: only a first character `*` that carries `lmkr` or `list` is a marker. Anything else,
// such as a marker that other programs left within a line, is shown as the text it is.

import type { Text } from '@codemirror/state';
import type { AttributeSets } from './attributes.ts';
import type { Runs } from './runs.ts';

export type ListKind = 'bullet' | 'number' | 'indent';

export const DEEPEST = 16;

export type Task = 'open' | 'done';

// By attribute; the second spelling of each is only read.
export const TASKS: Readonly<Record<string, Task>> = {
  'tasklist-not-done': 'open',
  'tasklist-done': 'done',
  'checklist-not-done': 'open',
  'checklist-done': 'done',
};

export const ALIGNMENTS = ['left', 'center', 'right', 'justify'] as const;
export type Align = (typeof ALIGNMENTS)[number];

export interface LineFormat {
  readonly list: { readonly kind: ListKind; readonly level: number } | null;
  // 0 for plain text.
  readonly heading: number;
  // The number of an item as it is stored, if any.
  readonly start: number | null;
  // Of a task the list is what it is indented by.
  readonly task: Task | null;
  readonly code: boolean;
  readonly quote: boolean;
  // A line across the page, in place of text.
  readonly rule: boolean;
  // Where its text stands; null for the side where it starts.
  readonly align: Align | null;
}

// A text with attributes that can be asked about its lines.
export interface Marked {
  readonly text: Text;
  readonly runs: Runs;
  readonly sets: AttributeSets;
}

// The attributes on the marker of the line that starts there; null for a line without.
export function markerAt({ text, runs, sets }: Marked, from: number) {
  if (text.sliceString(from, from + 1) !== '*') return null;
  const attributes = sets.map(runs.at(from));
  return attributes.has('lmkr') || attributes.has('list') ? attributes : null;
}

export const PLAIN: LineFormat = {
  list: null,
  heading: 0,
  start: null,
  task: null,
  code: false,
  quote: false,
  rule: false,
  align: null,
};

export function lineFormatAt(document: Marked, from: number): LineFormat | null {
  const marker = markerAt(document, from);
  return marker && formatOf(marker);
}

export function formatOf(marker: ReadonlyMap<string, string> | null): LineFormat {
  if (!marker) return PLAIN;
  const [, kind, level] = /^(bullet|number|indent)(\d+)$/.exec(marker.get('list') ?? '') ?? [];
  const list = kind
    ? { kind: kind as ListKind, level: Math.min(Math.max(Number(level), 1), DEEPEST) }
    : null;
  const [, heading] = /^h?([1-6])$/.exec(marker.get('heading') ?? '') ?? [];
  const start = Number.parseInt(marker.get('start') ?? '', 10);
  const [, task = null] = Object.entries(TASKS).find(([key]) => marker.has(key)) ?? [];
  return {
    list,
    heading: Number(heading ?? 0),
    start: Number.isNaN(start) ? null : start,
    task,
    code: marker.get('heading') === 'code',
    quote: marker.has('quote'),
    rule: marker.has('hr'),
    align: ALIGNMENTS.find((align) => align === marker.get('align')) ?? null,
  };
}

// How deep an item is, from 1; 0 for what is none.
export function depthOf({ list, task }: LineFormat): number {
  return Math.min((list?.level ?? 0) + (task ? 1 : 0), DEEPEST);
}

// The list of a task that is so deep.
export function taskList(depth: number): LineFormat['list'] {
  return depth > 1 ? { kind: 'indent', level: depth - 1 } : null;
}

export function listValue(kind: ListKind, level: number): string {
  return `${kind}${level}`;
}

// Numbers the items of a list from top to bottom, each level on its own.
export class Numbering {
  // By level: what kind of list is open there, and the number of its last item.
  readonly #open: ({ kind: ListKind; number: number } | undefined)[] = [];

  // The number of the next line; null for lines that have none. The first item of a list may bring
  // its own number; a level without items of its own counts from 1.
  next(format: LineFormat | null): number | null {
    const list = format?.list;
    if (!list || list.kind === 'indent') {
      this.#open.length = 0;
      return null;
    }
    this.#open.length = Math.min(this.#open.length, list.level + 1);
    const open = this.#open[list.level];
    const fresh = open?.kind !== list.kind;
    const number = fresh ? (list.level === 1 ? (format?.start ?? 1) : 1) : open.number + 1;
    this.#open[list.level] = { kind: list.kind, number };
    return list.kind === 'number' ? number : null;
  }
}

// The `start` of each item of a list as other programs expect it to be stored, bullets included.
// The first may have a number of its own, if it is not below others.
export function storedStarts(
  lists: readonly { kind: ListKind; level: number }[],
  first?: number | null,
): number[] {
  const open: { kind: ListKind; number: number }[] = [];
  return lists.map(({ kind, level }, i) => {
    open.length = Math.min(open.length, level + 1);
    const before = open[level];
    const fresh = i === 0 && level === 1 ? (first ?? 1) : 1;
    const number = before?.kind === kind ? before.number + 1 : fresh;
    open[level] = { kind, number };
    return number;
  });
}

// Text as people read it: without markers.
export function withoutMarkers(document: Marked, from: number, to: number): string {
  const { text } = document;
  let out = '';
  for (let at = from; at <= to; ) {
    const line = text.lineAt(at);
    const marked = at === line.from && markerAt(document, line.from) !== null;
    out += text.sliceString(marked ? at + 1 : at, Math.min(line.to, to));
    if (line.to < to) out += '\n';
    at = line.to + 1;
  }
  return out;
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}

// Without the ends of lines. What takes two units is one.
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\n\ud800-\udbff]/g)?.length ?? 0);
}

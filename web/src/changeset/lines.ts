// Documents line by line: splitting, joining, and changing only the lines that a change touches.
//
// Invariant: a line includes its newline, in the text and in its attribution string, and both
// arrays of a document have the same length.

import { type AText, applyToAText, runsOf } from './apply.ts';
import { Merger } from './assemble.ts';
import { OpCursor } from './cursor.ts';
import { fail } from './error.ts';
import { parseAttribs, parseOps, printOps } from './notation.ts';
import type { Changeset, Op } from './op.ts';
import type { Pool } from './pool.ts';
import { NEWLINE } from './text.ts';

// The lines of a text. What follows the last newline, if anything, is a line too.
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf(NEWLINE, start);
    const end = newline === -1 ? text.length : newline + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

// The attribution of each line. Line lengths come from the text: the runs' own counts of newlines
// are not always placed where the newlines are.
export function splitAttribution(atext: AText): string[] {
  const runs = new OpCursor(runsOf(atext));
  return splitLines(atext.text).map((line) => {
    const merger = new Merger();
    for (let left = line.length; left > 0; ) {
      const chars = Math.min(left, runs.chars);
      left -= chars;
      const newlines = left === 0 && line.endsWith(NEWLINE) ? 1 : 0;
      merger.push('+', chars, newlines, runs.attribs);
      runs.consume(chars, 0);
    }
    return printOps(merger.take());
  });
}

// The attribution of a whole text from that of its lines.
export function joinAttribution(alines: readonly string[]): string {
  const merger = new Merger();
  for (const aline of alines) {
    for (const op of parseOps(aline)) merger.push(op.opcode, op.chars, op.lines, op.attribs);
  }
  return printOps(merger.take());
}

// The attribution of a range of one line. A range that includes the newline keeps its count.
export function subAttribution(aline: string, start: number, end = Infinity): string {
  const merger = new Merger();
  let at = 0;
  for (const op of parseOps(aline)) {
    const opEnd = at + op.chars;
    const chars = Math.min(end, opEnd) - Math.max(start, at);
    if (chars > 0) merger.push(op.opcode, chars, end >= opEnd ? op.lines : 0, op.attribs);
    at = opEnd;
  }
  return printOps(merger.take());
}

// The runs of a document without its final newline, as needed to copy it into another one.
export function opsWithoutFinalNewline(atext: AText): Op[] {
  const runs = runsOf(atext);
  const last = runs.at(-1);
  if (!last || !atext.text.endsWith(NEWLINE)) return runs;
  const length = atext.text.length - 1;
  // Behind the last newline that remains in this run nothing may share an operation with it.
  const lineStart = length === 0 ? 0 : atext.text.lastIndexOf(NEWLINE, length - 1) + 1;
  const tail = Math.min(length - lineStart, last.chars - 1);
  const whole = { ...last, chars: last.chars - 1 - tail, lines: Math.max(last.lines - 1, 0) };
  const rest = { ...last, chars: tail, lines: 0 };
  return [...runs.slice(0, -1), ...[whole, rest].filter((op) => op.chars > 0)];
}

// The attributes of a line, by key: those of its first character if that is a line marker, which
// it is if it carries `lmkr` or `list`. Null for a line without marker.
export function lineMarker(aline: string, pool: Pool): ReadonlyMap<string, string> | null {
  const first = parseOps(aline)[0];
  if (!first) return null;
  const attributes = new Map<string, string>();
  for (const number of parseAttribs(first.attribs)) {
    const attribute = pool.get(number);
    if (attribute) attributes.set(...attribute);
  }
  return attributes.has('lmkr') || attributes.has('list') ? attributes : null;
}

export interface DocumentLines {
  readonly lines: string[];
  readonly alines: string[];
}

// Applies a change to a document held as lines, in place. Only the text of the lines that the
// change touches is read.
export function applyToLines(change: Changeset, document: DocumentLines, pool: Pool): void {
  const { lines, alines } = document;
  if (lines.reduce((sum, line) => sum + line.length, 0) !== change.oldLen) {
    fail('APPLY_LENGTH_MISMATCH');
  }
  const window = touchedLines(change, lines);
  const text = lines.slice(window.from, window.to).join('');
  const attribs = joinAttribution(alines.slice(window.from, window.to));
  const inner = { ...change, oldLen: text.length, ops: window.ops };
  const changed = applyToAText(inner, { text, attribs }, pool);
  replace(lines, window, splitLines(changed.text));
  replace(alines, window, splitAttribution(changed));
}

interface Window {
  from: number;
  to: number;
  // The operations, counted from the start of line `from`.
  ops: Op[];
}

function touchedLines(change: Changeset, lines: readonly string[]): Window {
  const touching = change.ops.findIndex((op) => op.opcode !== '=' || op.attribs !== '');
  const untouched = touching === -1 ? change.ops.length : touching;
  const ops = change.ops.slice(untouched);
  const start = lineAt(lines, 0, lengthOf(change.ops.slice(0, untouched)));
  // The line in which the change ends is touched as a whole: a deleted newline joins it.
  const end = lineAt(lines, start.line, start.column + lengthOf(ops.filter(isOld)));
  const lead: Op = { opcode: '=', chars: start.column, lines: 0, attribs: '' };
  return { from: start.line, to: Math.min(end.line + 1, lines.length), ops: [lead, ...ops] };
}

// Not Array.splice(): its arguments are on the stack, and a pasted book has too many lines.
function replace(lines: string[], { from, to }: Window, replacement: readonly string[]): void {
  const rest = lines.slice(to);
  lines.length = from;
  for (const line of replacement) lines.push(line);
  for (const line of rest) lines.push(line);
}

function isOld(op: Op): boolean {
  return op.opcode !== '+';
}

function lengthOf(ops: readonly Op[]): number {
  return ops.reduce((sum, op) => sum + op.chars, 0);
}

// The line and column `chars` characters behind the start of line `from`. Behind a last line that
// has no newline there is no other line.
function lineAt(
  lines: readonly string[],
  from: number,
  chars: number,
): { line: number; column: number } {
  let line = from;
  let column = chars;
  for (; line < lines.length; line++) {
    const text = lines[line] ?? '';
    if (column < text.length || !text.endsWith(NEWLINE)) return { line, column };
    column -= text.length;
  }
  if (column > 0) fail('READ_PAST_END');
  return { line, column };
}

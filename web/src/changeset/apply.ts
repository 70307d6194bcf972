// What a change does to a text, and to a text with attributes.
//
// Invariant: an AText that comes out covers its text exactly if the one that went in did. The
// stated new length and unused bank characters play no part: stored data gets both wrong.

import { Merger } from './assemble.ts';
import { composeOps } from './compose.ts';
import { fail } from './error.ts';
import { parseOps, printOps } from './notation.ts';
import type { Changeset, Op } from './op.ts';
import type { Pool } from './pool.ts';
import { countNewlines, endOfLines, TextReader } from './text.ts';

// A text and, as an attribution string of inserts, the attributes of each of its characters.
export interface AText {
  readonly text: string;
  readonly attribs: string;
}

// A text without attributes.
export function plain(text: string): AText {
  return { text, attribs: cover(text, [{ chars: text.length, attribs: '' }]) };
}

export function applyToText(change: Changeset, text: string): string {
  if (text.length !== change.oldLen) fail('APPLY_LENGTH_MISMATCH');
  const old = new TextReader(text);
  const bank = new TextReader(change.bank);
  let out = '';
  for (const op of change.ops) {
    const span = take(op.opcode === '+' ? bank : old, op);
    if (op.opcode !== '-') out += span;
  }
  return out + old.rest();
}

export function applyToAText(change: Changeset, atext: AText, pool: Pool): AText {
  const runs = runsOf(atext);
  const text = applyToText(change, atext.text);
  return { text, attribs: cover(text, composeOps(runs, change.ops, pool)) };
}

// The runs of an attribution string, which have to be inserts and to cover the text.
export function runsOf(atext: AText): Op[] {
  const runs = parseOps(atext.attribs);
  const text = new TextReader(atext.text);
  for (const run of runs) {
    const span = text.take(run.chars) ?? fail('ATTRIBUTION_MISMATCH');
    if (run.opcode !== '+' || countNewlines(span) !== run.lines) fail('ATTRIBUTION_MISMATCH');
  }
  if (!text.isAtEnd) fail('ATTRIBUTION_MISMATCH');
  return runs;
}

// The attribution string of a text from the lengths of its runs. Newlines are counted again, because
// a change that misplaces them is applied, but must not spoil the document.
function cover(text: string, runs: readonly Pick<Op, 'chars' | 'attribs'>[]): string {
  const reader = new TextReader(text);
  const merger = new Merger();
  for (const { chars, attribs } of runs) {
    const span = reader.take(chars) ?? fail('READ_PAST_END');
    const end = endOfLines(span);
    merger.push('+', end, countNewlines(span), attribs);
    merger.push('+', span.length - end, 0, attribs);
  }
  return printOps(merger.take());
}

function take(reader: TextReader, op: Op): string {
  const span = reader.take(op.chars) ?? fail('READ_PAST_END');
  // Only the number of newlines counts here, not that the last character is one: changes stored by
  // other programs miss that.
  if (countNewlines(span) !== op.lines) fail('APPLY_NEWLINE_COUNT');
  return span;
}

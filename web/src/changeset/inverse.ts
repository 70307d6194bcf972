// The change that takes a change back.
//
// Law: apply(apply(t, c), inverse(c, t)) = t, text and attributes.

import { type AText, runsOf } from './apply.ts';
import { printByKey } from './attribs.ts';
import { Builder } from './build.ts';
import { OpCursor } from './cursor.ts';
import { fail } from './error.ts';
import { parseAttribs } from './notation.ts';
import type { Attribs, Changeset, Op } from './op.ts';
import type { Pool } from './pool.ts';
import { TextReader } from './text.ts';

// The change that undoes `change`, which was made to `atext`. Taking back an attribute that was not
// there before needs its removal in the pool, so the pool may grow.
export function inverse(change: Changeset, atext: AText, pool: Pool): Changeset {
  const old = new Pieces(atext);
  if (change.oldLen !== atext.text.length) fail('APPLY_LENGTH_MISMATCH');
  const bank = new TextReader(change.bank);
  const builder = new Builder(change.newLen);
  for (const op of change.ops) {
    if (op.opcode === '+') {
      builder.delete(bank.take(op.chars) ?? fail('READ_PAST_END'));
    } else if (op.opcode === '-') {
      for (const [text, attribs] of old.take(op.chars)) builder.insert(text, attribs);
    } else if (op.attribs === '') {
      for (const [text] of old.take(op.chars)) builder.keep(text);
    } else {
      for (const [text, attribs] of old.take(op.chars)) {
        builder.keep(text, undoRestyling(op, attribs, pool));
      }
    }
  }
  return builder.finish();
}

// Hands out a text with attributes from left to right, run by run.
class Pieces {
  readonly #text: TextReader;
  readonly #runs: OpCursor;

  constructor(atext: AText) {
    this.#text = new TextReader(atext.text);
    this.#runs = new OpCursor(runsOf(atext));
  }

  take(chars: number): [text: string, attribs: Attribs][] {
    const pieces: [string, Attribs][] = [];
    for (let left = chars; left > 0; ) {
      if (this.#runs.opcode === '') fail('READ_PAST_END');
      const { attribs } = this.#runs;
      const length = Math.min(left, this.#runs.chars);
      // The text is read instead of the run's own count of newlines, which says nothing about parts.
      pieces.push([this.#text.take(length) ?? fail('READ_PAST_END'), attribs]);
      this.#runs.consume(length, 0);
      left -= length;
    }
    return pieces;
  }
}

// What to set on text that had `old` attributes when `op` has happened to it.
function undoRestyling(op: Op, old: Attribs, pool: Pool): Attribs {
  const set = new Map<string, string>();
  for (const number of parseAttribs(op.attribs)) {
    const [key, value] = pool.resolve(number);
    set.set(key, value);
  }
  const restored = new Map<string, number>();
  for (const [key, value] of set) {
    const oldValue = pool.valueOf(old, key) ?? '';
    if (oldValue !== value) restored.set(key, pool.intern([key, oldValue]));
  }
  return printByKey(restored);
}

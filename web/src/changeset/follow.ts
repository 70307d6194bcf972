// Two changes of the same document, the second rewritten to come after the first.
//
// Law: t · a · follow(a, b, false) and t · b · follow(b, a, true) are the same document, text and
// attributes.

import { Assembler } from './assemble.ts';
import { followAttribs } from './attribs.ts';
import { OpCursor, overlap } from './cursor.ts';
import { fail } from './error.ts';
import { parseAttribs } from './notation.ts';
import type { Changeset } from './op.ts';
import type { Pool } from './pool.ts';
import { TextReader } from './text.ts';

// Rewrites `second` so that it does after `first` what it would have done before it. `reverse` says
// whose insert stays in front when nothing else decides: that of `second` if set.
export function follow(
  first: Changeset,
  second: Changeset,
  reverse: boolean,
  pool: Pool,
): Changeset {
  if (first.oldLen !== second.oldLen) fail('FOLLOW_LENGTH_MISMATCH');
  const a = new OpCursor(first.ops);
  const b = new OpCursor(second.ops);
  const inserts = new Inserts(first, second, reverse, pool);
  const out = new Assembler();
  while (a.opcode !== '' || b.opcode !== '') {
    if (a.opcode === '+' || b.opcode === '+') {
      if (inserts.firstGoes(a, b)) {
        out.push('=', a.chars, a.lines, '');
        a.advance();
      } else {
        b.copyTo(out);
      }
    } else if (b.opcode === '') {
      // Left over in the first change: nothing of it may leak into the second.
      a.advance();
    } else if (a.opcode === '') {
      b.copyTo(out);
    } else {
      const { chars, lines } = overlap(a, b);
      // What the first change deleted needs no keep, delete or restyling any more.
      if (a.opcode === '=' && b.opcode === '-') {
        out.push('-', chars, lines, b.attribs);
      } else if (a.opcode === '=') {
        out.push('=', chars, lines, followAttribs(a.attribs, b.attribs, pool));
      }
      a.consume(chars, lines);
      b.consume(chars, lines);
    }
  }
  const newLen = first.newLen + out.lengthChange;
  if (newLen < 0) fail('LENGTH_MISMATCH');
  return { oldLen: first.newLen, newLen, ops: out.finish(), bank: second.bank };
}

// Decides between inserts at the same place, and keeps track of their characters.
class Inserts {
  readonly #first: TextReader;
  readonly #second: TextReader;
  readonly #reverse: boolean;
  // The attribute that makes an insert go in front: line markers carry it.
  readonly #inFront: number | undefined;

  constructor(first: Changeset, second: Changeset, reverse: boolean, pool: Pool) {
    this.#first = new TextReader(first.bank);
    this.#second = new TextReader(second.bank);
    this.#reverse = reverse;
    this.#inFront = pool.numberOf(['insertorder', 'first']);
  }

  // Whether the operation of the first change comes next; one of the two is an insert.
  firstGoes(a: OpCursor, b: OpCursor): boolean {
    const first = a.opcode === '+' && (b.opcode !== '+' || this.#firstOfTwo(a, b));
    const taken = first ? this.#first.take(a.chars) : this.#second.take(b.chars);
    if (taken === undefined) fail('READ_PAST_END');
    return first;
  }

  #firstOfTwo(a: OpCursor, b: OpCursor): boolean {
    const markedA = this.#isMarked(a);
    if (markedA !== this.#isMarked(b)) return markedA;
    const breaksA = this.#first.startsWithNewline();
    if (breaksA !== this.#second.startsWithNewline()) return !breaksA;
    return !this.#reverse;
  }

  #isMarked(op: OpCursor): boolean {
    return this.#inFront !== undefined && parseAttribs(op.attribs).includes(this.#inFront);
  }
}

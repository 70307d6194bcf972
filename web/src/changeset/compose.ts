// Two changes in a row as one, and the walk behind it, which also carries a change into the
// attributes of a text.
//
// Laws: apply(apply(t, a), b) = apply(t, compose(a, b)), and composing is associative.

import { Assembler } from './assemble.ts';
import { composeAttribs } from './attribs.ts';
import { OpCursor, overlap } from './cursor.ts';
import { fail } from './error.ts';
import type { Changeset, Op } from './op.ts';
import type { Pool } from './pool.ts';
import { TextReader } from './text.ts';

// The change that does `first` and then `second`.
export function compose(first: Changeset, second: Changeset, pool: Pool): Changeset {
  if (first.newLen !== second.oldLen) fail('COMPOSE_LENGTH_MISMATCH');
  const bank = new ComposedBank(first.bank, second.bank);
  const ops = composeOps(first.ops, second.ops, pool, bank);
  return { oldLen: first.oldLen, newLen: second.newLen, ops, bank: bank.text };
}

// The operations of `first` and then `second`. The runs of an attribution string are inserts, so
// with those as `first` the result is the attribution of the changed text.
export function composeOps(
  first: readonly Op[],
  second: readonly Op[],
  pool: Pool,
  bank?: ComposedBank,
): Op[] {
  const a = new OpCursor(first);
  const b = new OpCursor(second);
  const out = new Assembler();
  while (a.opcode !== '' || b.opcode !== '') {
    // What the first change deleted, the second never saw.
    if (b.opcode === '' || a.opcode === '-') {
      if (a.opcode === '+') bank?.takeFirst(a.chars);
      a.copyTo(out);
    } else if (a.opcode === '' || b.opcode === '+') {
      if (b.opcode === '+') bank?.takeSecond(b.chars);
      b.copyTo(out);
    } else {
      const { chars, lines } = overlap(a, b);
      if (a.opcode === '+' && b.opcode === '-') {
        bank?.skipFirst(chars);
      } else if (a.opcode === '+') {
        bank?.takeFirst(chars);
        out.push('+', chars, lines, composeAttribs(a.attribs, b.attribs, false, pool));
      } else if (b.opcode === '-') {
        out.push('-', chars, lines, b.attribs);
      } else {
        out.push('=', chars, lines, composeAttribs(a.attribs, b.attribs, true, pool));
      }
      a.consume(chars, lines);
      b.consume(chars, lines);
    }
  }
  return out.finish();
}

// The characters that the inserts of two changes leave behind.
class ComposedBank {
  readonly #first: TextReader;
  readonly #second: TextReader;
  text = '';

  constructor(first: string, second: string) {
    this.#first = new TextReader(first);
    this.#second = new TextReader(second);
  }

  takeFirst(chars: number): void {
    this.text += this.#first.take(chars) ?? fail('READ_PAST_END');
  }

  takeSecond(chars: number): void {
    this.text += this.#second.take(chars) ?? fail('READ_PAST_END');
  }

  skipFirst(chars: number): void {
    if (this.#first.take(chars) === undefined) fail('READ_PAST_END');
  }
}

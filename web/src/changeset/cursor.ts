// Walking two streams of operations side by side.
//
// Invariant: a cursor never rests on an empty operation, so every step of a walk consumes
// something; and its counts never go below zero.

import type { Assembler } from './assemble.ts';
import { fail } from './error.ts';
import type { Attribs, Op, Opcode } from './op.ts';

export class OpCursor {
  readonly #ops: readonly Op[];
  #next = 0;
  // What is left of the current operation; no opcode at the end of the stream.
  opcode: Opcode | '' = '';
  chars = 0;
  lines = 0;
  attribs: Attribs = '';

  constructor(ops: readonly Op[]) {
    this.#ops = ops;
    this.advance();
  }

  advance(): void {
    let op: Op | undefined;
    do {
      op = this.#ops[this.#next++];
    } while (op?.chars === 0);
    this.opcode = op?.opcode ?? '';
    this.chars = op?.chars ?? 0;
    this.lines = op?.lines ?? 0;
    this.attribs = op?.attribs ?? '';
  }

  consume(chars: number, lines: number): void {
    this.chars -= chars;
    this.lines -= lines;
    if (this.chars === 0) this.advance();
  }

  // Writes out what is left of the operation as it is, and moves on.
  copyTo(out: Assembler): void {
    if (this.opcode !== '') out.push(this.opcode, this.chars, this.lines, this.attribs);
    this.advance();
  }
}

// The stretch that two operations have in common: the shorter of them. They speak of the same text,
// so they have to agree about its newlines.
export function overlap(a: OpCursor, b: OpCursor): { chars: number; lines: number } {
  if (a.lines > a.chars || b.lines > b.chars) fail('OP_MORE_LINES_THAN_CHARS');
  const [short, long] = a.chars <= b.chars ? [a, b] : [b, a];
  const { chars, lines } = short;
  if (lines > long.lines || (chars === long.chars && lines !== long.lines)) {
    fail('COMPOSE_LINES_MISMATCH');
  }
  return { chars, lines };
}

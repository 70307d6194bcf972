// Canonical form of operation sequences.
//
// A Merger joins neighbours and keeps the order. An Assembler also puts, in every stretch without
// keeps, the deletes before the inserts. Invariant: what leaves an assembler has no empty
// operation, no two neighbours that could be one, and, after `finish`, no plain keep at the end.

import type { Attribs, Op, Opcode } from './op.ts';

type MutableOp = { -readonly [K in keyof Op]: Op[K] };

export class Merger {
  #ops: MutableOp[] = [];
  // Units of an in-line run that followed a run with newlines. They stay apart from it, unless more
  // newlines follow.
  #tail = 0;

  push(opcode: Opcode, chars: number, lines: number, attribs: Attribs): void {
    if (chars === 0) return;
    const last = this.#ops.at(-1);
    if (last === undefined || last.opcode !== opcode || last.attribs !== attribs) {
      this.#releaseTail();
      this.#ops.push({ opcode, chars, lines, attribs });
    } else if (lines > 0) {
      last.chars += this.#tail + chars;
      last.lines += lines;
      this.#tail = 0;
    } else if (last.lines === 0) {
      last.chars += chars;
    } else {
      this.#tail += chars;
    }
  }

  // Drops a plain keep at the end: what is not mentioned is kept anyway.
  dropFinalKeep(): void {
    const last = this.#ops.at(-1);
    if (last?.opcode !== '=' || last.attribs !== '') return;
    this.#ops.pop();
    this.#tail = 0;
  }

  // The merged operations; the merger is empty afterwards.
  take(): Op[] {
    this.#releaseTail();
    const ops = this.#ops;
    this.#ops = [];
    return ops;
  }

  #releaseTail(): void {
    const last = this.#ops.at(-1);
    if (this.#tail === 0 || last === undefined) return;
    this.#ops.push({ opcode: last.opcode, chars: this.#tail, lines: 0, attribs: last.attribs });
    this.#tail = 0;
  }
}

export class Assembler {
  readonly #done: Op[] = [];
  readonly #deletes = new Merger();
  readonly #inserts = new Merger();
  readonly #keeps = new Merger();
  // Which mergers may hold something: after a keep only #keeps, otherwise only the other two.
  #afterKeep = false;
  #lengthChange = 0;

  push(opcode: Opcode, chars: number, lines: number, attribs: Attribs): void {
    if (chars === 0) return;
    if (this.#afterKeep !== (opcode === '=')) this.#flush();
    this.#afterKeep = opcode === '=';
    if (opcode === '=') {
      this.#keeps.push(opcode, chars, lines, attribs);
    } else if (opcode === '+') {
      this.#lengthChange += chars;
      this.#inserts.push(opcode, chars, lines, attribs);
    } else {
      this.#lengthChange -= chars;
      this.#deletes.push(opcode, chars, lines, attribs);
    }
  }

  // Units inserted minus units deleted so far.
  get lengthChange(): number {
    return this.#lengthChange;
  }

  // The operations as they are, a plain keep at the end included.
  take(): Op[] {
    this.#flush();
    return this.#done;
  }

  // The operations of a whole change.
  finish(): Op[] {
    this.#keeps.dropFinalKeep();
    return this.take();
  }

  #flush(): void {
    // One by one: spreading a long list into push() overflows the stack.
    for (const merger of [this.#deletes, this.#inserts, this.#keeps]) {
      for (const op of merger.take()) this.#done.push(op);
    }
  }
}

// Building canonical changes from texts instead of counts.
//
// Invariant: newlines are counted and spans split here and nowhere else, so what is built is
// canonical whatever the caller passes.

import { Assembler } from './assemble.ts';
import type { Attribs, Changeset, Opcode } from './op.ts';
import { countNewlines, endOfLines } from './text.ts';

// Writes a change from left to right.
export class Builder {
  readonly #oldLen: number;
  readonly #out = new Assembler();
  #bank = '';

  constructor(oldLen: number) {
    this.#oldLen = oldLen;
  }

  keep(text: string, attribs: Attribs = ''): this {
    return this.#span('=', text, attribs);
  }

  // Keeps a span that the caller has measured: `lines` newlines, the last of them at its end. An
  // editor knows these numbers; reading a megabyte of text for every key would take too long.
  keepCounted(chars: number, lines: number, attribs: Attribs = ''): this {
    this.#out.push('=', chars, lines, attribs);
    return this;
  }

  insert(text: string, attribs: Attribs = ''): this {
    this.#bank += text;
    return this.#span('+', text, attribs);
  }

  delete(text: string): this {
    return this.#span('-', text, '');
  }

  // Deletes a span that the caller has measured, as in `keepCounted`.
  deleteCounted(chars: number, lines: number): this {
    this.#out.push('-', chars, lines, '');
    return this;
  }

  finish(): Changeset {
    const newLen = Math.max(this.#oldLen + this.#out.lengthChange, 0);
    return { oldLen: this.#oldLen, newLen, ops: this.#out.finish(), bank: this.#bank };
  }

  #span(opcode: Opcode, text: string, attribs: Attribs): this {
    const end = endOfLines(text);
    this.#out.push(opcode, end, countNewlines(text), attribs);
    this.#out.push(opcode, text.length - end, 0, attribs);
    return this;
  }
}

// The change that replaces `deleted` characters from `start` on by `inserted`. Positions beyond the
// text are taken as its end.
export function splice(
  text: string,
  start: number,
  deleted: number,
  inserted: string,
  attribs: Attribs = '',
): Changeset {
  const from = Math.min(start, text.length);
  const to = Math.min(from + deleted, text.length);
  return new Builder(text.length)
    .keep(text.slice(0, from))
    .delete(text.slice(from, to))
    .insert(inserted, attribs)
    .finish();
}

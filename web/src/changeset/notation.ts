// The notation `Z:6>1=5*0+1$!`: reading, checking and printing.
//
// Invariant: `parse` accepts exactly the canonical notation, so that print(parse(s)) === s, but for
// leading zeros of attribute numbers, which other programs let pass and which are dropped here.
// `unpack` takes what older stored data contains: anything whose operations can be told apart.

import { Assembler } from './assemble.ts';
import { fail } from './error.ts';
import type { Attribs, Changeset, Op, Opcode } from './op.ts';
import { countNewlines, NEWLINE, TextReader } from './text.ts';

// Larger values are refused, as nothing that long can exist.
const LARGEST = 2 ** 31 - 1;

const STAR = 0x2a;
const BAR = 0x7c;
const ZERO = 0x30;

export function printNumber(value: number): string {
  return value.toString(36);
}

// Reads a changeset and checks everything that can be checked without the text.
export function parse(notation: string): Changeset {
  const header = readHeader(notation);
  const scanner = new Scanner(notation, header.opsStart, header.opsEnd);
  const check = new Check(header);
  const assembler = new Assembler();
  const ops: Op[] = [];
  for (let op = scanner.nextOp(); op; op = scanner.nextOp()) {
    check.op(op);
    assembler.push(op.opcode, op.chars, op.lines, op.attribs);
    ops.push(op);
  }
  check.finish();
  if (!header.canonical || !scanner.canonical || !sameOps(assembler.finish(), ops)) {
    fail('NOT_CANONICAL');
  }
  return { oldLen: header.oldLen, newLen: header.newLen, ops, bank: header.bank };
}

// Reads a changeset from stored data without checking it.
export function unpack(notation: string): Changeset {
  const header = readHeader(notation);
  const ops = scanOps(new Scanner(notation, header.opsStart, header.opsEnd));
  if (header.newLen < 0) fail('LENGTH_MISMATCH');
  return { oldLen: header.oldLen, newLen: header.newLen, ops, bank: header.bank };
}

export function print(change: Changeset): string {
  const difference = change.newLen - change.oldLen;
  const sign = difference < 0 ? '<' : '>';
  const header = `Z:${printNumber(change.oldLen)}${sign}${printNumber(Math.abs(difference))}`;
  return `${header}${printOps(change.ops)}$${change.bank}`;
}

// Reads operations alone, as in an attribution string.
export function parseOps(notation: string): Op[] {
  return scanOps(new Scanner(notation, 0, notation.length));
}

export function printOps(ops: readonly Op[]): string {
  let out = '';
  for (const op of ops) out += printOp(op);
  return out;
}

export function printOp(op: Op): string {
  const lines = op.lines > 0 ? `|${printNumber(op.lines)}` : '';
  return `${op.attribs}${lines}${op.opcode}${printNumber(op.chars)}`;
}

export function parseAttribs(attribs: Attribs): number[] {
  const scanner = new Scanner(attribs, 0, attribs.length);
  const numbers: number[] = [];
  while (scanner.takeUnit(STAR)) numbers.push(scanner.number() ?? fail('INVALID_OP'));
  return numbers;
}

export function printAttribs(numbers: readonly number[]): Attribs {
  let out = '';
  for (const number of numbers) out += `*${printNumber(number)}`;
  return out;
}

interface Header {
  oldLen: number;
  // Negative if the header claims to remove more than there is.
  newLen: number;
  opsStart: number;
  opsEnd: number;
  bank: string;
  canonical: boolean;
}

function readHeader(notation: string): Header {
  if (!notation.startsWith('Z:')) fail('NOT_A_CHANGESET');
  const scanner = new Scanner(notation, 2, notation.length);
  const oldLen = scanner.number() ?? fail('NOT_A_CHANGESET');
  const sign = notation[scanner.at];
  if (sign !== '>' && sign !== '<') fail('NOT_A_CHANGESET');
  scanner.at++;
  const difference = scanner.number() ?? fail('NOT_A_CHANGESET');
  const dollar = notation.indexOf('$', scanner.at);
  return {
    oldLen,
    newLen: sign === '>' ? oldLen + difference : oldLen - difference,
    opsStart: scanner.at,
    opsEnd: dollar === -1 ? notation.length : dollar,
    bank: dollar === -1 ? '' : notation.slice(dollar + 1),
    canonical: scanner.canonical && dollar !== -1 && (sign === '>' || difference > 0),
  };
}

// Takes operations from the front of a piece of notation, and remembers whether everything but the
// attribute numbers was written the shortest way.
class Scanner {
  readonly #text: string;
  readonly #end: number;
  at: number;
  canonical = true;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#end = end;
    this.at = start;
  }

  nextOp(): Op | undefined {
    this.#skipSeparators();
    if (this.at >= this.#end) return undefined;
    const attribs = this.#attribs();
    let lines = 0;
    if (this.takeUnit(BAR)) {
      lines = this.number() ?? fail('INVALID_OP');
      if (lines === 0) this.canonical = false;
    }
    const opcode = this.#opcode();
    const chars = this.number() ?? fail('INVALID_OP');
    return { opcode, chars, lines, attribs };
  }

  // The number that comes next; undefined if there is no digit.
  number(): number | undefined {
    const start = this.at;
    let value = 0;
    while (this.at < this.#end) {
      const digit = digitOf(this.#text.charCodeAt(this.at));
      if (digit === -1) break;
      value = value * 36 + digit;
      if (value > LARGEST) fail('NUMBER_TOO_LARGE');
      this.at++;
    }
    if (this.at === start) return undefined;
    if (this.at > start + 1 && this.#text.charCodeAt(start) === ZERO) this.canonical = false;
    return value;
  }

  takeUnit(unit: number): boolean {
    if (this.at >= this.#end || this.#text.charCodeAt(this.at) !== unit) return false;
    this.at++;
    return true;
  }

  #attribs(): Attribs {
    const start = this.at;
    const before = this.canonical;
    this.canonical = true;
    const numbers: number[] = [];
    while (this.takeUnit(STAR)) numbers.push(this.number() ?? fail('INVALID_OP'));
    const shortest = this.canonical;
    // How attribute numbers are spelled is not part of canonical form.
    this.canonical = before;
    return shortest ? this.#text.slice(start, this.at) : printAttribs(numbers);
  }

  #opcode(): Opcode {
    const opcode = this.at < this.#end ? this.#text[this.at++] : undefined;
    if (opcode === '=' || opcode === '+' || opcode === '-') return opcode;
    return fail('INVALID_OP');
  }

  // Between operations line ends are passed over, as they are by other implementations.
  #skipSeparators(): void {
    while (this.at < this.#end && isLineEnd(this.#text.charCodeAt(this.at))) {
      this.at++;
      this.canonical = false;
    }
  }
}

function scanOps(scanner: Scanner): Op[] {
  const ops: Op[] = [];
  for (let op = scanner.nextOp(); op; op = scanner.nextOp()) ops.push(op);
  return ops;
}

function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61 + 10;
  return -1;
}

function isLineEnd(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029;
}

// Follows the operations through lengths and bank.
class Check {
  readonly #header: Header;
  readonly #bank: TextReader;
  #consumed = 0;
  #produced = 0;

  constructor(header: Header) {
    this.#header = header;
    this.#bank = new TextReader(header.bank);
  }

  op(op: Op): void {
    if (op.opcode === '+') this.#insert(op);
    if (op.opcode !== '+') this.#consumed += op.chars;
    if (op.opcode !== '-') this.#produced += op.chars;
    if (op.opcode === '-' && this.#consumed > this.#header.oldLen) fail('LENGTH_OVERRUN');
    if (op.opcode === '+' && this.#produced > this.#header.newLen) fail('LENGTH_OVERRUN');
  }

  finish(): void {
    const { oldLen, newLen } = this.#header;
    if (this.#produced + oldLen - this.#consumed !== newLen) fail('LENGTH_MISMATCH');
    if (!this.#bank.isAtEnd) fail('BANK_EXCESS');
    if (newLen < 0) fail('LENGTH_MISMATCH');
  }

  #insert(op: Op): void {
    const text = this.#bank.take(op.chars) ?? fail('BANK_TOO_SHORT');
    if (countNewlines(text) !== op.lines) fail('INSERT_NEWLINE_COUNT');
    if (op.lines > 0 && !text.endsWith(NEWLINE)) fail('INSERT_NOT_NEWLINE_TERMINATED');
  }
}

function sameOps(a: readonly Op[], b: readonly Op[]): boolean {
  return a.length === b.length && a.every((op, i) => sameOp(op, b[i]));
}

function sameOp(a: Op, b: Op | undefined): boolean {
  return (
    a.opcode === b?.opcode && a.chars === b.chars && a.lines === b.lines && a.attribs === b.attribs
  );
}

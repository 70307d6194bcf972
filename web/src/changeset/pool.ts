// Attributes and the pools that number them.
//
// Invariant: a pool only grows; a number, once given, means the same attribute for ever. Pools from
// outside may have holes; a reference into a hole means nothing.

import { fail } from './error.ts';
import { parseAttribs, printAttribs } from './notation.ts';
import type { Attribs, Changeset, Op } from './op.ts';

// Key and value. On kept text an empty value removes the key.
export type Attribute = readonly [key: string, value: string];

// What other programs put where a value should be a string.
type LooseValue = string | number | boolean | null | undefined;

export interface PoolJson {
  readonly numToAttrib: Readonly<Record<string, readonly [string, LooseValue]>>;
  readonly nextNum?: number;
}

export class Pool {
  readonly #attributes = new Map<number, Attribute>();
  readonly #numbers = new Map<string, Map<string, number>>();
  #next = 0;

  // A pool as it was written down. `nextNum` may be missing, or too small to be true.
  static fromJson(json: PoolJson): Pool {
    const pool = new Pool();
    pool.#next = json.nextNum ?? 0;
    const numbers = Object.keys(json.numToAttrib).map(Number);
    for (const number of numbers.sort((a, b) => a - b)) {
      const [key, value] = json.numToAttrib[number] ?? [];
      if (key === undefined || !Number.isSafeInteger(number) || number < 0) continue;
      pool.#set(number, [key, stringOf(value)]);
    }
    return pool;
  }

  toJson(): { numToAttrib: Record<string, Attribute>; nextNum: number } {
    return { numToAttrib: Object.fromEntries(this.#attributes), nextNum: this.#next };
  }

  clone(): Pool {
    return Pool.fromJson(this.toJson());
  }

  get(number: number): Attribute | undefined {
    return this.#attributes.get(number);
  }

  // Like `get`, with the error that a change pointing nowhere deserves.
  resolve(number: number): Attribute {
    return this.#attributes.get(number) ?? fail('UNKNOWN_ATTRIBUTE');
  }

  numberOf([key, value]: Attribute): number | undefined {
    return this.#numbers.get(key)?.get(value);
  }

  // The number of an attribute, which is added if the pool does not have it yet.
  intern(attribute: Attribute): number {
    const known = this.numberOf(attribute);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#set(number, attribute);
    return number;
  }

  // The value of a key in a list; of several the last.
  valueOf(attribs: Attribs, key: string): string | undefined {
    let found: string | undefined;
    for (const number of parseAttribs(attribs)) {
      const attribute = this.get(number);
      if (attribute?.[0] === key) found = attribute[1];
    }
    return found;
  }

  // The list for the attributes of new text: by key, without empty values. Only what remains is
  // added to the pool, in that order.
  attribsOfInsert(attributes: readonly Attribute[]): Attribs {
    const sorted = attributes.filter(([, value]) => value !== '').sort(byKey);
    return printAttribs(sorted.map((attribute) => this.intern(attribute)));
  }

  #set(number: number, attribute: Attribute): void {
    const [key, value] = attribute;
    const values = this.#numbers.get(key) ?? new Map<string, number>();
    this.#numbers.set(key, values);
    // Where a pool from outside names an attribute twice, the lower number stands for it.
    if (!values.has(value)) values.set(value, number);
    this.#attributes.set(number, attribute);
    this.#next = Math.max(this.#next, number + 1);
  }
}

// Orders by key as the notation does: by UTF-16 units, which is how JavaScript compares strings.
export function byKey([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// Renumbers operations of one pool for another, interning in order of first appearance. References
// into holes disappear; the order inside an operation stays.
export function moveOps(ops: readonly Op[], from: Pool, to: Pool): Op[] {
  return ops.map((op) =>
    op.attribs === '' ? op : { ...op, attribs: moveAttribs(op.attribs, from, to) },
  );
}

export function moveChangeset(change: Changeset, from: Pool, to: Pool): Changeset {
  return { ...change, ops: moveOps(change.ops, from, to) };
}

function moveAttribs(attribs: Attribs, from: Pool, to: Pool): Attribs {
  const numbers: number[] = [];
  for (const number of parseAttribs(attribs)) {
    const attribute = from.get(number);
    if (attribute) numbers.push(to.intern(attribute));
  }
  return printAttribs(numbers);
}

function stringOf(value: LooseValue): string {
  return value ? String(value) : '';
}

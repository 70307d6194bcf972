// How lists of attributes combine.
//
// Invariant: a combined list is in key order and names every key once. A list that met nothing is
// passed on as it came, so that foreign spellings survive where nothing changed.

import { parseAttribs, printAttribs } from './notation.ts';
import type { Attribs } from './op.ts';
import { byKey, type Pool } from './pool.ts';

// The attributes `first` changed by `second`. With `isMutation` the result is itself a change of
// kept text, where an empty value stays to remove the key from whatever it meets. Otherwise it
// belongs to text, and the key is gone.
export function composeAttribs(
  first: Attribs,
  second: Attribs,
  isMutation: boolean,
  pool: Pool,
): Attribs {
  if (first === '' && isMutation) return second;
  if (second === '') return first;
  const numbers = new Map<string, number>();
  for (const number of parseAttribs(first)) numbers.set(pool.resolve(number)[0], number);
  for (const number of parseAttribs(second)) {
    const [key, value] = pool.resolve(number);
    if (value === '' && !isMutation) numbers.delete(key);
    else numbers.set(key, number);
  }
  return printByKey(numbers);
}

// What remains of the restyling `second` when `first` has happened to the same text. Of two values
// for one key the smaller one wins, whichever came first, so that both orders agree; an equal value
// is already there.
export function followAttribs(first: Attribs, second: Attribs, pool: Pool): Attribs {
  if (first === '' || second === '') return second;
  let rest = parseAttribs(second).map((number) => ({ number, attribute: pool.resolve(number) }));
  for (const number of parseAttribs(first)) {
    const [key, value] = pool.resolve(number);
    rest = rest.filter(({ attribute }) => attribute[0] !== key || value > attribute[1]);
  }
  return printAttribs(rest.map(({ number }) => number));
}

// A list in key order from numbers by key.
export function printByKey(numbers: ReadonlyMap<string, number>): Attribs {
  return printAttribs([...numbers].sort(byKey).map(([, number]) => number));
}

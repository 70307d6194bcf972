// What happened between two texts, as a change.
//
// Invariant: applied to the old text the change gives the new one. It is small where the texts are
// alike, though not always the smallest.

import { Builder, type Changeset } from '../changeset/index.ts';

// How far apart two texts may be before they count as different altogether, in lines and, where
// lines differ, in words.
const MOST_LINES = 1_000;
const MOST_WORDS = 200;

export function diff(old: string, text: string): Changeset {
  const builder = new Builder(old.length);
  align(
    builder,
    linesOf(old),
    linesOf(text),
    (a, b) => commonParts(a, b, MOST_LINES),
    (gone, come) => replace(builder, gone, come),
  );
  return builder.finish();
}

// The same for people to read: lines that differ are compared word by word, which stay whole.
export function wordDiff(old: string, text: string): Changeset {
  const builder = new Builder(old.length);
  align(
    builder,
    linesOf(old),
    linesOf(text),
    (a, b) => commonParts(a, b, MOST_LINES),
    (gone, come) =>
      align(builder, wordsOf(gone), wordsOf(come), commonWords, (gone, come) => {
        builder.delete(gone).insert(come);
      }),
  );
  return builder.finish();
}

type Pair = readonly [number, number];

// Keeps the parts that both have, and hands what is between them to `change`.
function align(
  builder: Builder,
  a: readonly string[],
  b: readonly string[],
  common: (a: readonly string[], b: readonly string[]) => readonly Pair[],
  change: (old: string, text: string) => void,
): void {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  builder.keep(a.slice(0, start).join(''));
  const [old, text] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  let [i, j] = [0, 0];
  for (const [x, y] of [...common(old, text), [old.length, text.length]] as const) {
    change(old.slice(i, x).join(''), text.slice(j, y).join(''));
    if (x < old.length) builder.keep(old[x] ?? '');
    [i, j] = [x + 1, y + 1];
  }
  builder.keep(a.slice(a.length - end).join(''));
}

// Without spaces and signs that stand alone between words that differ: they only hide what was
// replaced by what.
function commonWords(a: readonly string[], b: readonly string[]): Pair[] {
  const stretches: Pair[][] = [];
  for (const pair of commonParts(a, b, MOST_WORDS)) {
    const last = stretches.at(-1)?.at(-1);
    if (last && last[0] + 1 === pair[0] && last[1] + 1 === pair[1]) stretches.at(-1)?.push(pair);
    else stretches.push([pair]);
  }
  return stretches.filter((pairs) => pairs.some(([x]) => WORD.test(a[x] ?? ''))).flat();
}

// How many characters a change puts in and takes out.
export function weight(change: Changeset): number {
  const deletes = change.ops.filter((op) => op.opcode === '-');
  return deletes.reduce((sum, op) => sum + op.chars, change.bank.length);
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

const WORD = /[\p{L}\p{N}]/u;

// Words, and whatever else there is, each character whole.
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+|./gsu) ?? [];
}

// Replaces a piece of text, keeping what both begin and end with.
function replace(builder: Builder, old: string, text: string): void {
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old[start] === text[start]) start++;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  builder
    .keep(old.slice(0, start))
    .delete(old.slice(start, old.length - end))
    .insert(text.slice(start, text.length - end))
    .keep(old.slice(old.length - end));
}

// Pairs of equal parts in order, by the greedy algorithm of Myers.
function commonParts(a: readonly string[], b: readonly string[], mostEdits: number): Pair[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  const most = Math.min(a.length + b.length, mostEdits);
  for (let edits = 0; edits <= most; edits++) {
    trail.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      const [left, right] = [furthest.get(k - 1) ?? -1, furthest.get(k + 1) ?? -1];
      let x = k === -edits || (k !== edits && left < right) ? right : left + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return pairsOf(trail, a.length, b.length);
    }
  }
  return [];
}

function pairsOf(trail: readonly Map<number, number>[], aLen: number, bLen: number) {
  const pairs: [number, number][] = [];
  let [x, y] = [aLen, bLen];
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const furthest = trail[edits] as Map<number, number>;
    const k = x - y;
    const [left, right] = [furthest.get(k - 1) ?? -1, furthest.get(k + 1) ?? -1];
    const before = k === -edits || (k !== edits && left < right) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : (furthest.get(before) ?? 0);
    const fromY = edits === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}

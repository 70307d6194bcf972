// The laws of the algebra on random documents and changes. The Rust crate tests the same laws with
// more cases; the differential test ties the two together.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AText,
  applyToAText,
  applyToLines,
  applyToText,
  type Changeset,
  ChangesetError,
  compose,
  type DocumentLines,
  follow,
  followRange,
  inverse,
  joinAttribution,
  moveChangeset,
  type Op,
  opsWithoutFinalNewline,
  Pool,
  parse,
  print,
  printOps,
  splice,
  splitAttribution,
  splitLines,
  unpack,
} from '../src/changeset/index.ts';
import { changeOf, document, looseChangeOf, newPool, steps, wildNotation } from './arbitraries.ts';

const RUNS = { numRuns: Number(process.env.PADSVC_CASES ?? 1_000) };

function law<Ts extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { [I in keyof Ts]: fc.Arbitrary<Ts[I]> },
  check: (...values: Ts) => void,
) {
  test(name, () => fc.assert(fc.property(...arbitraries, check), RUNS));
}

function expectCanonical(change: Changeset) {
  const notation = print(change);
  expect(isCanonical(change.ops), notation).toBe(true);
  expect(parse(notation)).toEqual(change);
  expect(print(parse(notation))).toBe(notation);
}

// Canonical form said in another way than the code says it: as what may not stand side by side.
function isCanonical(ops: readonly Op[]): boolean {
  const last = ops.at(-1);
  if (last?.opcode === '=' && last.attribs === '') return false;
  return ops.every((op, i) => {
    const before = ops[i - 1];
    const joins =
      before?.opcode === op.opcode &&
      before.attribs === op.attribs &&
      (before.lines === 0 || op.lines > 0);
    return op.chars > 0 && !joins && !(before?.opcode === '+' && op.opcode === '-');
  });
}

describe('laws', () => {
  law('composing is applying twice', [document, steps, steps], (atext, stepsA, stepsB) => {
    const pool = newPool();
    const a = changeOf(atext.text, stepsA, pool);
    const after = applyToAText(a, atext, pool);
    const b = changeOf(after.text, stepsB, pool);
    const both = compose(a, b, pool);
    expectCanonical(both);
    expect(applyToText(both, atext.text)).toBe(applyToText(b, after.text));
    expect(applyToAText(both, atext, pool)).toEqual(applyToAText(b, after, pool));
  });

  law(
    'composing is associative',
    [document, steps, steps, steps],
    (atext, stepsA, stepsB, stepsC) => {
      const pool = newPool();
      const a = changeOf(atext.text, stepsA, pool);
      const b = changeOf(applyToText(a, atext.text), stepsB, pool);
      const ab = compose(a, b, pool);
      const c = changeOf(applyToText(ab, atext.text), stepsC, pool);
      const left = compose(ab, c, pool);
      const right = compose(a, compose(b, c, pool), pool);
      expect(print(left)).toBe(print(right));
      expect(applyToAText(left, atext, pool)).toEqual(applyToAText(right, atext, pool));
    },
  );

  law('both sides of follow meet', [document, steps, steps], (atext, stepsA, stepsB) => {
    const pool = newPool();
    const a = changeOf(atext.text, stepsA, pool);
    const b = changeOf(atext.text, stepsB, pool);
    const bAfterA = follow(a, b, false, pool);
    const aAfterB = follow(b, a, true, pool);
    expectCanonical(bAfterA);
    expectCanonical(aAfterB);
    const one = applyToAText(bAfterA, applyToAText(a, atext, pool), pool);
    const two = applyToAText(aAfterB, applyToAText(b, atext, pool), pool);
    expect(one).toEqual(two);
  });

  // Why revisions that are delivered together stay apart (`src/collab/batches.ts`). A search with
  // random changes found this, and shrank it: the canonical form of a composition has deletions
  // before insertions, and with that it forgets that X was inserted before the text that B deletes.
  test('a change past a composition need not be the same as past its parts', () => {
    const pool = new Pool();
    const [a, b] = [parse('Z:1>1+1$X'), parse('Z:2<1=1-1$')];
    const pending = parse('Z:1>1+1$Y');
    const together = compose(a, b, pool);
    expect(print(together)).toBe('Z:1>0-1+1$X');
    const pastParts = follow(b, follow(a, pending, false, pool), false, pool);
    const pastComposition = follow(together, pending, false, pool);
    expect(applyToText(pastParts, 'X')).toBe('XY');
    expect(applyToText(pastComposition, 'X')).toBe('YX');
  });

  law('the inverse undoes text and attributes', [document, steps], (atext, list) => {
    const pool = newPool();
    const change = changeOf(atext.text, list, pool);
    const back = inverse(change, atext, pool);
    expectCanonical(back);
    expect(applyToAText(back, applyToAText(change, atext, pool), pool)).toEqual(atext);
  });

  law('what is printed is read back', [document, steps], (atext, list) => {
    const change = changeOf(atext.text, list, newPool());
    expectCanonical(change);
    expect(unpack(print(change))).toEqual(change);
  });

  law(
    'only the canonical notation is read',
    [document, steps, fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(...'Z:><=+-|*$019z\n ')],
    (atext, list, position, removed, inserted) => {
      const notation = print(changeOf(atext.text, list, newPool()));
      const at = position % (notation.length + 1);
      const damaged = notation.slice(0, at) + inserted + notation.slice(at + removed);
      const read = orRefused(() => parse(damaged));
      // How attribute numbers are spelled is the one thing that is not looked at.
      const bank = damaged.indexOf('$');
      const ops = damaged.slice(0, bank).replace(/\*0+(?=[0-9a-z])/g, '*');
      if (read) expect(print(read)).toBe(ops + damaged.slice(bank));
    },
  );

  law('operations out of order are refused', [document, steps], (atext, list) => {
    const loose = looseChangeOf(atext.text, list, newPool());
    const read = orRefused(() => parse(print(loose)));
    expect(read).toEqual(isCanonical(loose.ops) ? loose : undefined);
  });

  law('moving to another pool and back', [document, steps], (atext, list) => {
    const pool = newPool();
    const change = changeOf(atext.text, list, pool);
    const wire = new Pool();
    const moved = moveChangeset(change, pool, wire);
    expect(moveChangeset(moved, wire, pool)).toEqual(change);
    expect(pool.toJson()).toEqual(newPool().toJson());
    expect(applyToText(moved, atext.text)).toBe(applyToText(change, atext.text));
  });

  law(
    'a splice replaces what it says',
    [document, fc.nat({ max: 30 }), fc.nat({ max: 30 }), fc.string({ unit: 'binary' })],
    ({ text }, start, deleted, inserted) => {
      const change = splice(text, start, deleted, inserted);
      expectCanonical(change);
      const expected = text.slice(0, start) + inserted + text.slice(start + deleted);
      expect(applyToText(change, text)).toBe(expected);
    },
  );

  law('lines and documents change alike', [document, steps], (atext, list) => {
    const pool = newPool();
    const change = changeOf(atext.text, list, pool);
    const held = linesOf(atext);
    expect(held.lines.join('')).toBe(atext.text);
    expect(joinAttribution(held.alines)).toBe(atext.attribs);
    applyToLines(change, held, pool);
    const changed = applyToAText(change, atext, pool);
    expect(held).toEqual(linesOf(changed));
  });

  law('the final newline can be left out', [document], (atext) => {
    const ended = applyToAText(splice(atext.text, atext.text.length, 0, '\n'), atext, newPool());
    expect(printOps(opsWithoutFinalNewline(ended))).toBe(atext.attribs);
  });

  law(
    'a followed range stays inside the text',
    [document, steps, fc.nat(), fc.nat(), fc.boolean()],
    ({ text }, list, a, b, insertsAfter) => {
      const change = changeOf(text, list, newPool());
      const at = [a, b].map((n) => n % (text.length + 1)).sort((x, y) => x - y);
      const range = [at[0] ?? 0, at[1] ?? 0] as const;
      const [start, end] = followRange(change, range, insertsAfter);
      expect(0 <= start && start <= end && end <= change.newLen).toBe(true);
    },
  );

  const garbage = fc.string({ unit: fc.constantFrom(...'Z:><=+-|*$01zA\na'), maxLength: 24 });
  law('any string is read or refused by name', [garbage], (notation) => {
    orRefused(() => parse(notation));
    orRefused(() => parse(`Z:${notation}`));
    orRefused(() => unpack(`Z:5>1${notation}`));
  });

  law(
    'changes that fit nothing are refused by name',
    [document, wildNotation, wildNotation],
    (atext, first, second) => {
      const pool = newPool();
      const header = `Z:${atext.text.length.toString(36)}>0`;
      const [a, b] = [unpack(header + first), unpack(header + second)];
      orRefused(() => compose(a, b, pool));
      orRefused(() => follow(a, b, false, pool));
      orRefused(() => inverse(a, atext, pool));
      orRefused(() => applyToAText(a, atext, pool));
      orRefused(() => applyToLines(a, linesOf(atext), pool));
    },
  );
});

function linesOf(atext: AText): DocumentLines {
  return { lines: splitLines(atext.text), alines: splitAttribution(atext) };
}

// Nothing but a named refusal may come out of bad input.
function orRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof ChangesetError) return undefined;
    throw error;
  }
}

// The shared vectors: what the Rust crate has to answer, the twin has to answer too.

import { describe, expect, test } from 'vitest';
import {
  Assembler,
  type AText,
  type Attribute,
  applyToAText,
  applyToLines,
  applyToText,
  ChangesetError,
  compose,
  composeAttribs,
  follow,
  followAttribs,
  followRange,
  inverse,
  joinAttribution,
  Merger,
  moveOps,
  type Op,
  opsWithoutFinalNewline,
  Pool,
  type PoolJson,
  parse,
  parseAttribs,
  parseOps,
  print,
  printNumber,
  printOp,
  printOps,
  splice,
  splitAttribution,
  splitLines,
  subAttribution,
  unpack,
} from '../src/changeset/index.ts';
import { isAuthorToken, isPadId } from '../src/pad/ids.ts';
import { readVectors } from './fixtures.ts';

// One test per file: thousands of rows as tests of their own would drown the report. The name of a
// row that differs is in the message.
function vectors<Row extends object>(file: string, check: (row: Row & { name: string }) => void) {
  test(file, () => {
    for (const row of readVectors<Row & { name: string }>(file)) {
      try {
        check(row);
      } catch (error) {
        if (error instanceof Error) error.message = `${row.name}: ${error.message}`;
        throw error;
      }
    }
  });
}

describe('vectors', () => {
  vectors<{ text: string; cs: string; expected: string }>('apply', (row) => {
    expect(applyToText(parse(row.cs), row.text)).toBe(row.expected);
  });

  vectors<{
    atext: AText;
    cs: string;
    pool: PoolJson;
    expected: AText;
    expectedPool: PoolJson;
  }>('apply_atext', (row) => {
    const pool = Pool.fromJson(row.pool);
    expect(applyToAText(parse(row.cs), row.atext, pool)).toEqual(row.expected);
    expect(pool.toJson()).toEqual(row.expectedPool);
  });

  vectors<{
    atext: AText;
    cs1: string;
    cs2: string;
    pool: PoolJson;
    expected: string;
    expectedAText: AText;
  }>('compose', (row) => {
    const pool = Pool.fromJson(row.pool);
    const both = compose(parse(row.cs1), parse(row.cs2), pool);
    expect(print(both)).toBe(row.expected);
    expect(applyToAText(both, row.atext, pool)).toEqual(row.expectedAText);
  });

  vectors<{
    atext: AText;
    cs1: string;
    cs2: string;
    pool: PoolJson;
    expected: Record<'follow_1_2' | 'follow_2_1_rev' | 'follow_1_2_rev' | 'follow_2_1', string>;
    mergedText: string;
    mergedAttribs: string;
  }>('follow', (row) => {
    const pool = Pool.fromJson(row.pool);
    const [one, two] = [parse(row.cs1), parse(row.cs2)];
    const follow12 = follow(one, two, false, pool);
    expect(print(follow12)).toBe(row.expected.follow_1_2);
    expect(print(follow(two, one, true, pool))).toBe(row.expected.follow_2_1_rev);
    expect(print(follow(one, two, true, pool))).toBe(row.expected.follow_1_2_rev);
    expect(print(follow(two, one, false, pool))).toBe(row.expected.follow_2_1);
    const merged = applyToAText(follow12, applyToAText(one, row.atext, pool), pool);
    expect(merged).toEqual({ text: row.mergedText, attribs: row.mergedAttribs });
  });

  vectors<{
    atext: AText;
    cs: string;
    pool: PoolJson;
    expected: string;
    expectedPool: PoolJson;
    roundTripAttribs: string;
  }>('inverse', (row) => {
    const pool = Pool.fromJson(row.pool);
    const change = parse(row.cs);
    const back = inverse(change, row.atext, pool);
    expect(print(back)).toBe(row.expected);
    expect(pool.toJson()).toEqual(row.expectedPool);
    const restored = applyToAText(back, applyToAText(change, row.atext, pool), pool);
    expect(restored).toEqual({ text: row.atext.text, attribs: row.roundTripAttribs });
  });

  vectors<{
    cs: string;
    fromPool: PoolJson;
    toPool: PoolJson;
    expected: string;
    expectedToPool: PoolJson;
  }>('move_pool', (row) => {
    const [from, to] = [Pool.fromJson(row.fromPool), Pool.fromJson(row.toPool)];
    if (row.cs.startsWith('Z:')) {
      const change = unpack(row.cs);
      expect(print({ ...change, ops: moveOps(change.ops, from, to) })).toBe(row.expected);
    } else {
      expect(printOps(moveOps(parseOps(row.cs), from, to))).toBe(row.expected);
    }
    expect(to.toJson()).toEqual(row.expectedToPool);
  });

  type Unpacked = {
    oldLen: number;
    newLen: number;
    opsString: string;
    ops: Op[];
    charBank: string;
  };
  type Assembled = Record<
    'smartEndDocument' | 'smartNoEnd' | 'mergingEndDocument' | 'mergingNoEnd',
    string
  > & { lengthChange: number };
  vectors<
    | { kind: 'unpack'; cs: string; expected: Unpacked }
    | { kind: 'assemble'; ops: Op[]; expected: Assembled }
  >('canonical', (row) => {
    if (row.kind === 'unpack') {
      const change = parse(row.cs);
      const { oldLen, newLen, ops, bank } = change;
      const opsString = printOps(ops);
      expect({ oldLen, newLen, opsString, ops, charBank: bank }).toEqual(row.expected);
      expect(print(change)).toBe(row.cs);
    } else {
      const smart = fill(new Assembler(), row.ops);
      const ended = fill(new Merger(), row.ops);
      ended.dropFinalKeep();
      expect({
        smartEndDocument: printOps(smart.finish()),
        smartNoEnd: printOps(fill(new Assembler(), row.ops).take()),
        mergingEndDocument: printOps(ended.take()),
        mergingNoEnd: printOps(fill(new Merger(), row.ops).take()),
        lengthChange: smart.lengthChange,
      }).toEqual(row.expected);
    }
  });

  vectors<Staged & { expected: { class: string } }>('rejects', (row) => {
    expect(() => runStage(row)).toThrow(ChangesetError);
    expect(reasonOf(() => runStage(row))).toBe(row.expected.class);
  });

  vectors<Staged & { expected: { text?: string; atext?: AText } }>('accepts', (row) => {
    const result = runStage(row);
    if (row.expected.text !== undefined) expect(result).toBe(row.expected.text);
    if (row.expected.atext !== undefined) expect(result).toEqual(row.expected.atext);
  });

  vectors<{
    att1: string;
    att2: string;
    insertAtt: string;
    pool: PoolJson;
    expected: Record<'composeMutation' | 'composeOntoInsert' | 'follow' | 'followOther', string>;
  }>('attributes', (row) => {
    const pool = Pool.fromJson(row.pool);
    expect({
      composeMutation: composeAttribs(row.att1, row.att2, true, pool),
      composeOntoInsert: composeAttribs(row.insertAtt, row.att2, false, pool),
      follow: followAttribs(row.att1, row.att2, pool),
      followOther: followAttribs(row.att2, row.att1, pool),
    }).toEqual(row.expected);
  });

  vectors<{
    text: string;
    start: number;
    ndel: number;
    ins: string;
    attribs: Attribute[] | null;
    pool: PoolJson;
    expected: string;
    expectedPool: PoolJson;
    expectedText: string;
    canonical: boolean;
  }>('splice', (row) => {
    const pool = Pool.fromJson(row.pool);
    const attribs = pool.attribsOfInsert(row.attribs ?? []);
    const change = splice(row.text, row.start, row.ndel, row.ins, attribs);
    expect(print(change)).toBe(row.expected);
    expect(pool.toJson()).toEqual(row.expectedPool);
    expect(applyToText(change, row.text)).toBe(row.expectedText);
    expect(print(parse(print(change)))).toBe(row.expected);
  });

  vectors<{
    atext: AText;
    cs: string;
    pool: PoolJson;
    sub: { line: number; start: number; end: number };
    sel: [number, number];
    expected: object;
  }>('lines', (row) => {
    const pool = Pool.fromJson(row.pool);
    const change = parse(row.cs);
    const lines = splitLines(row.atext.text);
    const alines = splitAttribution(row.atext);
    const changed = { lines: [...lines], alines: [...alines] };
    applyToLines(change, changed, pool);
    const subLine = alines[row.sub.line] ?? '';
    expect({
      lines,
      alines,
      joined: joinAttribution(alines),
      opsWithoutFinalNewline: opsWithoutFinalNewline(row.atext).map(printOp),
      mutatedLines: changed.lines,
      mutatedAlines: changed.alines,
      subattribution: subAttribution(subLine, row.sub.start, row.sub.end),
      subattributionToEnd: subAttribution(subLine, row.sub.start),
      rangeFollowInsertAfter: followRange(change, row.sel, true),
      rangeFollowInsertBefore: followRange(change, row.sel, false),
    }).toEqual(row.expected);
  });

  vectors<
    | { kind: 'base36'; input: number; expected: string }
    | { kind: 'padId' | 'authorToken'; input: string; expected: boolean }
  >('ids', (row) => {
    if (row.kind === 'base36') {
      expect(printNumber(row.input)).toBe(row.expected);
      expect(parseAttribs(`*${row.expected}`)).toEqual([row.input]);
    } else {
      const known = { padId: isPadId, authorToken: isAuthorToken };
      expect(known[row.kind](row.input)).toBe(row.expected);
    }
  });
});

interface Staged {
  stage: string;
  input: { cs: string; cs2?: string; text?: string; atext?: AText; pool?: PoolJson };
}

// The operation at which a row of rejects or accepts is decided. What is not about the notation
// itself reads it the lenient way, as stored data is read.
function runStage({ stage, input }: Staged): unknown {
  const pool = Pool.fromJson(input.pool ?? { numToAttrib: {} });
  const text = input.text ?? '';
  const atext = input.atext ?? { text: '', attribs: '' };
  const other = input.cs2 ?? '';
  switch (stage) {
    case 'checkRep':
      return parse(input.cs);
    case 'applyToText':
      return applyToText(unpack(input.cs), text);
    case 'applyToAText':
      return applyToAText(unpack(input.cs), atext, pool);
    case 'compose':
      return compose(unpack(input.cs), unpack(other), pool);
    case 'follow':
      return follow(unpack(input.cs), unpack(other), false, pool);
    case 'resolveAttributes':
      return unpack(input.cs).ops.map((op) => parseAttribs(op.attribs).map((n) => pool.resolve(n)));
    default:
      throw new Error(`unknown stage ${stage}`);
  }
}

function reasonOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ChangesetError) return error.reason;
    throw error;
  }
  return undefined;
}

function fill<T extends Assembler | Merger>(assembler: T, ops: readonly Op[]): T {
  for (const op of ops) assembler.push(op.opcode, op.chars, op.lines, op.attribs);
  return assembler;
}

// The other half of the differential test: answers requests about changesets, one JSON line each.
//
//   {"op":"check","cs":S}                                            → {"ok":S}
//   {"op":"apply","text":T,"cs":S}                                   → {"ok":T}
//   {"op":"applyAText","atext":A,"cs":S,"pool":P}                    → {"ok":A}
//   {"op":"compose","cs1":S,"cs2":S,"pool":P}                        → {"ok":S}
//   {"op":"follow","cs1":S,"cs2":S,"reverse":bool,"pool":P}          → {"ok":S}
//   {"op":"inverse","atext":A,"cs":S,"pool":P}                       → {"ok":{"cs":S,"pool":P}}
//   {"op":"splice","text":T,"start":n,"ndel":n,"ins":T,
//                  "attribs":[[k,v],…]|null,"pool":P}                → {"ok":{"cs":S,"pool":P}}
//   {"op":"movePool","cs":S,"fromPool":P,"toPool":P}                 → {"ok":{"cs":S,"pool":P}}
//   {"op":"lines","atext":A}                                → {"ok":{"lines":[…],"alines":[…]}}
//   {"op":"range","cs":S,"start":n,"end":n,"insertsAfter":bool}      → {"ok":[n,n]}
//
// S is a changeset (for movePool also an attribution string), T a text, A = {"text","attribs"},
// P = {"numToAttrib":{"0":[k,v],…},"nextNum":n}. What the algebra refuses is answered by
// {"error":"CLASS"}. Only `check` reads changesets strictly; all others take them as stored data is
// taken, so that the errors of the operations themselves can be compared.
//
// Invariant: exactly one line goes out for every line that comes in, in the same order. A request
// that is not understood ends the program: that is a mistake of the test, not of a changeset.

import {
  type AText,
  type Attribute,
  applyToAText,
  applyToText,
  ChangesetError,
  compose,
  follow,
  followRange,
  inverse,
  moveChangeset,
  moveOps,
  Pool,
  type PoolJson,
  parse,
  parseOps,
  print,
  printOps,
  splice,
  splitAttribution,
  splitLines,
  unpack,
} from '../src/changeset/index.ts';

type Request =
  | { op: 'check'; cs: string }
  | { op: 'apply'; text: string; cs: string }
  | { op: 'applyAText'; atext: AText; cs: string; pool: PoolJson }
  | { op: 'compose'; cs1: string; cs2: string; pool: PoolJson }
  | { op: 'follow'; cs1: string; cs2: string; reverse: boolean; pool: PoolJson }
  | { op: 'inverse'; atext: AText; cs: string; pool: PoolJson }
  | {
      op: 'splice';
      text: string;
      start: number;
      ndel: number;
      ins: string;
      attribs: Attribute[] | null;
      pool: PoolJson;
    }
  | { op: 'movePool'; cs: string; fromPool: PoolJson; toPool: PoolJson }
  | { op: 'lines'; atext: AText }
  | { op: 'range'; cs: string; start: number; end: number; insertsAfter: boolean };

function answer(request: Request): unknown {
  switch (request.op) {
    case 'check':
      return print(parse(request.cs));
    case 'apply':
      return applyToText(unpack(request.cs), request.text);
    case 'applyAText': {
      const pool = Pool.fromJson(request.pool);
      return applyToAText(unpack(request.cs), request.atext, pool);
    }
    case 'compose': {
      const pool = Pool.fromJson(request.pool);
      return print(compose(unpack(request.cs1), unpack(request.cs2), pool));
    }
    case 'follow': {
      const pool = Pool.fromJson(request.pool);
      return print(follow(unpack(request.cs1), unpack(request.cs2), request.reverse, pool));
    }
    case 'inverse': {
      const pool = Pool.fromJson(request.pool);
      const back = inverse(unpack(request.cs), request.atext, pool);
      return { cs: print(back), pool: pool.toJson() };
    }
    case 'splice': {
      const pool = Pool.fromJson(request.pool);
      const attribs = pool.attribsOfInsert(request.attribs ?? []);
      const change = splice(request.text, request.start, request.ndel, request.ins, attribs);
      return { cs: print(change), pool: pool.toJson() };
    }
    case 'movePool': {
      const pool = Pool.fromJson(request.toPool);
      const cs = move(request.cs, Pool.fromJson(request.fromPool), pool);
      return { cs, pool: pool.toJson() };
    }
    case 'lines': {
      const alines = splitAttribution(request.atext);
      return { lines: splitLines(request.atext.text), alines };
    }
    case 'range': {
      const { start, end, insertsAfter } = request;
      return followRange(unpack(request.cs), [start, end], insertsAfter);
    }
    default:
      throw new Error(`unknown request ${JSON.stringify(request satisfies never)}`);
  }
}

function move(notation: string, from: Pool, to: Pool): string {
  return notation.startsWith('Z:')
    ? print(moveChangeset(unpack(notation), from, to))
    : printOps(moveOps(parseOps(notation), from, to));
}

function respond(line: string): string {
  try {
    return JSON.stringify({ ok: answer(JSON.parse(line)) });
  } catch (error) {
    if (error instanceof ChangesetError) return JSON.stringify({ error: error.reason });
    throw error;
  }
}

// Not node:readline, for which U+2028 ends a line as well; texts are full of them here.
let pending = '';
for await (const chunk of process.stdin.setEncoding('utf8')) {
  const lines = `${pending}${chunk}`.split('\n');
  pending = lines.pop() ?? '';
  if (lines.length > 0) process.stdout.write(`${lines.map(respond).join('\n')}\n`);
}

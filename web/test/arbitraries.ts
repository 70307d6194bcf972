// Random documents and random changes of them, for the law tests.
//
// Invariant: a change is a list of steps that fits any text, so that a failing case shrinks well and
// changes can be made of documents that only come to be during the test.

import fc from 'fast-check';
import {
  type AText,
  type Attribute,
  applyToAText,
  Builder,
  type Changeset,
  type Op,
  Pool,
  plain,
  printOps,
} from '../src/changeset/index.ts';

// Numbers and keys are in different orders on purpose.
const ATTRIBUTES: readonly Attribute[] = [
  ['list', 'bullet1'],
  ['bold', 'true'],
  ['author', 'a.2'],
  ['insertorder', 'first'],
  ['color', 'red'],
  ['bold', ''],
  ['author', 'a.1'],
  ['color', 'blue'],
  ['color', ''],
  ['list', ''],
  ['lmkr', '1'],
];

export function newPool(): Pool {
  const pool = new Pool();
  for (const attribute of ATTRIBUTES) pool.intern(attribute);
  return pool;
}

export interface Step {
  kind: 'keep' | 'insert' | 'delete';
  chars: number;
  text: string;
  attributes: Attribute[];
}

// Few different characters, so that lines, emoji and separators of the notation meet often.
const text = fc.string({
  unit: fc.constantFrom('a', 'b', '\n', '\n', '$', '*', 'é', '\u2028', '😀', '\ud83d'),
  maxLength: 8,
});

const attributes = fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), {
  selector: ([key]) => key,
  maxLength: 4,
});

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('keep', 'insert', 'delete'),
  chars: fc.nat({ max: 8 }),
  text,
  attributes: fc.oneof(fc.constant<Attribute[]>([]), attributes),
});

export const steps = fc.array(step, { maxLength: 8 });

// The change that the steps make to a text; what they do beyond its end is left out.
export function changeOf(old: string, list: readonly Step[], pool: Pool): Changeset {
  const builder = new Builder(old.length);
  let at = 0;
  for (const { kind, chars, text, attributes } of list) {
    if (kind === 'insert') {
      builder.insert(text, pool.attribsOfInsert(attributes));
      continue;
    }
    const span = old.slice(at, at + chars);
    at += span.length;
    if (kind === 'delete') builder.delete(span);
    else builder.keep(span, restyling(attributes, pool));
  }
  return builder.finish();
}

// A document: what a change makes of an empty one.
export const document: fc.Arbitrary<AText> = steps.map((list) => {
  const pool = newPool();
  const inserts = list.map((step): Step => ({ ...step, kind: 'insert' }));
  return applyToAText(changeOf('', inserts, pool), plain(''), pool);
});

// The same steps as operations that nothing has put in order, empty ones among them.
export function looseChangeOf(old: string, list: readonly Step[], pool: Pool): Changeset {
  const ops: Op[] = [];
  let [consumed, produced, bank] = [0, 0, ''];
  for (const { kind, chars, text, attributes } of list) {
    const span = kind === 'insert' ? text : old.slice(consumed, consumed + chars);
    if (kind === 'insert') bank += text;
    if (kind !== 'insert') consumed += span.length;
    if (kind !== 'delete') produced += span.length;
    const opcode = ({ keep: '=', insert: '+', delete: '-' } as const)[kind];
    const attribs = kind === 'delete' ? '' : restyling(attributes, pool);
    const end = span.lastIndexOf('\n') + 1;
    ops.push({ opcode, chars: end, lines: span.split('\n').length - 1, attribs });
    ops.push({ opcode, chars: span.length - end, lines: 0, attribs });
  }
  const oldLen = old.length;
  // Most empty ones go, so that some of the results are in order by chance.
  const kept = ops.filter((op, i) => op.chars > 0 || i % 16 === 15);
  return { oldLen, newLen: oldLen - consumed + produced, ops: kept, bank };
}

// Notation that is well-formed but means nothing in particular: any counts, any attributes.
const wildOp: fc.Arbitrary<Op> = fc.record({
  opcode: fc.constantFrom('=', '+', '-'),
  chars: fc.nat({ max: 6 }),
  lines: fc.nat({ max: 2 }),
  attribs: fc.constantFrom('', '', '*0', '*1*5', '*zz'),
});

export const wildNotation = fc
  .tuple(fc.array(wildOp, { maxLength: 6 }), text)
  .map(([ops, bank]) => `${printOps(ops)}$${bank}`);

// Like the attributes of an insert, but with the empty values that remove a key.
function restyling(attributes: readonly Attribute[], pool: Pool): string {
  return [...attributes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((attribute) => `*${pool.intern(attribute).toString(36)}`)
    .join('');
}

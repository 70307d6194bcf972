// Batches of revisions, read as the protocol has them.

import { describe, expect, test } from 'vitest';
import { type Batch, BatchReader } from '../src/collab/batches.ts';
import { decode } from '../src/net/messages.ts';

const AUTHOR = ['author', 'a.1'] as const;

function batchOf(data: object): Batch {
  const message = decode('message', {
    type: 'COLLABROOM',
    data: { type: 'CHANGES_BATCH', baseLength: 5, commitInterval: 300, ...data },
  });
  if (message?.kind !== 'batch') throw new Error('not a batch');
  return message;
}

const first = {
  baseRev: 7,
  attributes: { 35: AUTHOR, 36: ['author', 'a.2'] },
  changes: [
    ['*z+1$X', 35, 2, 17],
    ['=1*10+2-1$YZ', 36, 0],
    ['|1=1*z+1$X', 35, 3],
    ['-1$', 'a.3', 3, 4],
    ['-2$', '', 3],
  ],
};

describe('batches', () => {
  test('every revision comes out alone, with its lengths, author and window', () => {
    const reader = new BatchReader();
    reader.restart(7);
    const entries = reader.read(batchOf(first));
    const shown = entries.map((entry) =>
      entry.kind === 'changed'
        ? [entry.rev, entry.changeset, entry.author, entry.window]
        : [entry.rev],
    );
    expect(shown).toEqual([
      [8, 'Z:5>1*z+1$X', 'a.1', 17],
      [9, 'Z:6>1=1*10+2-1$YZ', 'a.2', 0],
      [10, 'Z:7>1|1=1*z+1$X', 'a.1', 17],
      [11, 'Z:8<1-1$', 'a.3', 4],
      [12, 'Z:7<2-2$', '', 0],
    ]);
    // What was named once is known until there is another connection.
    const next = { baseRev: 12, baseLength: 5, attributes: {}, changes: [['*z+1$X', 35, 1]] };
    const authors = () => reader.read(batchOf(next)).map((it) => 'author' in it && it.author);
    expect(authors()).toEqual(['a.1']);
    reader.restart(12);
    expect(authors()).toEqual(['']);
  });

  test('an acceptance that comes first is in its place', () => {
    const reader = new BatchReader();
    reader.restart(7);
    expect(reader.read({ kind: 'accepted', rev: 10 })).toEqual([]);
    const kinds = reader.read(batchOf(first)).map(({ kind, rev }) => `${kind} ${rev}`);
    expect(kinds).toEqual(['changed 8', 'changed 9', 'accepted 10', 'changed 11', 'changed 12']);
    // One that waits for nothing goes on at once, and its revision is not taken twice.
    expect(reader.read({ kind: 'accepted', rev: 13 })).toEqual([{ kind: 'accepted', rev: 13 }]);
    expect(reader.read(batchOf({ ...first, baseRev: 12 })).map(({ rev }) => rev)).toEqual([
      14, 15, 16, 17,
    ]);
    // So does the answer to a change without effect.
    expect(reader.read({ kind: 'accepted', rev: 17 })).toEqual([{ kind: 'accepted', rev: 17 }]);
  });

  test('a batch that is not understood shows nothing', () => {
    const reader = new BatchReader();
    expect(reader.read(batchOf({ changes: 'none', attributes: 3 }))).toEqual([]);
    expect(reader.read(batchOf({ changes: [7] })).map(({ rev }) => rev)).toEqual([1]);
  });
});

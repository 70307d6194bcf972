// Unsent changes meeting a text that went on without them.

import { describe, expect, test } from 'vitest';
import { type Changeset, identity, Pool, plain, splice } from '../src/changeset/index.ts';
import { AttributeSets } from '../src/document/attributes.ts';
import { PadDocument } from '../src/document/document.ts';
import { mergeOnto, rebased } from '../src/pad/live/merge.ts';

const sets = new AttributeSets(new Pool());

function document(text: string): PadDocument {
  return PadDocument.read(plain(text), new Pool(), sets);
}

// What the page shows after the merge.
function merged(
  base: string,
  inFlight: Changeset | null,
  pending: Changeset | null,
  now: string,
): { text: string; safe: boolean } {
  const length = inFlight?.newLen ?? base.length;
  const unsent = { base: document(base), inFlight, pending: pending ?? identity(length) };
  const merge = mergeOnto(unsent, document(now));
  const change = rebased(merge, sets.pool);
  return { text: document(now).apply(change).text.toString(), safe: merge.safe };
}

describe('a merge', () => {
  test('puts both sides together', () => {
    const base = 'one\ntwo\nthree\n';
    const ours = splice(base, 7, 0, ' mine');
    expect(merged(base, ours, null, 'zero\none\ntwo\nthree, theirs\n')).toEqual({
      text: 'zero\none\ntwo mine\nthree, theirs\n',
      safe: true,
    });
  });

  test('does not repeat what was stored although its answer got lost', () => {
    const base = 'one\ntwo\n';
    const sent = splice(base, 3, 0, ' sent');
    const typed = splice('one sent\ntwo\n', 8, 0, ' typed');
    expect(merged(base, sent, typed, 'one sent\ntwo\nthree\n').text).toBe(
      'one sent typed\ntwo\nthree\n',
    );
    expect(merged(base, sent, typed, 'one\ntwo\nthree\n').text).toBe(
      'one sent typed\ntwo\nthree\n',
    );
  });

  test('does not repeat what was sent after it was written down', () => {
    const base = 'sent\n';
    const typed = splice(base, 4, 0, ' unsent');
    expect(merged(base, null, typed, 'more sent unsent\n').text).toBe('more sent unsent\n');
    expect(merged(base, null, typed, 'more sent\n').text).toBe('more sent unsent\n');
  });

  test('is not safe where what it is about is gone', () => {
    const base = 'a long line that was here before\nend\n';
    const ours = splice(base, 16, 0, ' surely');
    expect(merged(base, ours, null, 'something else altogether\n').safe).toBe(false);
    expect(merged(base, null, null, 'something else altogether\n').safe).toBe(true);
  });
});

// Messages about titles and about names of saved revisions, as the page takes them.

import { expect, test } from 'vitest';
import { decode } from '../src/net/messages.ts';
import { withNames } from '../src/pad/live/info.ts';

const room = (data: object) => decode('message', { type: 'COLLABROOM', data });

test('a title is a text, whatever comes', () => {
  expect(room({ type: 'TITLE', title: 'Minutes', isDefault: false })).toEqual({
    kind: 'title',
    title: 'Minutes',
  });
  expect(room({ type: 'TITLE', title: 7 })).toEqual({ kind: 'title', title: '' });
  expect(room({ type: 'SAVED_REVISIONS', savedRevisions: 'none' })).toEqual({
    kind: 'savedRevisions',
    saved: [],
  });
});

test('saved revisions take their new names, and those that were missed are added in order', () => {
  const saved = (revNum: number, label: string) => ({
    revNum,
    label,
    savedById: 'a.x',
    timestamp: 1,
  });
  const known = withNames([], [saved(3, 'Revision 3'), saved(9, 'Revision 9')]);
  const named = withNames(known, [saved(9, 'Sent'), saved(5, 'Draft')]);
  expect(named.map(({ revision, label }) => [revision, label])).toEqual([
    [3, 'Revision 3'],
    [5, 'Draft'],
    [9, 'Sent'],
  ]);
});

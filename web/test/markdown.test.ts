// Markdown as it is typed, by the table of cases.

import { describe, expect, test } from 'vitest';
import cases from '../../fixtures/editor/markdown.json' with { type: 'json' };
import { inlineShorthand, lineAtBlank, lineAtEnter } from '../src/editor/markdown.ts';

// Key by key: the first of the keys that does something, and what.
function typed(text: string, after = '') {
  for (let end = 1; end <= text.length; end++) {
    const before = text.slice(0, end);
    const found = inlineShorthand(before, after);
    if (found) {
      const { textFrom, textTo, formats } = found;
      return { typed: before, text: before.slice(textFrom, textTo), formats };
    }
  }
  return null;
}

describe('markdown while typing', () => {
  test.each(cases.words)('$typed', (expected) => {
    expect(typed(expected.typed)).toEqual(expected);
  });

  test.each(cases.nothing)('%s stays', (text) => {
    expect(typed(text)).toBeNull();
  });

  test('a mark inside a word or before another one closes nothing', () => {
    expect(typed('*a*', 'bc')).toBeNull();
    expect(typed('*a*', '*')).toBeNull();
    expect(typed('*a*', ' bc')).not.toBeNull();
    expect(typed('**太**', '字')).not.toBeNull();
  });

  test.each(cases.blank)('$typed and a blank', ({ typed, change }) => {
    expect(lineAtBlank(typed)).toEqual(change);
  });

  test.each(cases.enter)('$typed and Enter', ({ typed, change }) => {
    expect(lineAtEnter(typed)).toEqual(change);
  });
});

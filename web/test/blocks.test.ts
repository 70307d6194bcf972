// Lines that are set apart: how they are read, and their HTML.

import { expect, test } from 'vitest';
import { type RichLine, toHtml } from '../src/document/html.ts';
import { formatOf, type LineFormat, PLAIN } from '../src/document/lines.ts';

test.each([
  [
    { heading: 'code', lang: 'rust' },
    { code: true, heading: 0 },
  ],
  [{ heading: 'h6' }, { code: false, heading: 6 }],
  [{ quote: 'true' }, { quote: true }],
  [{ hr: 'true' }, { rule: true }],
  [
    { align: 'center', other: 'x' },
    { ...PLAIN, align: 'center' },
  ],
  [{ align: 'middle' }, PLAIN],
])('%j is read', (attributes, format) => {
  expect(formatOf(new Map(Object.entries(attributes)))).toMatchObject(format);
});

test('neighbouring lines are one block of HTML, and code keeps its blanks', () => {
  const line = (text: string, format: Partial<LineFormat>): RichLine => ({
    ...PLAIN,
    ...format,
    pieces: text ? [{ text, formats: new Map() }] : [],
  });
  const lines = [
    line('a', { quote: true }),
    line('b', { quote: true }),
    line('if  <x>', { code: true }),
    line('', { code: true }),
    line('', { rule: true }),
    line('end', {}),
  ];
  expect(toHtml(lines)).toBe(
    '<blockquote><div>a</div><div>b</div></blockquote><pre><code>if  &#60;x&#62;\n\n</code></pre><hr><div>end</div>',
  );
});

// Pasting what other programs put on the clipboard.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, shownFromNow } from './browser.ts';
import { emptyPad, expectText, paste } from './pad.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

interface Case {
  name: string;
  html: string;
  text: string;
  // Selectors, and how many of each there are.
  found: Record<string, number>;
}

const CASES: readonly Case[] = [
  {
    name: 'a text processor, formats as styles',
    html: `<html><head><style>p{color:red}</style></head><body><!--StartFragment-->
      <p><span style="font-weight:700">Bold</span> and <span style="font-style:italic">italic</span>,
      <span style="text-decoration:underline line-through">both</span></p><p>next</p><!--EndFragment--></body></html>`,
    text: 'Bold and italic, both\nnext',
    found: { strong: 1, em: 1, u: 1, s: 1 },
  },
  {
    name: 'a web page with headings and nested lists',
    html: '<h2>Plan</h2><ul><li>a<ol><li>b</li><li><b>c</b></li></ol></li><li>d</li></ul>end',
    text: 'Plan\na\nb\nc\nd\nend',
    found: { '[role=heading][aria-level="2"]': 1, '.pad-bullet': 2, '.pad-number.pad-level-2': 2 },
  },
  {
    name: 'a spreadsheet and code',
    html: '<table> <tr> <td>1</td> <td>2</td> </tr> </table><pre>a\n  b</pre>',
    text: '1\t2\na\n  b',
    found: {},
  },
  {
    name: 'code with its language, which colours it',
    html: '<pre><code class="language-rust">fn main() {\n}</code></pre><p>end</p>',
    text: 'fn main() {\n}\nend',
    found: { '.pad-code-line': 2, '.tok-keyword': 1 },
  },
  {
    name: 'words that look like styles',
    html: `<p title="a > style=b" STYLE = 'font-weight:700'>an x style="y" &lt;p style=""> z</p>`,
    text: 'an x style="y" <p style=""> z',
    found: { strong: 1 },
  },
  {
    name: 'nothing that runs or loads',
    html: '<img src=x onerror="window.bad=1"><script>window.bad=1</script><a href="javascript:1">x</a>',
    text: 'x',
    found: { img: 0, a: 0 },
  },
];

describe('pasting', () => {
  for (const { name, html, text, found } of CASES) {
    test(name, async () => {
      const [one] = await emptyPad(browser, 1);
      if (!one) throw new Error('a visitor');
      // The policy of the page has nothing to report.
      const reports: string[] = [];
      one.page.on('console', (message) => {
        if (message.type() === 'error') reports.push(message.text());
      });
      await paste(one.page, { 'text/html': html, 'text/plain': 'not this' });
      await expectText(one.page, text);
      for (const [selector, count] of Object.entries(found)) {
        const all = one.page.locator(`.cm-content ${selector}:not(.cm-widgetBuffer)`);
        await expect.poll(() => all.count(), { message: selector }).toBe(count);
      }
      expect(await one.page.evaluate(() => 'bad' in window)).toBe(false);
      expect(reports).toEqual([]);
      await one.page.keyboard.press('Control+z');
      await expectText(one.page, '');
      await one.context.close();
    });
  }

  test('a picture is left out and said to be, once for all of them', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const said = await shownFromNow(one.page, '.toast');
    const html = '<p>before <img src="a.png"></p><p><img src="b.png">after</p>';
    await paste(one.page, { 'text/html': html, 'text/plain': 'not this' });
    await expectText(one.page, 'before\nafter');
    await expect.poll(() => said.length).toBe(1);
    expect(said[0]).toContain('2 pictures were left out');
    await one.context.close();
  });

  test('plain text, with the line ends of any system', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    await paste(one.page, { 'text/plain': 'one\r\ntwo\rthree\nfour' });
    await expectText(one.page, 'one\ntwo\nthree\nfour');
    await one.context.close();
  });
});

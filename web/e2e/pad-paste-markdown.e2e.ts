// Markdown on the clipboard: pasted as text, formatted if one wants it, and copied out.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, paste, textOf } from './pad.ts';

const MARKDOWN = '# Plan\n\n- [x] one\n- two **bold**\n\n```rust\nfn a() {}\n```\n';
const FORMATTED = 'Plan\none\ntwo bold\nfn a() {}\n';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const offer = (page: Page) => page.locator('.toast', { hasText: 'looks like Markdown' });
const count = (page: Page, selector: string) => page.locator(`.cm-content ${selector}`).count();

describe('Markdown as plain text', () => {
  test('is formatted on request, for everybody, and undo gives the text back', async () => {
    const [one, two] = await emptyPad(browser, 2);
    if (!one || !two) throw new Error('two visitors');
    await paste(one.page, { 'text/plain': MARKDOWN });
    await expectText(one.page, MARKDOWN);
    await expect.poll(() => offer(one.page).count()).toBe(1);
    expect(await accessibilityProblems(one.page)).toEqual([]);
    // The other one writes below it meanwhile.
    await expectText(two.page, MARKDOWN);
    await two.page.keyboard.press('Control+End');
    await two.page.keyboard.type('below');
    await expectText(one.page, `${MARKDOWN}below`);
    await offer(one.page).getByRole('button', { name: 'Format' }).click();
    for (const { page } of [one, two]) {
      await expectText(page, `${FORMATTED}below`);
      await expect.poll(() => count(page, '[role=heading][aria-level="1"]')).toBe(1);
      await expect.poll(() => count(page, 'strong')).toBe(1);
    }
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+z');
    await expectText(one.page, `${MARKDOWN}below`);
    await expectText(two.page, `${MARKDOWN}below`);
    await one.context.close();
    await two.context.close();
  });

  test('is left alone where others have changed it', async () => {
    const [one, two] = await emptyPad(browser, 2);
    if (!one || !two) throw new Error('two visitors');
    await paste(one.page, { 'text/plain': MARKDOWN });
    await expectText(two.page, MARKDOWN);
    await two.page.keyboard.press('Control+Home');
    await two.page.keyboard.press('End');
    await two.page.keyboard.type('!');
    await expectText(one.page, MARKDOWN.replace('Plan', 'Plan!'));
    await offer(one.page).getByRole('button', { name: 'Format' }).click();
    await expect.poll(() => offer(one.page).count()).toBe(0);
    await paste(one.page, { 'text/plain': 'end' });
    await expect.poll(() => textOf(one.page)).toContain('# Plan!');
    await one.context.close();
    await two.context.close();
  });

  test('is always or never formatted once one has said so', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { page } = one;
    const clear = async () => {
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await expectText(page, '');
    };
    await paste(page, { 'text/plain': MARKDOWN });
    await offer(page).getByRole('button', { name: 'Always' }).click();
    await expectText(page, FORMATTED);
    await clear();
    await paste(page, { 'text/plain': MARKDOWN });
    await expectText(page, FORMATTED);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByRole('radio', { name: 'Keep as it is' }).check({ force: true });
    await page.keyboard.press('Escape');
    await clear();
    await paste(page, { 'text/plain': MARKDOWN });
    await expectText(page, MARKDOWN);
    expect(await offer(page).count()).toBe(0);
    await one.context.close();
  });

  test('is not seen in ordinary text', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const text = '- a\n- b\nprice: 3 * 4 * 5 # note';
    await paste(one.page, { 'text/plain': text });
    await expectText(one.page, text);
    await paste(one.page, { 'text/plain': `\n${MARKDOWN}` });
    await expect.poll(() => offer(one.page).count()).toBe(1);
    await one.context.close();
  });
});

describe('copying', () => {
  test('gives clean HTML, plain text, and Markdown by command', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { page, context } = one;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const html =
      '<h1>Plan</h1><ul><li>one</li><li><b>two</b></li></ul><p><a href="https://a.test/x">there</a></p>';
    await paste(page, { 'text/html': html, 'text/plain': '' });
    await expectText(page, 'Plan\none\ntwo\nthere');
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    const read = (type: string) =>
      page.evaluate(async (type) => {
        const [item] = await navigator.clipboard.read();
        return (await item?.getType(type))?.text();
      }, type);
    expect(await read('text/plain')).toBe('Plan\none\ntwo\nthere');
    expect(await read('text/html')).toBe(
      '<h1>Plan</h1><ul><li>one</li><li><strong>two</strong></li></ul><div><a href="https://a.test/x">there</a></div>',
    );
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await expect
      .poll(() => read('text/plain'))
      .toBe('# Plan\n\n- one\n- **two**\n\n[there](https://a.test/x)\n');
    // And back, by the keys themselves.
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+v');
    await expectText(page, 'Plan\none\ntwo\nthere\nPlan\none\ntwo\nthere');
    await expect.poll(() => count(page, '[role=heading]')).toBe(2);
    await expect.poll(() => count(page, 'strong')).toBe(2);
    await context.close();
  });
});

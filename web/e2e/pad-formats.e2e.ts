// Code, sub- and superscript, markers and colours, by two people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, newPadName, paste } from './pad.ts';
import { stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

async function expectAll(pages: readonly Page[], found: Record<string, string>): Promise<void> {
  for (const page of pages) {
    for (const [selector, text] of Object.entries(found)) {
      const all = page.locator(`.cm-content :is(${selector})`);
      const texts = async () => (await all.allTextContents()).join('|');
      await expect.poll(texts, { message: selector }).toBe(text);
    }
  }
}

async function fromMenu(page: Page, role: 'menuitemcheckbox' | 'menuitemradio', name: string) {
  await page.getByRole('button', { name: 'More formats' }).click();
  await page.getByRole(role, { name, exact: true }).first().click();
}

describe('formats', () => {
  test('two people give the same words different ones at once', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const pages = [one.page, two.page];
    const { keyboard } = one.page;
    await keyboard.type('let ');
    await keyboard.press('Control+e');
    await keyboard.type('x');
    await keyboard.press('Control+e');
    await keyboard.press('Control+,');
    await keyboard.type('1');
    await keyboard.press('Control+.');
    await keyboard.type('2');
    await keyboard.press('Control+.');
    await keyboard.type(' be');
    for (const page of pages) await expectText(page, 'let x12 be');
    await expectAll(pages, { code: 'x', sub: '1', sup: '2' });
    for (const page of pages) await page.keyboard.press('Control+a');
    await Promise.all([
      fromMenu(one.page, 'menuitemradio', 'Pink'),
      fromMenu(two.page, 'menuitemradio', 'Red'),
    ]);
    const both = { 'mark.pad-mark-pink': 'let x12 be', '.pad-ink-red': 'let x12 be' };
    const joined = (found: Record<string, string>) => async (page: Page) => {
      for (const [selector, text] of Object.entries(found)) {
        const all = page.locator(`.cm-content ${selector}`);
        await expect.poll(async () => (await all.allTextContents()).join('')).toBe(text);
      }
    };
    for (const page of pages) await joined(both)(page);
    expect(await accessibilityProblems(one.page)).toEqual([]);
    // The same again takes it away, and undo brings it back.
    await fromMenu(one.page, 'menuitemradio', 'Pink');
    for (const page of pages) await joined({ mark: '', '.pad-ink-red': 'let x12 be' })(page);
    await keyboard.press('Control+z');
    for (const page of pages) await joined(both)(page);
    await stateIs(one.page, /saved/);
    await one.page.goto(`p/${pad}/timeslider#9999`);
    await joined(both)(one.page);
    for (const { context } of [one, two]) await context.close();
  });

  test('are pasted, copied, and cleared', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const html = `<p>H<sub>2</sub>O <code>run</code> <mark>seen</mark>
      <span style="background-color:#00ff00">go</span> <span style="color:rgb(200, 0, 0)">stop</span>
      <span style="color:#222;background-color:#fff">plain</span></p>`;
    await paste(one.page, { 'text/html': html, 'text/plain': 'not this' });
    const found = {
      sub: '2',
      code: 'run',
      '.pad-mark-yellow': 'seen',
      '.pad-mark-green': 'go',
      '.pad-ink-red': 'stop',
      'span[class*=pad-ink]': 'stop',
    };
    await expectText(one.page, 'H2O run seen go stop plain');
    await expectAll([one.page], found);
    await one.page.keyboard.press('Control+a');
    await one.page.keyboard.press('Control+c');
    const copied = () => one.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('plain');
    await one.page.getByRole('button', { name: 'Clear formatting' }).click();
    await expectAll([one.page], { 'code, sub, mark, [class*=pad-ink]': '' });
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+a');
    await one.page.keyboard.press('Control+v');
    await expectAll([one.page], found);
    await one.context.close();
  });
});

// Quotes, code, rules and headings, by two people.

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

async function expectLines(pages: readonly Page[], found: Record<string, string[]>): Promise<void> {
  for (const page of pages) {
    for (const [selector, texts] of Object.entries(found)) {
      const all = page.locator(`.cm-content :is(${selector})`);
      await expect.poll(() => all.allTextContents(), { message: selector }).toEqual(texts);
    }
  }
}

async function style(page: Page, role: 'menuitem' | 'menuitemradio', name: string): Promise<void> {
  await page.getByRole('button', { name: /^Kind of text/ }).click();
  await page.getByRole(role, { name, exact: true }).click();
}

describe('lines that are set apart', () => {
  test('nothing of a heading is left when everything is deleted', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('one visitor');
    const { keyboard } = one.page;
    await style(one.page, 'menuitemradio', 'Heading 1');
    await keyboard.type('Agenda');
    await keyboard.press('Enter');
    await keyboard.type('first');
    await expectLines([one.page], { '[role=heading][aria-level="1"]': ['Agenda'] });
    await keyboard.press('Control+A');
    await keyboard.press('Delete');
    await keyboard.type('plain');
    await expectLines([one.page], { '[role=heading]': [], '.cm-line': ['plain'] });
  });

  test('two people write in a quote and in code, and leave them', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const pages = [one.page, two.page];
    const { keyboard } = one.page;
    await style(one.page, 'menuitemradio', 'Heading 6');
    await keyboard.type('top');
    await expectLines(pages, { '[role=heading][aria-level="6"]': ['top'] });
    await style(one.page, 'menuitemradio', 'Heading 2');
    await keyboard.press('Enter');
    await style(one.page, 'menuitemradio', 'Quote');
    await keyboard.type('said');
    await keyboard.press('Enter');
    await keyboard.type('again');
    await keyboard.press('Enter');
    await keyboard.press('Enter');
    await style(one.page, 'menuitemradio', 'Code block');
    await keyboard.type('if x:');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.type('y');
    await keyboard.press('Enter');
    await keyboard.type('z');
    const code = ['if x:', '  y', '  z'];
    const quotes = ['said', 'again'];
    await expectLines(pages, {
      '[role=heading][aria-level="2"]': ['top'],
      'blockquote .pad-quote': quotes,
      '[role=code] .pad-code-line': code,
    });
    // At the same place at once.
    await two.page.keyboard.press('Control+End');
    await Promise.all([
      keyboard.press('Shift+Tab'),
      two.page.keyboard.type(' # two', { delay: 5 }),
    ]);
    await expectLines(pages, { '.pad-code-line': ['if x:', '  y', 'z # two'] });
    expect(await accessibilityProblems(one.page)).toEqual([]);
    await keyboard.press('Control+End');
    for (let i = 0; i < 3; i++) await keyboard.press('Enter');
    await style(one.page, 'menuitem', 'Insert a horizontal line');
    await keyboard.type('end');
    await expectLines(pages, { '.pad-code-line': ['if x:', '  y', 'z # two', ''] });
    for (const page of pages) {
      await expectText(page, 'top\nsaid\nagain\nif x:\n  y\nz # two\n\n\nend');
      await expect.poll(() => page.locator('.cm-content [role=separator]').count()).toBe(1);
    }
    await stateIs(one.page, /saved/);
    await one.page.goto(`p/${pad}/timeslider#9999`);
    await expectLines([one.page], { '.pad-quote': quotes });
    for (const { context } of [one, two]) await context.close();
  });

  test('are pasted, copied, and taken back', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { keyboard } = one.page;
    const html = `<blockquote><p>wise</p></blockquote><pre><code>a {
    b

}</code></pre><hr><p>plain</p>`;
    await paste(one.page, { 'text/html': html, 'text/plain': 'not this' });
    const found = { '.pad-quote': ['wise'], '.pad-code-line': ['a {', '    b', '', '}'], code: [] };
    await expectText(one.page, 'wise\na {\n    b\n\n}\n\nplain');
    await expectLines([one.page], found);
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    const copied = () => one.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('wise');
    await keyboard.press('Delete');
    await keyboard.press('Backspace');
    await expectLines([one.page], { '.pad-quote': [], '.pad-code-line': [] });
    await keyboard.press('Control+v');
    await expectText(one.page, 'wise\na {\n    b\n\n}\n\nplain');
    await expectLines([one.page], found);
    await one.context.close();
  });

  test('are made by characters of Markdown, which undo gives back', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { keyboard } = one.page;
    const cases = {
      '### ': '.pad-h3',
      '[ ] ': '.pad-task.pad-open',
      '[x] ': '.pad-task.pad-done',
      '> ': '.pad-quote',
    };
    for (const [typed, selector] of Object.entries(cases)) {
      await keyboard.type(typed);
      await expectText(one.page, '');
      await expectLines([one.page], { [selector]: [''] });
      await keyboard.press('Control+z');
      await expectText(one.page, typed);
      await expectLines([one.page], { [selector]: [] });
      await keyboard.press('Control+a');
      await keyboard.press('Delete');
    }
    await one.context.close();
  });
});

// The command palette, by keys, by hand, and on a phone.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, newPadName, visitor } from './pad.ts';
import { dialog, fromMore } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('the command palette', () => {
  test('finds commands by words and runs them where the caret is', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { page, context } = one;
    const { keyboard } = page;
    const options = page.getByRole('option');
    await keyboard.type('title');
    await keyboard.press('Control+Shift+P');
    const field = page.getByRole('combobox', { name: 'Find a command' });
    await page.locator('[role=combobox]:focus').waitFor();
    await keyboard.type('head 2');
    await expect.poll(() => options.first().textContent()).toContain('Heading 2');
    expect(await options.first().getAttribute('aria-selected')).toBe('true');
    expect(await accessibilityProblems(page)).toEqual([]);
    await keyboard.press('Enter');
    await page.locator('.pad-h2').waitFor();
    await keyboard.type(' goes on');
    await expectText(page, 'title goes on');
    // Arrows, and Escape that does nothing.
    await keyboard.press('Control+Shift+P');
    await page.locator('[role=combobox]:focus').waitFor();
    await keyboard.type('list');
    await expect.poll(() => options.count()).toBeGreaterThan(2);
    const second = await options.nth(1).textContent();
    await keyboard.press('ArrowDown');
    const chosen = page.locator('[role=option][aria-selected=true]');
    await expect.poll(() => chosen.textContent()).toBe(second);
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowUp');
    await expect.poll(() => chosen.textContent()).toBe(await options.last().textContent());
    // What is typed right behind it goes into the text.
    await Promise.all([keyboard.press('Escape'), keyboard.press('!'), keyboard.press('?')]);
    await expectText(page, 'title goes on!?');
    await expect.poll(() => dialog(page).count()).toBe(0);
    // One command opens the next dialog; nothing is found for nonsense.
    await fromMore(page, /All commands/);
    await page.locator('[role=combobox]:focus').waitFor();
    await keyboard.type('qqqq');
    await page.getByText('No command has these words.').waitFor();
    await field.fill('keyboard');
    await keyboard.press('Enter');
    await dialog(page).getByText('Ctrl').first().waitFor();
    await dialog(page)
      .getByText(/All commands/)
      .waitFor();
    await context.close();
  });

  test('speaks the language of the page, is a sheet on a phone, and knows who may write', async () => {
    const pad = newPadName();
    const { page, context } = await visitor(browser, pad, {
      viewport: { width: 390, height: 740 },
      locale: 'de-DE',
    });
    await page.getByRole('button', { name: 'Mehr', exact: true }).click();
    await page.getByRole('menuitem', { name: /Alle Befehle/ }).click();
    await page.getByRole('combobox').fill('uberschr 3');
    await page.getByRole('option', { name: 'Überschrift 3' }).waitFor();
    // It comes up from below.
    const end = () => dialog(page).evaluate((box) => box.getBoundingClientRect().bottom);
    await expect.poll(end).toBe(740);
    await page.getByRole('option', { name: 'Überschrift 3' }).click();
    await page.locator('.pad-h3').waitFor();
    await context.close();
  });
});

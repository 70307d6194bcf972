// Suggestions while typing: commands, emoji and people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, newPadName } from './pad.ts';
import { dialog, fromMore } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

async function one() {
  const [visitor] = await emptyPad(browser, 1);
  if (!visitor) throw new Error('a visitor');
  return visitor;
}

const options = (page: Page) => page.locator('#pad-suggest [role=option]');
const closed = (page: Page) => page.locator('#pad-suggest').waitFor({ state: 'hidden' });

async function setName(page: Page, name: string): Promise<void> {
  await fromMore(page, 'People');
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('textbox', { name: 'Your name' }).press('Enter');
}

describe('suggestions while typing', () => {
  test('a slash lists commands, which replace it', async () => {
    const { page, context } = await one();
    const { keyboard } = page;
    await keyboard.type('and/or ');
    await expect.poll(() => options(page).count()).toBe(0);
    await keyboard.type('/');
    await expect.poll(() => options(page).count()).toBeGreaterThan(10);
    expect(await accessibilityProblems(page)).toEqual([]);
    await keyboard.type('check');
    await expect.poll(() => options(page).allTextContents()).toHaveLength(1);
    const active = await page.locator('.cm-content').getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await keyboard.press('Enter');
    await page.locator('.pad-task').waitFor();
    await expectText(page, 'and/or ');
    // Nothing fits, or nothing is wanted: the text stays, and Enter is Enter.
    await keyboard.type('/zzz');
    await closed(page);
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await keyboard.press('Backspace');
    await keyboard.type('/quo');
    await options(page).first().waitFor();
    await keyboard.press('Escape');
    await closed(page);
    await keyboard.type('te');
    await keyboard.press('Enter');
    await expectText(page, '/quote\n');
    await keyboard.type('/head');
    await options(page).first().waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.locator('.pad-h2').waitFor();
    await expectText(page, '/quote\n');
    await context.close();
  });

  // What is typed for each, and how the line shows that it did something.
  const COMMANDS: Record<string, string> = {
    '/heading 2': '.pad-h2',
    '/bull': '.pad-bullet',
    '/check': '.pad-task',
    '/quote': '.pad-quote',
    '/code block': '.pad-code-line',
    '/horiz': '.pad-rule',
  };
  test('a command and what was typed for it are one step to undo', async () => {
    const { page, context } = await one();
    const { keyboard } = page;
    await keyboard.type('words ');
    for (const [typed, shown] of Object.entries(COMMANDS)) {
      await keyboard.type(typed);
      await options(page).first().waitFor();
      await keyboard.press('Enter');
      await page.locator(shown).waitFor();
      await keyboard.press('Control+z');
      await page.locator(shown).waitFor({ state: 'detached' });
      await expectText(page, 'words ');
    }
    await keyboard.press('Control+y');
    await page.locator('.pad-rule').waitFor();
    await keyboard.press('Control+z');
    await expectText(page, 'words ');
    await keyboard.press('Control+z');
    await expectText(page, '');
    await context.close();
  });

  test('emoji come by name', async () => {
    const { page, context } = await one();
    const { keyboard } = page;
    await keyboard.type('at 10:30 :tad');
    await options(page).first().waitFor();
    await keyboard.press('Tab');
    await expectText(page, 'at 10:30 🎉');
    await keyboard.type(' :smile: ');
    await expectText(page, 'at 10:30 🎉 😄 ');
    await keyboard.type(':roc');
    await options(page).filter({ hasText: ':rocket:' }).click();
    await expectText(page, 'at 10:30 🎉 😄 🚀');
    await context.close();
  });

  test('people are mentioned, and see that it is they', async () => {
    const [me, other] = await emptyPad(browser, 2, newPadName());
    if (!me || !other) throw new Error('two visitors');
    await setName(other.page, 'Grace Hopper');
    await me.page.locator('.cm-content').click();
    await me.page.keyboard.type('ask ');
    await expect
      .poll(async () => {
        await me.page.keyboard.type('@gr');
        const found = await options(me.page).allTextContents();
        if (found.length === 0) for (const _ of '@gr') await me.page.keyboard.press('Backspace');
        return found;
      })
      .toEqual(['●Grace Hopper']);
    await me.page.keyboard.press('Enter');
    await me.page.keyboard.type('now');
    for (const { page } of [me, other]) {
      await expectText(page, 'ask @Grace Hopper now');
      await expect
        .poll(() => page.locator('.pad-mention').allTextContents())
        .toEqual(['@Grace Hopper']);
    }
    expect(await me.page.locator('.pad-mention-me').count()).toBe(0);
    expect(await other.page.locator('.pad-mention-me').count()).toBe(1);
    expect(await accessibilityProblems(other.page)).toEqual([]);
    await me.page.keyboard.press('Control+z');
    await me.page.keyboard.press('Control+z');
    await expectText(me.page, 'ask @gr');
    for (const { context } of [me, other]) await context.close();
  });

  test('can be switched off', async () => {
    const { page, context } = await one();
    await fromMore(page, /Settings/);
    await dialog(page)
      .getByRole('switch', { name: /Commands with/ })
      .click();
    await dialog(page)
      .getByRole('switch', { name: /Emoji with/ })
      .click();
    await page.keyboard.press('Escape');
    await page.locator('.cm-content').click();
    await page.keyboard.type('/head :smile: @');
    await page.keyboard.press('Enter');
    await expectText(page, '/head :smile: @\n');
    await context.close();
  });
});

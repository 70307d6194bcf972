// Named links, by two people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, newPadName, paste, visitor } from './pad.ts';
import { dialog, stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// What is linked, as name and address.
function linksOf(page: Page): Promise<string[]> {
  return page
    .locator('.cm-content a.pad-link')
    .evaluateAll((all) => all.map((a) => `${a.textContent} ${a.getAttribute('href')}`));
}

async function expectLinks(page: Page, ...links: string[]): Promise<void> {
  await expect.poll(() => linksOf(page)).toEqual(links);
}

async function fillLink(page: Page, address: string, text?: string): Promise<void> {
  const form = dialog(page);
  if (text !== undefined) await form.getByLabel('Text').fill(text);
  await form.getByLabel('Address').fill(address);
  await page.keyboard.press('Enter');
}

describe('links with names', () => {
  test('are made with a key, seen by others, changed, removed and brought back', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const { keyboard } = one.page;
    await keyboard.type('see ');
    await keyboard.press('Control+k');
    await fillLink(one.page, 'javascript:alert(1)', 'the plan');
    await dialog(one.page).getByText('Use a web, mail').waitFor();
    await dialog(one.page).getByLabel('Address').fill('');
    await keyboard.insertText(`https://example.org/${'n'.repeat(2000)}`);
    await dialog(one.page).getByText('Too long. At most 2,000 characters.').waitFor();
    await keyboard.press('Enter');
    await fillLink(one.page, 'example.org/plan');
    await dialog(one.page).waitFor({ state: 'detached' });
    await keyboard.type(' today');
    for (const { page } of [one, two]) {
      await expectText(page, 'see the plan today');
      await expectLinks(page, 'the plan https://example.org/plan');
    }
    // Both at once: a word goes into the name, and the name gets another address.
    await two.page.keyboard.press('Control+Home');
    for (let i = 0; i < 8; i++) await two.page.keyboard.press('ArrowRight');
    const card = two.page.locator('.pad-link-card');
    await card.getByText('Edit', { exact: true }).click();
    await dialog(two.page).getByLabel('Address').fill('/p/plan');
    await Promise.all([
      (async () => {
        await keyboard.press('Control+Home');
        for (let i = 0; i < 8; i++) await keyboard.press('ArrowRight');
        await keyboard.type('new ');
      })(),
      two.page.keyboard.press('Enter'),
    ]);
    for (const { page } of [one, two]) {
      await expectText(page, 'see the new plan today');
      // The new word may have the old address, the rest has the new one.
      await expect.poll(async () => (await linksOf(page)).at(-1)).toMatch(/plan \/p\/plan$/);
    }
    expect(await accessibilityProblems(one.page)).toEqual([]);
    await two.page.locator('.cm-content').getByText('plan').click();
    await card.getByText('Remove link').click();
    await expect.poll(async () => (await linksOf(one.page)).join()).not.toMatch(/plan \/p\/plan$/);
    await two.page.keyboard.press('Control+z');
    await expect.poll(async () => (await linksOf(one.page)).join()).toMatch(/plan \/p\/plan$/);
    for (const { context } of [one, two]) await context.close();
  });

  test('are made by pasting an address over words, and pasted with them', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('a visitor');
    await one.page.keyboard.type('our minutes');
    for (let i = 0; i < 7; i++) await one.page.keyboard.press('Shift+ArrowLeft');
    await paste(one.page, { 'text/plain': 'https://example.org/minutes' });
    await expectLinks(one.page, 'minutes https://example.org/minutes');
    await one.page.keyboard.press('End');
    await one.page.keyboard.press('Enter');
    const html =
      '<a href="https://example.org/x">named</a> <a href="/elsewhere">path</a> <a href="javascript:1">bad</a>';
    await paste(one.page, { 'text/html': html, 'text/plain': 'not this' });
    await expectText(one.page, 'our minutes\nnamed path bad');
    const all = ['minutes https://example.org/minutes', 'named https://example.org/x'];
    await expectLinks(one.page, ...all);
    await stateIs(one.page, /saved/);
    // In the past, too, where a click opens them.
    await one.page.goto(`p/${pad}/timeslider#9999`);
    await expectLinks(one.page, ...all);
    await one.context.close();
  });

  test('from other programs are shown if they are safe, and kept if not', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('a visitor');
    await paste(one.page, { 'text/html': '<a href="tel:+49301">call</a>', 'text/plain': '' });
    await expectLinks(one.page, 'call tel:+49301');
    const late = await visitor(browser, pad);
    await expectLinks(late.page, 'call tel:+49301');
    for (const { context } of [one, late]) await context.close();
  });
});

// The first minute: from the start page to two people who write together and know each other's names.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, newContext, SIZES, serverUrl, visit } from './browser.ts';
import { newPadName, openPad, text } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const MOST_CLICKS = 4;

// Somebody who has never been here, and whose clicks are counted. Keys are free: who types has begun.
async function newcomer(): Promise<{
  page: Page;
  clicks: () => number;
  done: () => Promise<void>;
}> {
  const context = await newContext(browser, { ...SIZES.desktop, baseURL: serverUrl() });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  let clicks = 0;
  await context.exposeFunction('clicked', () => {
    clicks += 1;
  });
  await context.addInitScript(() => {
    const { clicked } = globalThis as unknown as { clicked: () => void };
    addEventListener('pointerdown', () => clicked(), { capture: true });
  });
  const page = await context.newPage();
  return { page, clicks: () => clicks, done: () => context.close() };
}

test('two people write with names after four clicks at most', async () => {
  const [one, two] = [await newcomer(), await newcomer()];
  await one.page.goto('');
  await one.page.getByRole('button', { name: 'New pad' }).click();
  await text(one.page).waitFor();
  // The text has the focus already.
  await expect
    .poll(() => text(one.page).evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await one.page.keyboard.type('Hello from one.');
  await one.page.getByRole('button', { name: 'Share' }).click();
  await one.page.getByRole('button', { name: /^Copy/ }).first().click();
  const link = await one.page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('/p/');
  await one.page.keyboard.press('Escape');
  // The dialog gives the focus back to its button, and the next click is for the text.
  await two.page.goto(link);
  await text(two.page).getByText('Hello from one.').waitFor();
  await expect
    .poll(() => text(two.page).evaluate((element) => element.contains(document.activeElement)))
    .toBe(true);
  await two.page.keyboard.press('Control+End');
  await two.page.keyboard.type(' Hello from two.');
  await text(one.page).getByText('Hello from one. Hello from two.').waitFor();
  await text(one.page).click();
  await one.page.keyboard.press('Control+End');
  await one.page.keyboard.type(' And on.');
  await text(two.page).getByText('Hello from two. And on.').waitFor();
  // Each sees the other's name, which nobody had to type, and it is not the own one.
  const seen = async ({ page }: { page: Page }) =>
    (await page.getByRole('button', { name: /2 people here/ }).textContent()) ?? '';
  await expect.poll(() => seen(one)).toMatch(/Guest \w+/);
  await expect.poll(() => seen(two)).toMatch(/Guest \w+/);
  expect(one.clicks() + two.clicks()).toBeLessThanOrEqual(MOST_CLICKS);
  expect(one.clicks() + two.clicks()).toBeGreaterThan(0);
  for (const { done } of [one, two]) await done();
});

const hasFocus = (element: Element) => element.contains(document.activeElement);

test('a new pad is an empty sheet that one can type into at once, in one’s language', () =>
  visit(browser, { ...SIZES.desktop, locale: 'de-DE' }, async ({ page }) => {
    await openPad(page, newPadName());
    await expect
      .poll(() => page.locator('.cm-placeholder').textContent())
      .toMatch(/^Schreiben Sie los\s…$/);
    await expect.poll(() => page.locator('.panel').count()).toBe(0);
    await page.keyboard.type('Hallo');
    await text(page).getByText('Hallo').waitFor();
    await expect.poll(() => page.locator('.cm-placeholder').count()).toBe(0);
  }));

test('a pad that nobody has named is called untitled, on every page, until it has a title', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    await page.goto('');
    await page.getByRole('button', { name: 'New pad' }).click();
    await text(page).waitFor();
    const title = page.locator('.identity h1');
    await expect.poll(() => title.textContent()).toBe('Untitled pad');
    await expect.poll(() => page.title()).toMatch(/^Untitled pad – /);
    const address = page.url();
    await page.goto(`${address}/timeslider`);
    await expect.poll(() => title.textContent()).toBe('Untitled pad');
    await page.goto(address);
    await title.getByRole('button').click();
    const field = page.getByRole('textbox', { name: 'Title of this pad' });
    expect(await field.inputValue()).toBe('');
    await field.fill('Our plan');
    await page.keyboard.press('Enter');
    await expect.poll(() => title.textContent()).toBe('Our plan');
  }));

test('the focus is left alone where it would raise a keyboard, or belongs to another page', async () => {
  await visit(browser, SIZES.phone, async ({ page }) => {
    await openPad(page, newPadName());
    await page.locator('.cm-placeholder').waitFor();
    expect(await text(page).evaluate(hasFocus)).toBe(false);
  });
  await visit(browser, SIZES.desktop, async ({ page }) => {
    const address = `${serverUrl()}p/${newPadName()}`;
    await page.setContent(
      `<input autofocus><iframe src="${address}" width=900 height=600></iframe>`,
    );
    const sheet = page.frameLocator('iframe').locator('.cm-content[contenteditable=true]');
    await sheet.waitFor();
    await page.locator('input').focus();
    await page.frameLocator('iframe').locator('[data-state=saved]').waitFor();
    expect(await sheet.evaluate(hasFocus)).toBe(false);
    expect(await page.locator('input').evaluate(hasFocus)).toBe(true);
  });
});

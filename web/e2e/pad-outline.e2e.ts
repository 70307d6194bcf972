// The outline and links to headings, by two people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, serverUrl } from './browser.ts';
import { emptyPad, expectText, newPadName, paste, visitor } from './pad.ts';
import { stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const HTML =
  '<p>before</p><h1>Alpha</h1><p>a1</p><h2>Beta</h2><p>b1</p><p>b2</p><h1>Gamma</h1><p>g1</p>';
const TEXT = 'before\nAlpha\na1\nBeta\nb1\nb2\nGamma\ng1';

async function openOutline(page: Page) {
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  const nav = page.getByRole('navigation', { name: 'Headings of this pad' });
  await nav.waitFor();
  return nav;
}

const item = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('button', { name, exact: true });

async function expectItems(page: Page, names: string[]): Promise<void> {
  await expect.poll(() => page.locator('.outline-link').allTextContents()).toEqual(names);
}

// Who is shown to have written a line: the classes of its authors.
async function authorsOf(page: Page, line: string): Promise<string[]> {
  return page
    .locator('.cm-line', { hasText: line })
    .first()
    .locator('.pad-author')
    .evaluateAll((all) => all.map((each) => /author-\d+/.exec(each.className)?.[0] ?? ''));
}

describe('the outline', () => {
  test('lists headings, follows the caret, and jumps', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { page } = one;
    const nav = await openOutline(page);
    await expect.poll(() => nav.textContent()).toContain('No headings yet');
    await page.locator('.cm-content').click();
    await paste(page, { 'text/html': HTML });
    await expectText(page, TEXT);
    await expectItems(page, ['Alpha', 'Beta', 'Gamma']);
    expect(await nav.locator('ul ul .outline-link').allTextContents()).toEqual(['Beta']);
    const current = () => nav.locator('[aria-current]').allTextContents();
    await expect.poll(current).toEqual(['Gamma']);
    await item(page, 'Beta').click();
    await expect.poll(current).toEqual(['Beta']);
    await page.keyboard.type('!');
    await expectText(page, TEXT.replace('Beta', 'Beta!'));
    await expectItems(page, ['Alpha', 'Beta!', 'Gamma']);
    expect(await accessibilityProblems(page)).toEqual([]);
    await one.context.close();
  });

  test('keeps the focus on what it moved, unless somebody has gone on to the text', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { page } = one;
    await openOutline(page);
    await paste(page, { 'text/html': HTML });
    await expectItems(page, ['Alpha', 'Beta', 'Gamma']);
    await item(page, 'Alpha').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expectItems(page, ['Gamma', 'Alpha', 'Beta']);
    await expect
      .poll(() => page.locator('.outline-link:focus').allTextContents())
      .toEqual(['Alpha']);
    // Both before anything is drawn again.
    const focused = await item(page, 'Alpha').evaluate(async (link) => {
      const keys = { key: 'ArrowUp', altKey: true, bubbles: true };
      link.dispatchEvent(new KeyboardEvent('keydown', keys));
      document.querySelector<HTMLElement>('.cm-content')?.focus();
      for (const _ of 'ab') await new Promise((drawn) => requestAnimationFrame(drawn));
      return document.activeElement?.className;
    });
    expect(focused).toContain('cm-content');
    await expectItems(page, ['Alpha', 'Beta', 'Gamma']);
    await one.context.close();
  });

  test('moves a section with its subsections, authors kept, as one step to undo', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    await paste(one.page, { 'text/html': HTML });
    for (const { page } of [one, two]) await expectText(page, TEXT);
    const before = await authorsOf(two.page, 'b1');
    expect(before).toHaveLength(1);
    // Somebody else moves what the first has written.
    await openOutline(two.page);
    await expectItems(two.page, ['Alpha', 'Beta', 'Gamma']);
    await item(two.page, 'Alpha').focus();
    await two.page.keyboard.press('Alt+ArrowDown');
    const moved = 'before\nGamma\ng1\nAlpha\na1\nBeta\nb1\nb2';
    for (const { page } of [one, two]) await expectText(page, moved);
    await expectItems(two.page, ['Gamma', 'Alpha', 'Beta']);
    expect(await authorsOf(two.page, 'b1')).toEqual(before);
    await expect
      .poll(() => two.page.evaluate(() => document.activeElement?.textContent))
      .toBe('Alpha');
    await stateIs(two.page, /saved/);
    const later = await visitor(browser, pad);
    await expectText(later.page, moved);
    const names = await Promise.all(['b1', 'g1'].map((line) => authorsOf(later.page, line)));
    expect(names[0]).toEqual(names[1]);
    await later.context.close();
    await two.page.locator('.cm-content').click();
    await two.page.keyboard.press('Control+z');
    for (const { page } of [one, two]) await expectText(page, TEXT);
    expect(await authorsOf(two.page, 'b1')).toEqual(before);
    await two.page.keyboard.press('Control+y');
    for (const { page } of [one, two]) await expectText(page, moved);
    await stateIs(two.page, /saved/);
    for (const { context } of [one, two]) await context.close();
  });

  test('is dragged, while somebody types in what is moved', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    await paste(one.page, { 'text/html': HTML });
    for (const { page } of [one, two]) await expectText(page, TEXT);
    await two.page.locator('.cm-line', { hasText: 'b1' }).click();
    await two.page.keyboard.press('End');
    await openOutline(one.page);
    const [from, to] = [item(one.page, 'Gamma'), item(one.page, 'Alpha')];
    await Promise.all([
      from.dragTo(to, { targetPosition: { x: 20, y: 4 } }),
      two.page.keyboard.type(' typed meanwhile', { delay: 20 }),
    ]);
    const merged = 'before\nGamma\ng1\nAlpha\na1\nBeta\nb1 typed meanwhile\nb2';
    for (const { page } of [one, two]) await expectText(page, merged);
    await stateIs(one.page, /saved/);
    for (const { context } of [one, two]) await context.close();
  });

  test('a move and the deletion of what is moved at the same moment are both stored', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    await paste(one.page, { 'text/html': HTML });
    for (const { page } of [one, two]) await expectText(page, TEXT);
    await two.page.locator('.cm-line', { hasText: 'g1' }).dblclick();
    await openOutline(one.page);
    await item(one.page, 'Gamma').focus();
    await Promise.all([one.page.keyboard.press('Alt+ArrowUp'), two.page.keyboard.press('Delete')]);
    for (const { page } of [one, two]) await stateIs(page, /saved/);
    const lines = () => one.page.locator('.cm-line').allTextContents();
    await expect.poll(async () => (await lines()).slice(0, 2)).toEqual(['before', 'Gamma']);
    const later = await visitor(browser, pad);
    await expect
      .poll(() => later.page.locator('.cm-line').allTextContents())
      .toEqual(await lines());
    for (const { context } of [one, two, later]) await context.close();
  });

  test('is a sheet on a phone that goes when one jumps', async () => {
    const { page, context } = await visitor(browser, newPadName(), {
      viewport: { width: 390, height: 760 },
      hasTouch: true,
      isMobile: true,
    });
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await paste(page, { 'text/html': HTML });
    await page.getByRole('button', { name: 'More tools' }).tap();
    const nav = await openOutline(page);
    await expectItems(page, ['Alpha', 'Beta', 'Gamma']);
    expect(await accessibilityProblems(page)).toEqual([]);
    await item(page, 'Beta').tap();
    await expect.poll(() => nav.count()).toBe(0);
    await context.close();
  });
});

describe('links to headings', () => {
  test('go to the heading, whatever is written above it', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('a visitor');
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const long = '<p>line</p>'.repeat(80);
    const html = `<h1>Same</h1>${long}<h1>Same</h1>${long}<h2>Über uns & mehr</h2>${long}`;
    await paste(one.page, { 'text/html': html });
    const nav = await openOutline(one.page);
    await expectItems(one.page, ['Same', 'Same', 'Über uns & mehr']);
    await nav.getByText('Über uns').hover();
    await nav.getByRole('button', { name: 'Copy the link to “Über uns & mehr”' }).click();
    const copied = () => one.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('#');
    const url = await copied();
    expect(decodeURIComponent(url)).toBe(`${serverUrl()}p/${pad}#über-uns-mehr`);
    await stateIs(one.page, /saved/);
    const { page, context } = await visitor(browser, newPadName());
    const seen = (text: string) => page.locator('.pad-heading', { hasText: text }).isVisible();
    await page.goto(url);
    await expect.poll(() => seen('Über uns')).toBe(true);
    await page.goto(url.replace(/#.*/, '#same-2'));
    await expect.poll(() => page.locator('.pad-heading').allTextContents()).toEqual(['Same']);
    await expect
      .poll(() => page.locator('.cm-scroller').evaluate((e) => e.scrollTop))
      .toBeGreaterThan(500);
    // A link in the text to a heading of the same pad does not leave the page.
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+Home');
    await one.page.keyboard.type(`see ${url} `);
    const scrolled = () => one.page.locator('.cm-scroller').evaluate((e) => e.scrollTop);
    await expect.poll(scrolled).toBeLessThan(100);
    await one.page.keyboard.press('ArrowLeft');
    await one.page.keyboard.press('Control+Enter');
    await expect.poll(scrolled).toBeGreaterThan(500);
    expect(one.context.pages()).toHaveLength(1);
    // The page to read has the same names.
    await page.goto(`p/${pad}/read#${encodeURIComponent('über-uns-mehr')}`);
    await expect.poll(() => page.locator(':target').textContent()).toBe('Über uns & mehr');
    await context.close();
    await one.context.close();
  });
});

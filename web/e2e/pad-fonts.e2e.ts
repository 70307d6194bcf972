// Fonts and sizes of text, and where lines stand, by two people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES } from './browser.ts';
import { emptyPad, expectText, newPadName, visitor } from './pad.ts';
import { stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

async function fromMenu(page: Page, menu: string, name: string) {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
}

const FONTS = 'Font and size';

// What text with a class looks like: all of it, wherever it stands.
async function expectLook(pages: readonly Page[], looks: Record<string, string>): Promise<void> {
  for (const page of pages) {
    for (const [selector, text] of Object.entries(looks)) {
      const all = page.locator(`.cm-content ${selector}`);
      const texts = async () => (await all.allTextContents()).join('');
      await expect.poll(texts, { message: selector }).toBe(text);
    }
  }
}

const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(`.cm-content ${selector}`)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

describe('fonts', () => {
  test('two people give the same words different ones at once, one holds for both', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const pages = [one.page, two.page];
    await one.page.keyboard.type('Minutes of today');
    for (const page of pages) await expectText(page, 'Minutes of today');
    for (const page of pages) await page.keyboard.press('Control+a');
    await Promise.all([
      fromMenu(one.page, FONTS, 'With serifs'),
      fromMenu(two.page, FONTS, 'Fixed width'),
    ]);
    await Promise.all([
      fromMenu(one.page, FONTS, 'Very large'),
      fromMenu(two.page, FONTS, 'Small'),
    ]);
    for (const page of pages) await stateIs(page, /saved/);
    const classes = (page: Page) =>
      page.locator('.cm-line > [class*=pad-font]').evaluateAll((all) => {
        const words = all.flatMap((each) => [...each.classList]);
        return [...new Set(words.filter((word) => /^pad-(font|size)-/.test(word)))].sort();
      });
    await expect
      .poll(
        async () =>
          JSON.stringify(await classes(one.page)) === JSON.stringify(await classes(two.page)),
      )
      .toBe(true);
    expect(await classes(one.page)).toHaveLength(2);
    for (const { context } of [one, two]) await context.close();
  });

  test('are typed on, taken back by one undo, kept in history and in a copy, and cleared', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const pages = [one.page, two.page];
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { keyboard } = one.page;
    await fromMenu(one.page, FONTS, 'With serifs');
    await keyboard.type('Head');
    await fromMenu(one.page, FONTS, 'Huge');
    await keyboard.type('line');
    const looks = { '.pad-font-serif': 'Headline', '.pad-size-xx-large': 'line' };
    await expectLook(pages, looks);
    expect(await styleOf(two.page, '.pad-font-serif', 'font-family')).toContain('serif');
    expect(await styleOf(two.page, '.pad-size-xx-large', 'font-size')).toBe('40px');
    await keyboard.press('Control+a');
    await fromMenu(one.page, FONTS, 'Without serifs');
    await expectLook(pages, { '.pad-font-serif': '', '.pad-font-sans-serif': 'Headline' });
    await keyboard.press('Control+z');
    await expectLook(pages, { ...looks, '.pad-font-sans-serif': '' });
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await keyboard.press('Control+v');
    await expectLook(pages, {
      '.pad-font-serif': 'HeadlineHeadline',
      '.pad-size-xx-large': 'lineline',
    });
    await keyboard.press('Control+a');
    await fromMenu(one.page, FONTS, 'Default font');
    await fromMenu(one.page, FONTS, 'Normal size');
    await expectLook(pages, { '[class*=pad-font]': '', '[class*=pad-size]': '' });
    await keyboard.press('Control+z');
    await keyboard.press('Control+z');
    await expectLook(pages, { '.pad-font-serif': 'HeadlineHeadline' });
    await stateIs(one.page, /saved/);
    await one.page.goto(`p/${pad}/timeslider#9999`);
    await expectLook([one.page], { '.pad-font-serif': 'HeadlineHeadline' });
    await two.page.keyboard.press('Control+a');
    await two.page.getByRole('button', { name: 'Clear formatting' }).click();
    await expectLook([two.page], { '[class*=pad-font]': '', '[class*=pad-size]': '' });
    for (const { context } of [one, two]) await context.close();
  });

  test('are not offered where an address says so', async () => {
    const { page, context } = await visitor(browser, `${newPadName()}?showFonts=false`);
    await page.getByRole('button', { name: 'Alignment' }).waitFor();
    expect(await page.getByRole('button', { name: FONTS }).count()).toBe(0);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+Shift+p');
    await page.getByRole('combobox').fill('align');
    await page.getByRole('option', { name: 'Justify' }).waitFor();
    await page.getByRole('combobox').fill('monospace');
    expect(await page.getByRole('option', { name: /Fixed width/ }).count()).toBe(0);
    await context.close();
  });

  test('are chosen with the keyboard and on a phone', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { keyboard } = one.page;
    await keyboard.type('/monosp');
    await one.page.getByRole('option', { name: 'Font: Fixed width' }).waitFor();
    await keyboard.press('Enter');
    await keyboard.type('grid');
    await expectLook([one.page], { '.pad-font-monospace': 'grid' });
    await one.page.getByRole('button', { name: FONTS }).focus();
    await keyboard.press('ArrowDown');
    expect(await accessibilityProblems(one.page)).toEqual([]);
    await keyboard.press('End');
    await keyboard.press('Enter');
    await keyboard.type('X');
    await expectLook([one.page], { '.pad-size-xx-large': 'X', '.pad-font-monospace': 'gridX' });
    await one.context.close();
    const phone = await visitor(browser, newPadName(), { ...SIZES.phone, locale: 'ar' });
    await phone.page.locator('.cm-content').tap();
    await phone.page.getByRole('button', { name: 'مزيد من الأدوات' }).tap();
    await phone.page.getByRole('button', { name: 'الخط والحجم' }).tap();
    await phone.page.getByRole('menuitemradio', { name: 'كبير', exact: true }).tap();
    await phone.page.keyboard.type('سلام');
    await expectLook([phone.page], { '.pad-size-large': 'سلام' });
    expect(await accessibilityProblems(phone.page)).toEqual([]);
    await phone.context.close();
  });
});

describe('alignment', () => {
  const at = (page: Page) =>
    page
      .locator('.cm-line')
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).textAlign));

  test('of two people holds for whole lines, goes on with Enter, and one undo takes it back', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const pages = [one.page, two.page];
    const { keyboard } = one.page;
    await keyboard.type('Title\nText');
    for (const page of pages) await expectText(page, 'Title\nText');
    await two.page.keyboard.press('Control+Home');
    await Promise.all([
      fromMenu(one.page, 'Alignment', 'Align right'),
      fromMenu(two.page, 'Alignment', 'Align centre'),
    ]);
    for (const page of pages) await expect.poll(() => at(page)).toEqual(['center', 'right']);
    await keyboard.press('Control+z');
    for (const page of pages) await expect.poll(() => at(page)).toEqual(['center', 'start']);
    await two.page.keyboard.press('End');
    await two.page.keyboard.press('Enter');
    await two.page.keyboard.type('below');
    for (const page of pages) {
      await expectText(page, 'Title\nbelow\nText');
      await expect.poll(() => at(page)).toEqual(['center', 'center', 'start']);
    }
    await fromMenu(two.page, 'Alignment', 'Align left');
    for (const page of pages)
      await expect.poll(() => at(page)).toEqual(['center', 'start', 'start']);
    await stateIs(two.page, /saved/);
    await one.page.goto(`p/${pad}/timeslider#9999`);
    await expect.poll(() => at(one.page)).toEqual(['center', 'start', 'start']);
    for (const { context } of [one, two]) await context.close();
  });

  test('knows at which side a line starts', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const { page } = one;
    await page.keyboard.type('abc\nسلام');
    const chosen = async () => {
      await page.getByRole('button', { name: 'Alignment' }).click();
      const name = await page.getByRole('menuitemradio', { checked: true }).textContent();
      await page.keyboard.press('Escape');
      await page.locator('.cm-content').focus();
      return name;
    };
    expect(await chosen()).toBe('Align right');
    await fromMenu(page, 'Alignment', 'Align left');
    await expect.poll(() => at(page)).toEqual(['start', 'left']);
    await fromMenu(page, 'Alignment', 'Align right');
    await expect.poll(() => at(page)).toEqual(['start', 'start']);
    await page.keyboard.press('Control+Home');
    expect(await chosen()).toBe('Align left');
    await fromMenu(page, 'Alignment', 'Justify');
    await expect.poll(() => at(page)).toEqual(['justify', 'start']);
    // At the start of the line, Backspace takes it away before anything else.
    await page.keyboard.press('Home');
    await page.keyboard.press('Backspace');
    await expect.poll(() => at(page)).toEqual(['start', 'start']);
    await one.context.close();
  });
});

// The text itself: addresses in it, and all of it for screen readers.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from './api.ts';
import { accessibilityProblems, launch, SIZES, serverUrl, visit } from './browser.ts';
import { fromMore, newPadName, openPad, stateIs, text, write } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('numbers of lines', () => {
  test('stand on the baseline of their lines, headings too', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName(), 'showLineNumbers=true');
      await text(page).click();
      for (const [signs, words] of [
        ['# ', 'Largest'],
        ['## ', 'Large'],
        ['### ', 'Less'],
        ['', 'plain'],
      ] as const) {
        await page.keyboard.type(signs);
        await page.keyboard.type(words);
        await page.keyboard.press('Enter');
      }
      await page.locator('.pad-h3').waitFor();
      const differences = () =>
        page.evaluate(() => {
          const canvas = document.createElement('canvas').getContext('2d');
          const baseline = (element: Element) => {
            const { fontSize, fontFamily, fontWeight } = getComputedStyle(element);
            if (!canvas) return 0;
            canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
            const range = document.createRange();
            range.selectNodeContents(element.lastChild ?? element);
            const [box] = range.getClientRects();
            return (box?.top ?? 0) + canvas.measureText('x').fontBoundingBoxAscent;
          };
          const numbers = [...document.querySelectorAll('.cm-lineNumbers .cm-gutterElement')];
          const seen = numbers.filter((each) => getComputedStyle(each).visibility !== 'hidden');
          return [...document.querySelectorAll('.cm-line')].slice(0, 4).map((line, at) => {
            const words = line.querySelector('.pad-author') ?? line;
            return Math.abs(baseline(words) - baseline(seen[at] as Element));
          });
        });
      await expect.poll(async () => Math.max(...(await differences()))).toBeLessThan(1.5);
      expect(await differences()).toHaveLength(4);
    }));
});

describe('a line of a million characters', () => {
  // How long the page is busy with it is measured by `cargo xtask bench page`.
  test('opens and can be written in', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      const padID = newPadName();
      const long = 'Many words without an end. '.repeat(37_038).slice(0, 1_000_000);
      await call('createPad', { padID, text: long });
      await openPad(page, padID);
      await text(page).click();
      await page.keyboard.press('Control+Home');
      await page.keyboard.type('First: ');
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' Last.');
      await stateIs(page, /saved/);
      const stored = await call('getText', { padID });
      expect(stored.length).toBe(1_000_000 + 'First:  Last.\n'.length);
      expect(stored).toMatch(/^First: Many words.* Last\.\n$/);
      expect(problems).toEqual([]);
    }));
});

describe('an address in the text', () => {
  const ADDRESS = `${serverUrl()}p/elsewhere`;
  const card = (page: Page) => page.locator('.pad-link-card a');
  const opens = async (page: Page, act: () => Promise<void>) => {
    const [other] = await Promise.all([page.context().waitForEvent('page'), act()]);
    await other.waitForURL(ADDRESS);
  };

  for (const size of ['desktop', 'phone'] as const) {
    test(`${size}: a card opens it, where the caret is put, and goes with the next key`, () =>
      visit(browser, SIZES[size], async ({ page, problems }) => {
        await openPad(page, newPadName());
        await write(page, `see ${ADDRESS} and more`);
        await page.locator('.pad-link').waitFor();
        await expect.poll(() => card(page).isVisible()).toBe(false);
        await page.locator('.pad-link').click();
        await card(page).waitFor();
        await expect.poll(() => card(page).getAttribute('href')).toBe(ADDRESS);
        expect(await accessibilityProblems(page)).toEqual([]);
        const end = () => card(page).evaluate((card) => card.getBoundingClientRect().right);
        await expect.poll(end).toBeLessThanOrEqual(SIZES[size].viewport.width);
        await opens(page, () => card(page).click());
        await page.bringToFront();
        await page.keyboard.type('x');
        await card(page).waitFor({ state: 'hidden' });
        expect(problems).toEqual([]);
      }));
  }

  test('the keyboard opens it too', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName());
      await write(page, `see ${ADDRESS}`);
      await page.locator('.pad-link').waitFor();
      await opens(page, () => page.keyboard.press('Control+Enter'));
      await page.bringToFront();
      await page.keyboard.press('ArrowLeft');
      await card(page).waitFor();
      await page.keyboard.press('Escape');
      await card(page).waitFor({ state: 'hidden' });
    }));
});

test('all of a short text is in the page, if that is wanted; of a long one what is in sight', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    const pad = newPadName();
    const lines = Array.from({ length: 900 }, (_, i) => `line ${i + 1}`);
    await openPad(page, pad);
    await write(page, '');
    await page.keyboard.insertText(lines.join('\n'));
    const rendered = () => page.locator('.cm-line').count();
    await expect.poll(rendered).toBeLessThan(200);
    await fromMore(page, 'Settings');
    await page.getByLabel('Keep the whole text readable').check();
    await page.keyboard.press('Escape');
    await expect.poll(rendered).toBe(900);
    expect(await accessibilityProblems(page)).toEqual([]);
    await text(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\nmore'.repeat(101));
    await expect.poll(rendered).toBeLessThan(200);
  }));

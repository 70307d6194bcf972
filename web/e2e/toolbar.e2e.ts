// The bar of tools at every width: what is in it, what is behind its last button, and where the
// focus is afterwards.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES, type Visit, visit } from './browser.ts';
import { newPadName, openPad, stateIs, text, write } from './padPage.ts';
import { PagePlugins } from './pagePlugins.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const desktop = (act: (visit: Visit) => Promise<void>) => visit(browser, SIZES.desktop, act);
const phone = (act: (visit: Visit) => Promise<void>) => visit(browser, SIZES.phone, act);
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Formatting', exact: true });
const more = (page: Page) => page.getByRole('toolbar', { name: 'More tools' });
const opener = (page: Page) => bar(page).getByRole('button', { name: 'More tools' });

// Names of the buttons that are seen, those of menus left out.
const namesIn = (page: Page, place: string) =>
  page
    .locator(`${place} button`)
    .evaluateAll((all) =>
      all
        .filter(
          (it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest('[popover]'),
        )
        .map((it) => it.getAttribute('aria-label') ?? ''),
    );

const ALL = [
  ['Bold', 'Italic', 'Underline', 'Strikethrough'],
  ['Bulleted list', 'Numbered list', 'Check list', 'Link'],
  ['Kind of text: Normal text', 'Font and size', 'More formats'],
  ['Decrease indent', 'Increase indent', 'Alignment', 'Undo', 'Redo'],
  ['Clear formatting', 'Author colours', 'Outline', 'Find and replace'],
].flat();

describe('the bar', () => {
  test('has the tools in the order of their use', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await expect.poll(() => namesIn(page, '.bar')).toEqual(ALL);
    }));

  test('has every tool at every width, in the row or behind its last button', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      for (const width of [1100, 900, 721, 720, 500, 390, 320]) {
        await page.setViewportSize({ width, height: 700 });
        await page.waitForFunction((width) => innerWidth === width, width);
        const inRow = () => namesIn(page, '.tools');
        await expect.poll(async () => (await inRow()).length < ALL.length).toBe(width < 1000);
        if (width < 1000) {
          await opener(page).click();
          await more(page).waitFor();
          const rest = () => namesIn(page, '.more-tools');
          await expect.poll(async () => [...(await inRow()), ...(await rest())]).toEqual(ALL);
        }
        const outside = await page.locator('.bar button').evaluateAll(
          (all) =>
            all
              .filter((it) => it.checkVisibility({ visibilityProperty: true }))
              .map((it) => it.getBoundingClientRect())
              .filter(({ left, right }) => left < 0 || right > innerWidth).length,
        );
        expect(outside).toBe(0);
        if (width < 1000) await opener(page).click();
        await more(page).waitFor({ state: 'detached' });
      }
    }));

  test('opens the rest by keys, goes through it with arrows, and closes it with Escape', () =>
    desktop(async ({ page, problems }) => {
      await page.setViewportSize({ width: 800, height: 700 });
      await openPad(page, newPadName());
      await page.keyboard.press('Alt+F9');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await more(page).waitFor();
      const focused = () =>
        page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
      const [first = '', second = ''] = await namesIn(page, '.more-tools');
      await expect.poll(focused).toBe(first);
      await page.keyboard.press('ArrowRight');
      await expect.poll(focused).toBe(second);
      await page.keyboard.press('End');
      await expect.poll(focused).toBe('Find and replace');
      await page.keyboard.press('ArrowUp');
      await expect.poll(focused).toBe('Outline');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await more(page).waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('More tools');
      expect(problems).toEqual([]);
    }));

  test('gives the focus back to the text, and the rest goes away', () =>
    desktop(async ({ page }) => {
      await page.setViewportSize({ width: 800, height: 700 });
      await openPad(page, newPadName());
      await write(page, 'words');
      await opener(page).click();
      await more(page).getByRole('button', { name: 'Clear formatting' }).click();
      await more(page).waitFor({ state: 'detached' });
      await page.keyboard.type(' more');
      await text(page).getByText('words more').waitFor();
      await opener(page).click();
      await more(page).getByRole('button', { name: 'Author colours' }).click();
      await page.keyboard.press('Escape');
      await more(page).waitFor();
      await text(page).click();
      await more(page).waitFor({ state: 'detached' });
    }));

  test('takes the tools of plugins in', () =>
    desktop(async ({ page }) => {
      const client = `import { definePlugin } from "padsvc";
        export default definePlugin((page) => {
          for (const label of ["One", "Two", "Three"])
            page.addCommand({ id: label, label, inToolbar: true, run: () => page.pad.insertText(label) });
        });`;
      await PagePlugins.add(page, [{ name: 'tools', client }]);
      await openPad(page, newPadName());
      await bar(page).getByRole('button', { name: 'Three' }).waitFor();
      await page.setViewportSize({ width: 800, height: 700 });
      await opener(page).click();
      await more(page).getByRole('button', { name: 'Two' }).click();
      await page.keyboard.type('!');
      await text(page).getByText('Two!').waitFor();
    }));
});

describe('on a phone', () => {
  test('seven tools, and a sheet above the bar with the rest, which leaves the keyboard open', () =>
    phone(async ({ page }) => {
      await openPad(page, newPadName());
      await expect
        .poll(() => namesIn(page, '.bar'))
        .toEqual([
          'Bold',
          'Italic',
          'Bulleted list',
          'Numbered list',
          'Check list',
          'Link',
          'Undo',
          'More tools',
        ]);
      await text(page).tap();
      await page.keyboard.type('words');
      await opener(page).tap();
      await more(page).waitFor();
      const below = async (upper: string, lower: string) => {
        const [above, under] = [
          await page.locator(upper).boundingBox(),
          await page.locator(lower).boundingBox(),
        ];
        return (above?.y ?? 0) + (above?.height ?? 0) <= (under?.y ?? 0) + 1;
      };
      expect(await below('.main', '.more-tools')).toBe(true);
      expect(await below('.more-tools', '.tools')).toBe(true);
      expect(await accessibilityProblems(page)).toEqual([]);
      await more(page).getByRole('button', { name: 'Strikethrough' }).tap();
      // The focus, and with it the keyboard, has stayed.
      await page.keyboard.type(' gone');
      await text(page).locator('s', { hasText: 'gone' }).waitFor();
      await more(page).waitFor();
      await opener(page).tap();
      await more(page).waitFor({ state: 'detached' });
      // A panel takes the room of the sheet.
      await opener(page).tap();
      await more(page).getByRole('button', { name: 'Outline' }).tap();
      await page.getByRole('navigation', { name: 'Headings of this pad' }).waitFor();
      await more(page).waitFor({ state: 'detached' });
      await stateIs(page, /saved/);
    }));

  test('keys are not shown to fingers', () =>
    phone(async ({ page }) => {
      await openPad(page, newPadName());
      await page.getByRole('button', { name: 'More', exact: true }).tap();
      await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).count()).toBe(0);
      const keys = await page
        .locator('.menu:popover-open kbd')
        .evaluateAll((all) => all.filter((it) => it.checkVisibility()).length);
      expect(keys).toBe(0);
    }));
});

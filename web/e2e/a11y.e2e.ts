// Nobody is left out: axe on the page with every panel, dialog, menu and notice, in both themes and
// on a phone; the keyboard alone; a language that runs to the left; forced colours.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  labelMismatches,
  launch,
  SIZES,
  shownFromNow,
  visit,
} from './browser.ts';
import { expectFits, readOnlyLink } from './expectations.ts';
import { leaveDraft, spoil } from './losses.ts';
import { type PadPage, visitor } from './pad.ts';
import {
  dialog,
  fromMore,
  newPadName,
  openPad,
  stateIs,
  text,
  withoutLocks,
  write,
} from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const LOOKS: Record<string, BrowserContextOptions> = {
  'desktop, light': { ...SIZES.desktop, colorScheme: 'light' },
  'desktop, dark': { ...SIZES.desktop, colorScheme: 'dark' },
  'phone, light': { ...SIZES.phone, colorScheme: 'light' },
  'phone, dark': { ...SIZES.phone, colorScheme: 'dark' },
};

async function sound(page: Page, what: string): Promise<void> {
  expect(await accessibilityProblems(page), what).toEqual([]);
  await expectFits(page, what);
}

// People with browsers of their own, the first with the chat open.
async function severalOthers(browser: Browser, pad: string, count: number): Promise<PadPage[]> {
  const all: PadPage[] = [];
  for (let i = 0; i < count; i++) all.push(await visitor(browser, pad));
  const [first] = all;
  await first?.page.getByRole('button', { name: 'Chat' }).click();
  return all;
}

async function fillWithText(page: Page): Promise<void> {
  await write(page, 'A heading');
  const tools = page.getByRole('button', { name: 'More tools' });
  const hasSheet = await tools.isVisible();
  if (hasSheet) await tools.click();
  await page.getByRole('button', { name: 'Kind of text: Normal text' }).click();
  await page.getByRole('menuitemradio', { name: 'Heading 1' }).click();
  if (hasSheet) await tools.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('- one point');
  await page.keyboard.press('Enter');
  await page.keyboard.type('see https://example.org/');
}

describe('axe', () => {
  for (const [name, options] of Object.entries(LOOKS)) {
    test(`${name}: the page, its panel, menus and notices`, () =>
      visit(browser, options, async ({ page, problems }) => {
        const pad = newPadName();
        await openPad(page, pad, 'userName=Ada');
        await fillWithText(page);
        await sound(page, 'the text');
        await page.keyboard.press('Control+F');
        await page.locator('.pad-find').waitFor();
        await page.locator('.find-fold').click();
        await sound(page, 'finding');
        await page.keyboard.press('Escape');
        await page.locator('.pad-find').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: /person here/ }).click();
        await page.getByLabel('Your name').waitFor();
        await sound(page, 'people');
        await page.getByRole('tab', { name: 'Chat' }).click();
        await page.getByLabel('Message', { exact: true }).fill('Hello https://example.org');
        await page.getByRole('button', { name: 'Send' }).click();
        await page.getByRole('log').getByRole('link').waitFor();
        await sound(page, 'the chat');
        const toasts = await shownFromNow(page, '.toast');
        await page.keyboard.press('Control+S');
        await expect.poll(() => toasts).not.toEqual([]);
        await page.getByRole('button', { name: 'More', exact: true }).click();
        await page.getByRole('menuitem').first().waitFor();
        await sound(page, 'a menu and a toast');
        await page.keyboard.press('Escape');
        await withoutLocks(page);
        await openPad(page, pad);
        const other = await page.context().newPage();
        await openPad(other, pad);
        await page.getByText('You opened this pad in another window').waitFor();
        await sound(page, 'a notice');
        expect(problems).toEqual([]);
      }));

    test(`${name}: every dialog`, () =>
      visit(browser, options, async ({ page, problems }) => {
        await openPad(page, newPadName());
        const check = async (what: string, open: () => Promise<void>) => {
          await open();
          await dialog(page).waitFor();
          await sound(page, what);
          await page.keyboard.press('Escape');
          await dialog(page).waitFor({ state: 'detached' });
        };
        await check('share', () => page.getByRole('button', { name: 'Share' }).click());
        await check('settings', () => fromMore(page, 'Settings'));
        await check('settings for everybody', async () => {
          await fromMore(page, 'Settings');
          await page.getByRole('tab', { name: 'For everybody' }).click();
        });
        await check('shortcuts', () => page.keyboard.press('Control+Slash'));
        await check('connection', () => fromMore(page, 'About this connection'));
        await check('delete', () => fromMore(page, 'Delete this pad'));
        await text(page).click();
        await check('colours', () => page.keyboard.press('Control+Shift+KeyC'));
        expect(problems).toEqual([]);
      }));
  }

  for (const [name, options] of Object.entries(LOOKS)) {
    test(`${name}: sheets, menus and lists beside the text`, () =>
      visit(browser, options, async ({ page, problems }) => {
        const pad = newPadName();
        await openPad(page, pad, 'userName=Ada');
        await fillWithText(page);
        const tools = page.getByRole('button', { name: 'More tools' });
        const hasSheet = await tools.isVisible();
        if (hasSheet) {
          await tools.click();
          await page.getByRole('button', { name: 'Outline' }).waitFor();
          await sound(page, 'the sheet of tools');
        }
        for (const menu of [/^Kind of text/, 'Font and size', 'Author colours']) {
          await page.getByRole('button', { name: menu }).click();
          await page.getByRole('menu').getByRole('menuitemradio').first().waitFor();
          await sound(page, `the menu ${menu}`);
          await page.keyboard.press('Escape');
        }
        await page.getByRole('button', { name: 'Outline', exact: true }).click();
        await page.getByRole('navigation', { name: 'Headings of this pad' }).waitFor();
        await sound(page, 'the outline');
        await fromMore(page, 'All commands');
        await dialog(page).waitFor();
        await sound(page, 'all commands');
        await page.keyboard.press('Escape');
        await fromMore(page, /^Key for deleting/);
        await dialog(page).waitFor();
        await sound(page, 'the key for deleting');
        await page.keyboard.press('Escape');
        await stateIs(page, /saved/);
        await page.goto(`p/${pad}/timeslider`);
        await page.locator('[data-revision]').first().waitFor();
        const versions = page.getByRole('tab', { name: 'Versions' });
        if (!(await versions.isVisible())) {
          await page.getByRole('button', { name: 'Versions' }).click();
        }
        await versions.waitFor();
        await sound(page, 'the list of versions');
        await page.goto(`p/${pad}/read`);
        await page.locator('main').waitFor();
        await sound(page, 'the page to read');
        expect(problems).toEqual([]);
      }));
  }

  for (const name of ['desktop, light', 'phone, dark'] as const) {
    test(`${name}: what was refused and what was not sent, and their texts`, () =>
      visit(browser, LOOKS[name] ?? {}, async ({ page }) => {
        const pad = newPadName();
        await spoil(page, 'precious');
        await openPad(page, pad);
        await write(page, 'before');
        await stateIs(page, /saved/);
        await page.keyboard.insertText(' precious');
        const notices = page.getByRole('region', { name: 'Notices' });
        await notices.getByRole('alert').filter({ hasText: '1 word' }).waitFor();
        await sound(page, 'a refused change');
        await notices.getByRole('button', { name: 'Show' }).click();
        await expect
          .poll(() => dialog(page).getByRole('textbox').first().inputValue())
          .toBe(' precious');
        await sound(page, 'the text of a refused change');
        await dialog(page).getByRole('button', { name: 'Discard' }).click();
        await notices.waitFor({ state: 'detached' });

        const next = await leaveDraft(page, ' unsent');
        await openPad(next, pad);
        const draft = next.getByRole('alert').filter({ hasText: '1 word' });
        await draft.waitFor();
        await sound(next, 'a draft');
        await draft.getByRole('button', { name: 'Show' }).click();
        await expect
          .poll(() => dialog(next).getByRole('textbox').first().inputValue())
          .toBe('before unsent');
        await sound(next, 'the text of a draft');
        await dialog(next).getByRole('button', { name: 'Merge' }).click();
        await draft.waitFor({ state: 'detached' });
        await expect.poll(() => text(next).textContent()).toBe('before unsent');
      }));
  }

  for (const name of ['desktop, light', 'phone, light'] as const) {
    test(`${name}: several people, one of whom mentions us`, () =>
      visit(browser, LOOKS[name] ?? {}, async ({ page }) => {
        const pad = newPadName();
        await openPad(page, pad, 'userName=Ada');
        await write(page, 'Hello');
        const others = await severalOthers(browser, pad, 5);
        const people = page.getByRole('button', { name: '6 people here' });
        await people.waitFor();
        await sound(page, 'six people');
        const [other] = others;
        await other?.page.getByLabel('Message', { exact: true }).fill('Ada, look');
        await other?.page.keyboard.press('Enter');
        await page
          .getByRole('button', { name: /1 unread message\. 1 of them mentions you/ })
          .waitFor();
        await sound(page, 'a mention in the chat');
        expect(await labelMismatches(page)).toEqual([]);
        for (const { context } of others) await context.close();
      }));
  }

  test('read-only, bare and in forced colours', () =>
    visit(browser, { ...SIZES.desktop, forcedColors: 'active' }, async ({ page }) => {
      const name = newPadName();
      await openPad(page, name);
      await sound(page, 'forced colours');
      await page.getByRole('button', { name: 'Share' }).click();
      const readOnly = await readOnlyLink(page);
      await openPad(page, name, 'showControls=false');
      await sound(page, 'bare');
      await page.goto(readOnly);
      await stateIs(page, /readOnly/);
      await sound(page, 'read-only');
    }));

  test('works at 400 % zoom', () =>
    visit(browser, SIZES.narrow, async ({ page }) => {
      const pad = newPadName();
      await openPad(page, pad);
      await sound(page, 'narrow');
      await expect.poll(() => text(page).isVisible()).toBe(true);
      await write(page, 'a few words');
      await stateIs(page, /saved/);
      const others = { read: 'main', timeslider: '[data-revision]' };
      for (const [address, there] of Object.entries(others)) {
        await page.goto(`p/${pad}/${address}`);
        await page.locator(there).first().waitFor();
        await sound(page, address);
      }
      for (const address of ['api-docs', 'sign-in', 'nothing/here']) {
        await page.goto(address);
        await page.locator('h1').first().waitFor();
        await sound(page, address);
      }
    }));
});

describe('Arabic', () => {
  for (const [size, options] of Object.entries({ desktop: SIZES.desktop, phone: SIZES.phone })) {
    test(`${size}: runs to the left, fits, is accessible`, () =>
      visit(browser, { ...options, locale: 'ar' }, async ({ page, problems }) => {
        await openPad(page, newPadName());
        const root = page.locator('html');
        await expect.poll(() => root.getAttribute('lang')).toBe('ar');
        await expect.poll(() => root.getAttribute('dir')).toBe('rtl');
        const home = page.getByRole('link', { name: 'صفحة البداية' });
        await expect.poll(async () => (await home.boundingBox())?.x).toBeGreaterThan(300);
        await sound(page, 'page');
        // Letters decide for their line; where there are none, the page does.
        await write(page, 'abc');
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
        await page.keyboard.type('123');
        await page.keyboard.press('Enter');
        await page.keyboard.type('ابجد');
        const directions = () =>
          page
            .locator('.cm-line')
            .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).direction));
        await expect.poll(directions).toEqual(['ltr', 'rtl', 'rtl', 'rtl']);
        await page.getByRole('button', { name: 'مشاركة' }).click();
        await dialog(page).waitFor();
        await sound(page, 'share');
        expect(problems).toEqual([]);
      }));
  }
});

describe('keyboard alone', () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });

  test('the bar is one stop; arrows, Home and End move in it', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName());
      await text(page).click();
      await page.keyboard.press('Alt+F9');
      await expect.poll(() => focused(page)).toBe('Bold');
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => focused(page)).toBe('Italic');
      await page.keyboard.press('End');
      await expect.poll(() => focused(page)).toBe('Find and replace');
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => focused(page)).toBe('Bold');
      await page.keyboard.press('End');
      await page.keyboard.press('Tab');
      await expect
        .poll(() => text(page).evaluate((element) => element.contains(document.activeElement)))
        .toBe(true);
      await page.keyboard.press('Shift+Tab');
      await expect.poll(() => focused(page)).toBe('Find and replace');
    }));

  test('Tab indents in the text, and leads out of it after Escape', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName());
      await page.locator('.pad-link-card').waitFor({ state: 'attached' });
      await write(page, '# top');
      const inText = () => text(page).evaluate((it) => it.contains(document.activeElement));
      await page.keyboard.press('Tab');
      expect(await inText()).toBe(true);
      await page.keyboard.press('Enter');
      await page.keyboard.type('plain');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.locator('.pad-indent.pad-level-2').waitFor();
      await page.keyboard.press('Shift+Tab');
      await page.locator('.pad-indent.pad-level-1').waitFor();
      // Typing is what makes Tab indent again.
      await page.keyboard.press('Escape');
      await page.keyboard.type('!');
      await page.keyboard.press('Tab');
      await page.locator('.pad-indent.pad-level-2').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      await expect.poll(inText).toBe(false);
      await text(page).focus();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+Tab');
      await expect.poll(inText).toBe(false);
      expect(await text(page).textContent()).toContain('plain!');
      await page.locator('.pad-indent.pad-level-2').waitFor();
    }));

  test('menus open, move, choose and give the focus back', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName());
      const more = page.getByRole('button', { name: 'More', exact: true });
      await more.focus();
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => focused(page)).toContain('Save this revision');
      await page.keyboard.press('End');
      await expect.poll(() => focused(page)).toContain('Delete this pad');
      await page.keyboard.press('k');
      await expect.poll(() => focused(page)).toContain('Keyboard shortcuts');
      await page.keyboard.press('Escape');
      await expect.poll(() => focused(page)).toBe('More');
      await page.keyboard.press('Enter');
      await page.locator('[role=menuitem]:focus').waitFor();
      await page.keyboard.press('s');
      await page.keyboard.press('Enter');
      await dialog(page).waitFor();
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      // The focus is given back a moment after the dialog has gone.
      await expect.poll(() => focused(page)).toBe('More');
    }));

  test('F6 goes round the page, tabs are changed by arrows, the skip link leads to the text', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName());
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByRole('tab', { name: 'People' }).click();
      await page.getByRole('button', { name: 'Skip to the text' }).focus();
      await page.keyboard.press('Enter');
      await expect
        .poll(() => text(page).evaluate((element) => element === document.activeElement))
        .toBe(true);
      for (const region of ['panel', 'header', 'bar', 'main']) {
        await page.keyboard.press('F6');
        await page.locator(`.${region}[data-region]:focus-within`).waitFor();
      }
      await page.getByRole('tab', { name: 'People' }).focus();
      await page.keyboard.press('ArrowLeft');
      await page.getByRole('log').waitFor();
      await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
    }));

  test('tips say what an icon means, and Escape takes them away', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await openPad(page, newPadName());
      await page.keyboard.press('Alt+F9');
      const tip = page.locator('.tip', { hasText: 'Bold' });
      await tip.waitFor();
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'hidden' });
    }));
});

describe('phone', () => {
  test('tools at the foot, the panel is a sheet, targets are large enough', () =>
    visit(browser, SIZES.phone, async ({ page }) => {
      await openPad(page, newPadName());
      // All at one moment: what opens in between moves them.
      const boxes = () =>
        page.evaluate(() => {
          const box = (selector: string) =>
            document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
          const [bar, main, panel] = [box('.bar'), box('.main'), box('.panel')];
          return { bar: bar.bottom, main: main.bottom - panel.top, height: main.height };
        });
      await expect.poll(async () => (await boxes()).bar).toBe(844);
      await page.getByRole('button', { name: 'Chat' }).click();
      await page.getByRole('log').waitFor();
      await expect.poll(async () => (await boxes()).main).toBeLessThanOrEqual(0);
      await expect.poll(async () => (await boxes()).height).toBeGreaterThan(200);
      const small = () =>
        page
          .locator('.header button, .header a, .bar button')
          .evaluateAll(
            (all) =>
              all
                .map((element) => element.getBoundingClientRect().height)
                .filter((height) => height > 0 && height < 44).length,
          );
      await expect.poll(small).toBe(0);
    }));
});

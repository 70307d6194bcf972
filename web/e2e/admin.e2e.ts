// The admin area, on an instance with a hundred thousand pads.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listIsThere, type ManyPads, openAdmin, PADS, startManyPads } from './admin.ts';
import {
  accessibilityProblems,
  background,
  launch,
  newContext,
  SIZES,
  THEMES,
  visit,
} from './browser.ts';
import { expectFits } from './expectations.ts';

let browser: Browser;
let server: ManyPads;

beforeAll(async () => {
  browser = await launch();
  server = await startManyPads();
}, 15 * 60_000);

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

const name = (number: number): string => `pad-${`${number}`.padStart(6, '0')}`;
const names = (page: Page): Promise<string[]> => page.locator('.list tbody th a').allTextContents();
const open = async (page: Page, query = ''): Promise<void> => {
  await openAdmin(page, `${server.url}admin/pads${query}`);
  await listIsThere(page);
};
// Until the list has changed to this.
const first = (page: Page, pad: string): Promise<void> =>
  page.locator('.list tbody tr:first-child th a', { hasText: pad }).waitFor();

// Each with what shows that it is there.
const PAGES = {
  '': '.tiles[data-settled=true]',
  '/pads': '.list[data-settled=true]',
  '/authors': '.list[data-settled=true]',
  '/message': '#message',
  '/nodes': '.notice',
  '/audit': '.list[data-settled=true]',
  '/settings': '.settings[data-settled=true]',
  '/update': '.updates[data-settled=true], .notice',
  '/plugins': '.plugins[data-settled=true]',
  '/help': '.updates[data-settled=true]',
};

describe('every page', () => {
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: fits and is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          for (const [path, there] of Object.entries(PAGES)) {
            await openAdmin(page, `${server.url}admin${path}`);
            await page.locator(there).first().waitFor();
            await expect.poll(() => background(page)).toBe(THEMES[colorScheme]);
            await expectFits(page, path);
            expect(await accessibilityProblems(page), path).toEqual([]);
          }
          // Leaving a page ends its stream.
          const others = problems.filter((problem) => !problem.endsWith('/admin/api/live'));
          expect(others).toEqual([]);
        }));
    }
  }

  test('speaks Arabic from right to left', () =>
    visit(browser, { ...SIZES.phone, locale: 'ar' }, async ({ page }) => {
      await open(page);
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
      await expect.poll(() => page.locator('main h1').textContent()).toBe('الوثائق');
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);
    }));

  test('is for administrators alone', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto(`${server.url}admin/pads`);
      expect(page.url()).toBe(`${server.url}sign-in?next=admin%2Fpads`);
      const answer = await fetch(`${server.url}admin/api/pads`);
      expect(answer.status).toBe(401);
    }));
});

describe('the list of pads', () => {
  test('is paged, sorted both ways, and goes back', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await expect
        .poll(() => names(page))
        .toEqual(Array.from({ length: 50 }, (_, at) => name(PADS - at)));
      await page.getByRole('button', { name: 'Next' }).click();
      await first(page, name(PADS - 50));
      await listIsThere(page);
      await expect.poll(() => names(page)).toHaveLength(50);
      await page.getByRole('button', { name: 'Previous' }).click();
      await first(page, name(PADS));
      await page.getByRole('button', { name: 'Name' }).click();
      await first(page, name(1));
      await page.getByRole('button', { name: 'Name' }).click();
      await first(page, name(PADS));
      await page.getByRole('button', { name: 'Created' }).click();
      await listIsThere(page);
      await page.getByRole('button', { name: 'Created' }).click();
      await first(page, name(1));
      const created = page.getByRole('columnheader', { name: 'Created' });
      await expect.poll(() => created.getAttribute('aria-sort')).toBe('ascending');
    }));

  test('finds what is in the middle of all names, and what is not there', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const search = page.getByLabel('Search by name');
      await search.fill('PAD-05432');
      await first(page, name(54_329));
      await listIsThere(page);
      await expect
        .poll(() => names(page))
        .toEqual(Array.from({ length: 10 }, (_, at) => name(54_329 - at)));
      await expect.poll(() => page.url()).toContain('search=PAD-05432');
      await page.reload();
      await listIsThere(page);
      await expect.poll(() => names(page)).toHaveLength(10);
      await search.fill('no such pad');
      await page.getByText('No matching pads.').waitFor();
    }));

  test('shows titles, and finds pads by them', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto(`${server.url}p/${name(4242)}`);
      await page.locator('.identity h1').getByRole('button').click();
      await page.getByRole('textbox', { name: 'Title of this pad' }).fill('Minutes of May');
      await page.keyboard.press('Enter');
      await page.locator('.identity h1').getByText('Minutes of May').waitFor();
      for (const filter of ['', '&filter=occupied']) {
        const writer = await page.context().newPage();
        await writer.goto(`${server.url}p/${name(4242)}`);
        await writer.locator('[data-state=saved]').waitFor();
        await open(page, `?search=of%20MAY${filter}`);
        await expect.poll(() => names(page)).toEqual([name(4242)]);
        await page.getByRole('row').getByText('Minutes of May').waitFor();
        await writer.close();
      }
      expect(await accessibilityProblems(page)).toEqual([]);
    }));

  test('shows who is in a pad now', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const writer = await page.context().newPage();
      await writer.goto(`${server.url}p/${name(777)}`);
      await writer.locator('[data-state=saved]').waitFor();
      await page.getByLabel('Show', { exact: true }).selectOption('occupied');
      await first(page, name(777));
      const row = page.getByRole('row', { name: name(777) });
      await expect.poll(() => row.getByRole('cell').nth(5).textContent()).toBe('1');
      await writer.close();
    }));
});

describe('what is done with pads', () => {
  test('a pad is opened, and downloaded', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page, '?search=pad-000010');
      const more = page.getByRole('button', { name: `What to do with ${name(10)}` });
      const coming = page.waitForEvent('download');
      await more.click();
      await page.getByRole('menuitem', { name: 'Download as etherpad' }).click();
      expect((await coming).suggestedFilename()).toBe(`${name(10)}.etherpad`);
      await more.click();
      await page.getByRole('menuitem', { name: 'Open' }).click();
      await page.locator('.cm-content', { hasText: 'Some words' }).waitFor();
    }));

  test('many are chosen and deleted, after a question, with progress', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await open(page, '?search=pad-0333&sort=name');
      await page.getByLabel('Select all on this page').check();
      await page.getByText('50 pads selected').waitFor();
      await page.getByRole('button', { name: 'Select all results' }).click();
      await page.getByText('100 pads selected').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Delete…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete 100 pads?' });
      await dialog.waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => names(page)).toHaveLength(50);
      await page.getByRole('button', { name: 'Delete…' }).click();
      await dialog.getByRole('button', { name: 'Delete 100 pads' }).click();
      await page.getByText('100 pads were deleted.').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('No matching pads.').waitFor();
      expect(problems).toEqual([]);
    }));

  test('the history of one is removed, down to the revisions to keep', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      const pad = name(4242);
      const writer = await page.context().newPage();
      await openAdmin(page, `${server.url}admin/pads`);
      await writer.goto(`${server.url}p/${pad}`);
      await writer.locator('[data-state=saved]').waitFor();
      await writer.locator('.cm-content').click();
      for (const letter of 'abcd') {
        await writer.keyboard.type(letter);
        await writer.locator('[data-state=saved][data-settled=true]').waitFor();
      }
      await writer.close();
      await open(page, `?search=${pad}`);
      const row = page.getByRole('row', { name: pad });
      const revisions = async () => Number(await row.getByRole('cell').nth(1).textContent());
      const before = await revisions();
      expect(before).toBeGreaterThan(2);
      await row.getByRole('button').click();
      await page.getByRole('menuitem', { name: 'Remove history…' }).click();
      const dialog = page.getByRole('dialog');
      await expect.poll(() => dialog.getByLabel('Revisions to keep').inputValue()).toBe('2');
      await dialog.getByRole('button', { name: 'Remove its history' }).click();
      await page.getByText('1 pad was made smaller.').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await expect.poll(revisions).toBeLessThan(before);
    }));
});

// Somebody in a pad, in a browser of their own.
const writer = async (pad: string, person: string): Promise<Page> => {
  const context = await newContext(browser, { ...SIZES.desktop, baseURL: server.url });
  const page = await context.newPage();
  await page.goto(`p/${pad}?userName=${person}`);
  await page.locator('[data-state=saved]').waitFor();
  return page;
};

describe('what is going on', () => {
  test('is shown as it happens', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await openAdmin(page, `${server.url}admin`);
      await page.locator(PAGES['']).waitFor();
      const tile = (label: string) =>
        page
          .locator('.tile')
          .filter({ has: page.getByText(label, { exact: true }) })
          .locator('dd');
      const pads = async () => Number((await tile('Pads').textContent())?.replace(/\D/g, ''));
      await expect.poll(pads).toBeGreaterThan(99_000);
      const ada = await writer('pad-000321', 'Ada');
      await tile('Pads in use').getByText('1', { exact: true }).waitFor();
      await expect.poll(() => tile('People in pads').textContent()).toBe('1');
      await ada.context().close();
      await tile('Pads in use').getByText('0', { exact: true }).waitFor();
      expect(problems).toEqual([]);
    }));

  test('people in pads see what an administrator sends', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      const ada = await writer('pad-000322', 'Ada');
      await openAdmin(page, `${server.url}admin/message`);
      await page.getByLabel('Message', { exact: true }).fill('Please save your work.');
      await page.getByLabel('Stays until it is dismissed').check();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Sent to 1 person.').waitFor();
      await ada.locator('.notice', { hasText: 'Please save your work.' }).waitFor();
      await ada.context().close();
    }));

  test('an author is found, looked at and erased', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      const grace = await writer('pad-000323', 'Grace');
      await grace.locator('.cm-content').click();
      await grace.keyboard.type('Hello');
      await grace.locator('[data-state=saved][data-settled=true]').waitFor();
      await grace.context().close();
      await openAdmin(page, `${server.url}admin/authors`);
      await page.getByLabel('Search by name or id').fill('grac');
      await page.getByRole('button', { name: 'Erase… Grace' }).click();
      const dialog = page.getByRole('dialog', { name: 'Erase Grace?' });
      const counter = (label: string) =>
        dialog.locator('.facts > div', { hasText: label }).locator('dd').textContent();
      await dialog.locator('.facts').waitFor();
      await expect.poll(() => counter('Pads written in')).toBe('1');
      await expect.poll(() => counter('Browsers that are recognised')).toBe('1');
      expect(await accessibilityProblems(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Erase for good' }).click();
      await page.getByText('The author is erased.').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText('No matching authors.').waitFor();
    }));
});

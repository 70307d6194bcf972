// The page of one pad in the admin area: what it says, and what can be done there.

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listIsThere, openAdmin } from './admin.ts';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { OwnServer } from './server.ts';

let browser: Browser;
let server: OwnServer;

beforeAll(async () => {
  browser = await launch();
  server = await OwnServer.start({
    users: { root: { password: 'the key to it', is_admin: true } },
    cleanup: { enabled: true, keepRevisions: 0 },
  });
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

// Somebody who writes a word in a pad, and stays.
const write = async (page: Page, pad: string): Promise<Page> => {
  const writer = await page.context().newPage();
  await writer.goto(`${server.url}p/${pad}`);
  await writer.locator('[data-state=saved]').waitFor();
  await writer.locator('.cm-content').click();
  await writer.keyboard.type('Hello');
  await writer.locator('[data-state=saved][data-settled=true]').waitFor();
  return writer;
};

const open = async (page: Page, pad: string): Promise<void> => {
  await openAdmin(page, `${server.url}admin/pads?${new URLSearchParams({ pad })}`);
  await page.locator('.pad-details[data-settled=true]').waitFor();
};

const tile = (page: Page, label: string) =>
  page
    .locator('.tile')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');

test('a pad is opened from the list by its name, and says what is known about it', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    const writer = await write(page, 'minutes');
    await openAdmin(page, `${server.url}admin/pads`);
    await listIsThere(page);
    await page.getByRole('link', { name: 'minutes' }).click();
    await page.getByRole('heading', { name: 'minutes' }).waitFor();
    await page.locator('.pad-details[data-settled=true]').waitFor();
    expect(page.url()).toContain('admin/pads?pad=minutes');
    expect(await page.title()).toContain('minutes');
    await expect.poll(() => tile(page, 'Characters').textContent()).toBe('6');
    await expect
      .poll(() => page.locator('.pad-people').first().textContent())
      .toBe('Without a name');
    await page.getByText('Read-only link').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('menuitem', { name: 'Download as etherpad' }).click();
    expect((await coming).suggestedFilename()).toBe('minutes.etherpad');
    await writer.close();
    await expect
      .poll(async () => {
        await open(page, 'minutes');
        return page.getByText('Nobody').count();
      })
      .toBe(1);
    expect(problems).toEqual([]);
  }));

test('its history is removed, it is archived, and its archive deleted', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    await (await write(page, 'plans')).close();
    await open(page, 'plans');
    await expect.poll(() => tile(page, 'Revisions').textContent()).not.toBe('0');
    await page.getByRole('button', { name: 'Remove history…' }).click();
    await page.getByRole('button', { name: 'Remove its history' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => tile(page, 'Revisions').textContent()).toBe('0');
    await page.getByRole('button', { name: 'Archive…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move to the archive?' });
    await dialog.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Archived: 1').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const archive = page.getByRole('link', { name: /^archived-\d{4}-\d\d-\d\d-plans$/ });
    await archive.click();
    await expect.poll(() => tile(page, 'Characters').textContent()).toBe('6');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete the pad' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL(`${server.url}admin/pads`);
    await open(page, 'plans');
    await page.getByText('There is no such pad.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  }));

test('the list is narrowed by age and size, and begins at a name', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    for (const pad of ['list-a', 'list-b', 'list-c']) await (await write(page, pad)).close();
    await openAdmin(page, `${server.url}admin/pads`);
    await listIsThere(page);
    const names = () => page.locator('.list tbody th a').allTextContents();
    const all = (await names()).length;
    await expect.poll(() => page.locator('.total').textContent()).toBe(`Pads ${all}`);
    await page.getByRole('textbox', { name: 'Go to name' }).fill('list-b');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['list-b', 'list-c']);
    await expect.poll(() => page.url()).toContain('from=list-b');
    expect(await accessibilityProblems(page)).toEqual([]);
    const age = page.getByLabel('Last change', { exact: true });
    await age.selectOption({ label: '> 30 days' });
    await page.getByText('No matching pads.').waitFor();
    await page.reload();
    await page.getByText('No matching pads.').waitFor();
    await age.selectOption({ label: '≤ 1 day' });
    await expect.poll(async () => (await names()).length).toBe(all);
    await page.getByLabel('Size', { exact: true }).selectOption({ label: '> 10 MB' });
    await page.getByText('No matching pads.').waitFor();
    await page.getByLabel('Size', { exact: true }).selectOption({ label: 'Any' });
    await page.getByText('The 1,000 largest pads').waitFor();
    await expect.poll(async () => (await names()).length).toBe(all);
    expect(await accessibilityProblems(page)).toEqual([]);
    // The busiest first.
    const writer = await write(page, 'list-b');
    const second = await write(page, 'list-b');
    const other = await write(page, 'list-c');
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Pads in use now' });
    await expect.poll(names).toEqual(['list-b', 'list-c']);
    await expectFits(page);
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Pads outside groups' });
    await expect.poll(async () => (await names()).length).toBe(all);
    await page.getByRole('button', { name: 'People' }).click();
    await expect.poll(names).toEqual(['list-b', 'list-c']);
    for (const tab of [writer, second, other]) await tab.close();
  }));

test('on a phone a pad has its row to itself, but for a box and a menu', () =>
  visit(browser, SIZES.phone, async ({ page }) => {
    await (await write(page, 'narrow')).close();
    await openAdmin(page, `${server.url}admin/pads?search=narrow`);
    await listIsThere(page);
    await page.getByRole('button', { name: 'Last change' }).waitFor();
    const row = page.locator('.list tbody tr').first();
    const width = async (cell: Locator) => (await cell.boundingBox())?.width ?? 0;
    const [all, name] = [await width(row), await width(row.locator('th'))];
    expect(name / all).toBeGreaterThan(0.6);
    await expectFits(page);
  }));

for (const [size, options] of Object.entries(SIZES)) {
  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const) {
    test(`${size}, ${locale}, ${colorScheme}: fits and is accessible`, () =>
      visit(browser, { ...options, colorScheme, locale }, async ({ page }) => {
        const writer = await write(page, 'a-name-that-is-as-long-as-a-name-of-a-pad-may-be-');
        await open(page, 'a-name-that-is-as-long-as-a-name-of-a-pad-may-be-');
        await page.locator('.pad-people').first().waitFor();
        await page.bringToFront();
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
        await writer.close();
      }));
  }
}

// The log in the admin area: live, searched, by level, paused.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAdmin, ownAdminServer } from './admin.ts';
import { accessibilityProblems, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';

const here = ownAdminServer();

const open = async (page: Page): Promise<void> => {
  await openAdmin(page, `${here.server.url}admin/log`);
  await page.locator('.log-lines[data-settled=true] li').first().waitFor();
};
const lines = (page: Page): Promise<string[]> => page.locator('.log-lines li').allTextContents();

test('lines come by themselves, and are found by text and level', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await open(page);
    await page.getByText('It is written from level INFO on', { exact: false }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // Another page makes a line, which is there without a reload.
    await page.getByLabel('Search the lines').fill('/first-of-all');
    await page.getByText('No lines found.').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${here.server.url}first-of-all`);
    await expect.poll(async () => (await lines(page)).length).toBe(1);
    expect((await lines(page))[0]).toContain('INFO');
    // Nothing moves while it is paused.
    await page.getByRole('button', { name: 'Pause' }).click();
    await other.goto(`${here.server.url}first-of-all/and/second`);
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect(await lines(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(async () => (await lines(page)).length).toBe(2);
    await page.getByLabel('From level').selectOption('ERROR');
    await page.getByText('No lines found.').waitFor();
    // A level that operators choose while it runs.
    await here.server.command('log-level', 'debug');
    await page.getByText('It is written from level DEBUG on', { exact: false }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  }));

for (const [size, options] of Object.entries(SIZES)) {
  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const) {
    test(`${size}, ${locale}, ${colorScheme}: fits and is accessible`, () =>
      visit(here.browser, { ...options, colorScheme, locale }, async ({ page }) => {
        await open(page);
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
      }));
  }
}

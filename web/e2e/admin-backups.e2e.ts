// Backups in the admin area: made and downloaded, tested, and what is said when one fails.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAdmin, ownAdminServer } from './admin.ts';
import { accessibilityProblems, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';

const here = ownAdminServer();

const open = async (page: Page) => {
  await openAdmin(page, `${here.server.url}admin`);
  const backups = page.getByRole('region', { name: 'Backups' });
  await backups.waitFor();
  return backups;
};

test('a backup is made, downloaded, and its restore tested', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    const backups = await open(page);
    await backups.getByText('The service has not made a backup yet.').waitFor();
    await backups.getByText('Automatic backups are off').waitFor();
    expect(await backups.getByRole('button', { name: 'Test a restore' }).count()).toBe(0);
    const waiting = page.waitForEvent('download');
    await backups.getByRole('button', { name: 'Back up now and download' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toMatch(/^pads-.*Z-manual\.db$/);
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(0, 15).toString()).toBe('SQLite format 3');
    await backups.getByText(/^Last backup: .*, verified\./).waitFor();
    await backups.getByRole('link', { name: 'Download' }).waitFor();
    await backups.getByRole('button', { name: 'Test a restore' }).click();
    await backups.getByText(/^Restore tested .*, no problems\. Pads: 0, revisions: 0\.$/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await openAdmin(page, `${here.server.url}admin/audit`);
    await page.getByLabel('Show').selectOption({ label: 'Backups' });
    const actions = page.locator('.list tbody tr td:nth-child(3)');
    await expect
      .poll(() => actions.allTextContents())
      .toEqual(['backups.test', 'backups.download', 'backups']);
  }));

test('a backup that fails says why', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await here.server.kill();
    await here.server.start({ ...here.settings, backups: { folder: 'settings.json' } });
    const backups = await open(page);
    await backups.getByRole('button', { name: 'Back up now and download' }).click();
    await backups.getByText(/^The last backup failed: .*settings\.json/).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  }));

for (const [size, options] of Object.entries(SIZES)) {
  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const) {
    test(`${size}, ${locale}, ${colorScheme}: fits and is accessible`, () =>
      visit(here.browser, { ...options, colorScheme, locale }, async ({ page }) => {
        await openAdmin(page, `${here.server.url}admin`);
        await page.locator('.backups button').first().waitFor();
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
      }));
  }
}

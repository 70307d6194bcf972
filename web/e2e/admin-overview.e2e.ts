// The overview of the admin area: health, charts with tables and files behind them, storage.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openAdmin, ownAdminServer } from './admin.ts';
import { accessibilityProblems, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';

const here = ownAdminServer();

const open = async (page: Page): Promise<void> => {
  await openAdmin(page, `${here.server.url}admin`);
  await page.locator('.charts[data-settled=true]').waitFor();
  await page.locator('#storage').waitFor();
};
const chart = (page: Page, name: string) => page.getByRole('figure', { name });

test('says what is well, and the same about versions as the page about updates', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await open(page);
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Everything is working.').waitFor();
    const unknown = 'It is not known yet whether there is a newer version.';
    await health.getByText(unknown).waitFor();
    await health.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('heading', { name: unknown }).waitFor();
  }));

test('charts can be read as pictures, tables and files', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await open(page);
    const memory = chart(page, 'Memory');
    await memory.locator('path.line-1').first().waitFor({ state: 'attached' });
    await memory.getByText(/Memory: .*MB, at most/).waitFor();
    await memory.getByText('Show as table').click();
    await memory.getByRole('columnheader', { name: 'Time' }).waitFor();
    await expect.poll(() => memory.getByRole('row').count()).toBeGreaterThan(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    // Nothing was stored or delivered yet.
    await chart(page, 'Time to store').getByText('Nothing was measured').waitFor();
    for (const [span, points] of [
      ['1 hour', 120],
      ['24 hours', 144],
      ['7 days', 168],
      ['90 days', 90],
    ] as const) {
      await page.getByRole('radio', { name: span, exact: true }).check();
      const link = page.getByRole('link', { name: 'Download CSV' });
      const waiting = page.waitForEvent('download');
      await link.click();
      const text = await (await waiting).createReadStream();
      let csv = '';
      for await (const piece of text) csv += piece;
      expect(csv.trim().split('\n'), span).toHaveLength(points + 1);
    }
  }));

test('shows how much is stored, and by which pads', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await page.goto(`${here.server.url}p/large-one`);
    await open(page);
    const storage = page.getByRole('region', { name: 'Storage' });
    const free = storage.locator('.tile', { hasText: 'Free disk space' }).locator('dd');
    await expect.poll(() => free.textContent()).toMatch(/[GT]B$/);
    await storage.getByText('The sizes of the pads').or(storage.getByText('History')).waitFor();
  }));

for (const [size, options] of Object.entries(SIZES)) {
  for (const locale of ['en', 'ar']) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${locale}, ${colorScheme}: fits and is accessible`, () =>
        visit(here.browser, { ...options, colorScheme, locale }, async ({ page }) => {
          await open(page);
          await expectFits(page);
          expect(await accessibilityProblems(page)).toEqual([]);
          const dir = page.locator('html');
          await expect.poll(() => dir.getAttribute('dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr');
        }));
    }
  }
}

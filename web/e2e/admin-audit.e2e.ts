// The audit log of the admin area: what an administrator does is there, and can be found.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { listIsThere, openAdmin, ownAdminServer } from './admin.ts';
import { accessibilityProblems, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';

const here = ownAdminServer();

const open = async (page: Page): Promise<void> => {
  await openAdmin(page, `${here.server.url}admin/audit`);
  await listIsThere(page);
};
const rows = (page: Page): Promise<string[]> => page.locator('.list tbody tr').allTextContents();

test('what an administrator does is written down, found and downloaded', () =>
  visit(here.browser, SIZES.desktop, async ({ page }) => {
    await open(page);
    await page.getByText('No entries found.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await openAdmin(page, `${here.server.url}admin/message`);
    await page.locator('#message').fill('Lunch is ready');
    await page.locator('main form button, main button').last().click();
    const origin = new URL(here.server.url).origin;
    const sent = await page.request.post(`${here.server.url}admin/api/pads/delete`, {
      headers: { origin },
      data: { pads: ['no-such-pad'] },
    });
    expect(sent.status()).toBe(200);
    // What an operator asks the server for is there too.
    await here.server.command('log-level', 'info');
    await open(page);
    await expect.poll(async () => (await rows(page)).length).toBe(3);
    const [command, deleted, message] = await rows(page);
    expect(command).toContain('command.log-level');
    expect(command).toContain('command line');
    expect(deleted).toContain('pads.delete');
    expect(deleted).toContain('1 failed');
    expect(message).toContain('root');
    expect(message).not.toContain('Lunch');
    await page.getByLabel('Search the log').fill('LOG-level');
    await expect.poll(async () => (await rows(page)).length).toBe(1);
    await page.getByLabel('Search the log').fill('');
    await page.getByLabel('Show').selectOption({ label: 'Pads' });
    await expect.poll(() => rows(page)).toEqual([expect.stringContaining('pads.delete')]);
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    let csv = '';
    for await (const piece of await (await waiting).createReadStream()) csv += piece;
    expect(csv.trim().split('\n')).toHaveLength(2);
    expect(csv).toContain('"pads.delete"');
  }));

for (const [size, options] of Object.entries(SIZES)) {
  for (const [locale, colorScheme] of [
    ['en', 'light'],
    ['ar', 'dark'],
  ] as const) {
    test(`${size}, ${locale}, ${colorScheme}: fits and is accessible`, () =>
      visit(here.browser, { ...options, colorScheme, locale }, async ({ page }) => {
        await open(page);
        await expect.poll(async () => (await rows(page)).length).toBe(3);
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
      }));
  }
}

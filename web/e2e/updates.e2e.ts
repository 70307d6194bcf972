// Updates, installed by an administrator on the page: with a real repository, a real build of a small
// program, and a service that ends and restarts.

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdmin } from './admin.ts';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { Installation } from './installation.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

async function withInstallation(work: (here: Installation) => Promise<void>): Promise<void> {
  const here = await Installation.make();
  try {
    await work(here);
  } finally {
    await here.end();
  }
}

const open = async (page: Page, here: Installation): Promise<void> => {
  await openAdmin(page, `${here.url}admin/update`);
  await page.locator('.updates[data-settled=true]').waitFor();
};
const says = (page: Page, words: string | RegExp): Promise<void> =>
  page.locator('main').getByText(words).first().waitFor();
const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
const step = (page: Page, name: string): Promise<void> =>
  page.locator('.progress [aria-current=step]', { hasText: name }).waitFor();
const fact = async (page: Page, name: string): Promise<string | null> =>
  page.locator('.facts div', { hasText: name }).locator('dd').textContent();

async function fitsAndIsAccessible(page: Page): Promise<void> {
  await expectFits(page);
  expect(await accessibilityProblems(page)).toEqual([]);
}

// The login outlasts the restart, so the page goes on by itself.
async function settles(page: Page): Promise<void> {
  await page.locator('.updates[data-settled=true]').waitFor();
}

test('a new version is seen, installed, and runs', () =>
  withInstallation(async (here) => {
    await here.publish('1.1.0');
    await here.start();
    await visit(browser, SIZES.desktop, async ({ page }) => {
      // Every page says so, and leads here.
      await openAdmin(page, `${here.url}admin/pads`);
      await says(page, 'Version 1.1.0 is available.');
      await page.getByRole('link', { name: 'Details' }).click();
      await page.locator('.updates[data-settled=true]').waitFor();
      await says(page, '- what is new in 1.1.0');
      const link = page.getByRole('link', { name: 'This release at the code host' });
      await expect.poll(() => link.getAttribute('href')).toBe('https://example.org/v1.1.0');
      await expect.poll(() => fact(page, 'Running version')).toBe('1.0.0');
      await fitsAndIsAccessible(page);

      await here.hold('build');
      await here.hold('start');
      await press(page, 'Install now');
      await step(page, 'Install');
      // The log grows while it is looked at.
      await says(page, /DRAINING.*EXECUTING/s);
      await fitsAndIsAccessible(page);
      // Too late for what other pages may still offer.
      const late = await page.request.post(`${here.url}admin/update/cancel`, {
        headers: { origin: new URL(here.url).origin },
      });
      expect(late.status()).toBe(409);

      await here.letGo('build');
      await says(page, 'Restarting. This page reconnects by itself.');
      await here.letGo('start');
      await says(page, 'v1.1.0 is installed and works.');
      // The login outlasts the restart.
      await expect.poll(() => fact(page, 'Running version')).toBe('1.1.0');

      await settles(page);
      await says(page, 'This is the newest version that is known.');
      await expect.poll(() => fact(page, 'Running version')).toBe('1.1.0');
      await says(page, /PENDING-VERIFICATION.*VERIFIED/s);
      await expect
        .poll(() => fact(page, 'Last attempt'))
        .toContain('v1.1.0 is installed and works.');
      await expect.poll(() => page.getByRole('button', { name: 'Install now' }).count()).toBe(0);
    });
  }));

test('a version that does not start is taken back, and that is acknowledged', () =>
  withInstallation(async (here) => {
    await here.publish('1.1.0', 'dead');
    await here.start();
    await visit(browser, { ...SIZES.phone, colorScheme: 'dark' }, async ({ page }) => {
      await open(page, here);
      await press(page, 'Install now');
      await says(page, 'v1.1.0 did not work; the version before it is back.');
      await settles(page);
      await expect.poll(() => fact(page, 'Running version')).toBe('1.0.0');
      await says(page, 'the new program does not start');
      await fitsAndIsAccessible(page);

      await openAdmin(page, `${here.url}admin/message`);
      await says(page, 'v1.1.0 did not work; the version before it is back.');
      await open(page, here);
      await press(page, 'Acknowledge');
      await says(page, 'Nothing is being installed.');
      await openAdmin(page, `${here.url}admin/message`);
      await says(page, 'Version 1.1.0 is available.');
    });
  }));

test('one that is scheduled counts down everywhere, and is cancelled', () =>
  withInstallation(async (here) => {
    await here.publish('1.1.0');
    await here.start({
      tier: 'auto',
      preApplyGraceMinutes: 60,
      drainSeconds: 3600,
      maintenanceWindow: { start: '00:00', end: '23:59', tz: 'utc' },
    });
    await visit(browser, SIZES.desktop, async ({ page }) => {
      await openAdmin(page, `${here.url}admin/message`);
      await says(page, 'v1.1.0 will be installed.');
      const timer = page.getByRole('timer');
      const first = await timer.textContent();
      expect(first).toMatch(/^in (?:59 min|1 hr)/);
      await expect.poll(() => timer.textContent()).not.toBe(first);

      await open(page, here);
      await expect
        .poll(() => page.getByRole('timer').textContent())
        .toMatch(/^in 5\d min \d+ sec$/);
      await says(page, 'Every day from 00:00 to 23:59 UTC.');
      await says(page, 'It counts for the tier autonomous only.');
      await fitsAndIsAccessible(page);
      await press(page, 'Cancel');
      await says(page, 'Nothing is being installed.');
      await expect.poll(() => page.getByRole('timer').count()).toBe(0);
      await expect.poll(() => fact(page, 'Last attempt')).toContain('v1.1.0 was cancelled.');

      // People in pads are warned for as long as the settings say, and it can still be cancelled.
      await press(page, 'Install now');
      await step(page, 'Drain');
      await page.getByRole('timer').waitFor();
      await press(page, 'Cancel');
      await says(page, 'Nothing is being installed.');

      // What is in the way is said in words, and by name.
      await appendFile(join(here.root, 'src/main.rs'), '// mine\n');
      await press(page, 'Install now');
      await says(page, 'v1.1.0 cannot be installed. Nothing was changed.');
      await says(page, 'Files of the checkout were changed by hand.');
      await says(page, 'src/main.rs');
    });
  }));

// The page about the API in a browser: both themes, large and small, links and copying.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  background,
  launch,
  SIZES,
  serverUrl,
  THEMES,
  visit,
} from './browser.ts';
import { expectFits } from './expectations.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// Our script marks where the reader is once it runs, so everything is loaded by then.
async function open(page: Page): Promise<void> {
  const response = await page.goto('api-docs');
  expect(response?.status()).toBe(200);
  await page.locator('.contents a[aria-current]').first().waitFor({ state: 'attached' });
}

describe('page about the API', () => {
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: loads, fits, is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          const elsewhere: string[] = [];
          page.on('request', (request) => {
            if (!request.url().startsWith(serverUrl())) elsewhere.push(request.url());
          });
          await open(page);
          await expect.poll(() => background(page)).toBe(THEMES[colorScheme]);
          await expectFits(page);
          expect(await accessibilityProblems(page)).toEqual([]);
          expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([]);
          expect(problems).toEqual([]);
        }));
    }
  }

  test('every link inside the page leads somewhere', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const lost = await page.evaluate(() => {
        const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
        const ids = links.map((link) => decodeURIComponent(link.hash.slice(1)));
        return { count: ids.length, lost: ids.filter((id) => !document.getElementById(id)) };
      });
      expect(lost.count).toBeGreaterThan(100);
      expect(lost.lost).toEqual([]);
    }));

  test('a link into the page shows and marks its function', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto('api-docs#getChatHead');
      await page.locator('.contents a[aria-current][href="#getChatHead"]').waitFor();
      await expect.poll(() => page.locator('#getChatHead').isVisible()).toBe(true);
    }));

  test('OpenAPI documents that it links to are there, for any page', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const links = page.locator('a[href$="openapi.json"]');
      const addresses = await links.evaluateAll((all) =>
        all.map((link) => (link as HTMLAnchorElement).href),
      );
      expect(addresses).toHaveLength(16);
      for (const address of addresses) {
        const response = await fetch(address);
        expect(response.status).toBe(200);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        const document = (await response.json()) as { info: { version: string } };
        expect(new URL(address).pathname).toContain(`/${document.info.version}/`);
      }
    }));

  test('a call can be copied, and names this server', () =>
    visit(
      browser,
      { ...SIZES.desktop, permissions: ['clipboard-read', 'clipboard-write'] },
      async ({ page }) => {
        await open(page);
        const first = page.locator('.code[data-copy]').first();
        await first.getByRole('button', { name: 'Copy' }).click();
        await first.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        const address = serverUrl().replace(/\/$/, '');
        expect(copied).toBe(`PADSVC=${address}\nAPIKEY=$(cat APIKEY.txt)`);
      },
    ));

  test('is complete without scripts', () =>
    visit(browser, { ...SIZES.desktop, javaScriptEnabled: false }, async ({ page }) => {
      await page.goto('api-docs');
      await expect.poll(() => page.locator('article').count()).toBe(52);
      await expect.poll(() => page.locator('button').count()).toBe(0);
    }));
});

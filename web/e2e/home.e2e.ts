// The start page in a browser: both themes, large and small, with and without a server behind it.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, look, SIZES, serverUrl, THEMES, visit } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('start page', () => {
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: loads, fits, is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          const response = await page.goto('');
          expect(response?.status()).toBe(200);
          expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
          // Set by our script once the server has answered it, so everything is loaded by then.
          await page.locator('.status[data-state=up]').waitFor();
          const { background, overflow } = await look(page);
          expect(background).toBe(THEMES[colorScheme]);
          expect(overflow).toBeLessThanOrEqual(0);
          expect(await accessibilityProblems(page)).toEqual([]);
          expect(problems).toEqual([]);
        }));
    }
  }

  test('says so when the server stops answering, and when it is back', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto('');
      const status = page.getByRole('status');
      await page.locator('.status[data-state=up]').waitFor();
      const running = await status.textContent();
      await page.context().setOffline(true);
      await page.locator('.status[data-state=down]').waitFor();
      expect(await status.textContent()).not.toBe(running);
      await page.context().setOffline(false);
      await page.locator('.status[data-state=up]').waitFor();
      expect(await status.textContent()).toBe(running);
    }));

  test('is complete without scripts', () =>
    visit(browser, { ...SIZES.desktop, javaScriptEnabled: false }, async ({ page }) => {
      await page.goto('');
      expect(await page.getByRole('status').textContent()).not.toBe('');
      expect(await page.locator('a, form, button').count()).toBe(0);
    }));

  test('keeps its shape in forced colours and without motion', () =>
    visit(
      browser,
      { ...SIZES.desktop, forcedColors: 'active', reducedMotion: 'reduce' },
      async ({ page, problems }) => {
        await page.goto('');
        await page.locator('.status[data-state=up]').waitFor();
        const motion = await page.evaluate(() => {
          const dot = getComputedStyle(document.querySelector('.status') as Element, '::before');
          return dot.transitionDuration;
        });
        expect(motion).toBe('0s');
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(problems).toEqual([]);
      },
    ));
});

describe('other addresses', () => {
  test('health answers', async () => {
    const response = await fetch(new URL('health', serverUrl()));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'pass' });
  });

  test('an address that leads nowhere is a page too', () =>
    visit(browser, SIZES.phone, async ({ page }) => {
      const response = await page.goto('no/such/page');
      expect(response?.status()).toBe(404);
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await accessibilityProblems(page)).toEqual([]);
    }));
});

// The start page in a browser: both themes, large and small, with and without a server behind it.

import type { Browser } from 'playwright-core';
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

describe('start page', () => {
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: loads, fits, is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          const response = await page.goto('');
          expect(response?.status()).toBe(200);
          await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
          // Set by our script once the server has answered it, so everything is loaded by then.
          await page.locator('.status[data-state=up]').waitFor();
          await expect.poll(() => background(page)).toBe(THEMES[colorScheme]);
          await expectFits(page);
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
      await expect.poll(() => status.textContent()).not.toBe(running);
      await page.context().setOffline(false);
      await page.locator('.status[data-state=up]').waitFor();
      await expect.poll(() => status.textContent()).toBe(running);
    }));

  test('is complete without scripts: both forms lead to a pad', () =>
    visit(browser, { ...SIZES.desktop, javaScriptEnabled: false }, async ({ page }) => {
      await page.goto('');
      await expect.poll(() => page.getByRole('status').textContent()).not.toBe('');
      await page.getByRole('button', { name: 'New pad' }).click();
      await page.waitForURL(/\/p\/[^/]{10,}$/);
      await page.goto('');
      await page.getByLabel('Open a pad by its name').fill('my first pad');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.waitForURL('**/p/my_first_pad');
      await page.goto('');
      // What needs a script is not there without one.
      await expect.poll(() => page.locator('.recent').isVisible()).toBe(false);
    }));

  test('lists the pads of this browser, until they are forgotten', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await page.goto('');
      await expect.poll(() => page.locator('.recent').isVisible()).toBe(false);
      await page.evaluate(() => {
        const pads = ['minutes', 'ideas', 'a/b<i>'].map((id, index) => ({ id, time: index }));
        localStorage.setItem('padsvc:recent', JSON.stringify([...pads, { id: 7 }]));
      });
      await page.reload();
      const links = page.locator('.recent li a');
      await expect.poll(() => links.allTextContents()).toEqual(['minutes', 'ideas', 'a/b<i>']);
      await expect.poll(() => links.last().getAttribute('href')).toBe('p/a%2Fb%3Ci%3E');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Forget ideas' }).click();
      await expect.poll(() => links.allTextContents()).toEqual(['minutes', 'a/b<i>']);
      await page.getByLabel('Remember the pads').uncheck();
      await expect.poll(() => links.count()).toBe(0);
      await page.reload();
      const remember = page.getByLabel('Remember the pads');
      await expect.poll(() => remember.isChecked()).toBe(false);
      await page.getByLabel('Remember the pads').check();
      await expect.poll(() => page.locator('.recent').isVisible()).toBe(false);
      expect(problems).toEqual([]);
    }));

  test('speaks the language of the browser, and the one that is asked for', () =>
    visit(browser, { ...SIZES.phone, locale: 'de-AT' }, async ({ page }) => {
      await page.goto('');
      await page.getByRole('button', { name: 'Neues Pad' }).waitFor();
      await page.goto('?lang=ar');
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);
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
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await accessibilityProblems(page)).toEqual([]);
    }));
});

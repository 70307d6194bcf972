// Floods on the clipboard: the page stays alive, and what a pad can take arrives.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { emptyPad } from './pad.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// Made in the page, which is faster than sending it there.
const FLOODS = {
  'five megabytes of paragraphs': { piece: '<p><b>word</b> and <i>more</i></p>', times: 130_000 },
  'ten thousand levels of elements': { piece: '<div>', times: 10_000, end: 'deep' },
  'ten thousand levels of lists': { piece: '<ul><li>a', times: 10_000 },
  'a hundred thousand items': { piece: '<li>item</li>', times: 100_000 },
  'a hundred thousand links in a line': {
    piece: '<a href="https://a.test/">x</a> ',
    times: 100_000,
  },
  'ten thousand unclosed formats': { piece: '<b><p>x', times: 10_000 },
  'too much to read': { piece: '<i>x</i>', times: 600_000 },
} satisfies Record<string, { piece: string; times: number; end?: string }>;

async function pasteFlood(page: Page, flood: { piece: string; times: number; end?: string }) {
  await page.locator('.cm-content').evaluate((content, { piece, times, end = '' }) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', piece.repeat(times) + end);
    clipboardData.setData('text/plain', 'plain instead');
    content.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, flood);
}

describe('a flood on the clipboard', () => {
  test.each(Object.entries(FLOODS))('%s', async (_, flood) => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    const failures: string[] = [];
    one.page.on('pageerror', (error) => failures.push(String(error)));
    await pasteFlood(one.page, flood);
    await expect.poll(() => one.page.locator('.cm-content').textContent()).not.toBe('');
    // The page still takes keys, at the place where the flood ended.
    await one.page.keyboard.type('alive');
    await expect.poll(() => one.page.locator('.cm-content').textContent()).toContain('alive');
    await expect.poll(() => one.page.locator('.state').getAttribute('data-state')).toBe('saved');
    expect(failures).toEqual([]);
    await one.context.close();
  });
});

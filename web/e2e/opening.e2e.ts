// What a pad waits for until one can type in it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, SIZES, visit } from './browser.ts';
import { newPadName, openPad, stateIs, text } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// The files that the page had begun to fetch when one could type, without the hashes in their names.
async function fetchedBefore(page: Page, name: string, query: string): Promise<string[]> {
  await page.addInitScript(() => {
    const look = () => {
      if (!document.querySelector('.cm-content[contenteditable=true] .cm-line')) return;
      watch.disconnect();
      Object.assign(window, { openAt: performance.now() });
    };
    const watch = new MutationObserver(look);
    watch.observe(document, { subtree: true, childList: true, attributes: true });
  });
  await openPad(page, name, query);
  return page.evaluate(() => {
    const { openAt } = window as unknown as { openAt: number };
    const files = performance.getEntriesByType('resource');
    return files
      .filter(({ name, startTime }) => startTime < openAt && name.includes('/assets/'))
      .map(({ name }) => name.replace(/^.*\/|-[^-]*(?=\.\w+$)/g, ''))
      .sort();
  });
}

test('one script, one style sheet, and the texts of the language', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    const always = ['inter-latin-wght-normal.woff2', 'pad.css', 'pad.js'];
    expect(await fetchedBefore(page, newPadName(), 'lang=en')).toEqual(always);
    expect(await fetchedBefore(page, newPadName(), 'lang=de')).toEqual(['de.js', ...always]);
    expect(problems).toEqual([]);
  }));

test('the text comes while the script is on its way, and what is typed is stored', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    const sockets: string[] = [];
    const came = new Promise<void>((resolve) => {
      page.on('websocket', (socket) => {
        sockets.push(socket.url());
        socket.on('framereceived', ({ payload }) => {
          if (payload.includes('CLIENT_VARS')) resolve();
        });
      });
    });
    await page.route(/\/assets\/pad-[^/]*\.js$/, async (route) => {
      await came;
      await route.continue();
    });
    await openPad(page, newPadName(), 'userName=Ada&userColor=%23abc');
    await text(page).click();
    await page.keyboard.type('words');
    await stateIs(page, /saved/);
    expect(sockets).toHaveLength(1);
    expect(problems).toEqual([]);
  }));

// A pad that was kept on the device opens without a network, and never in place of the server's own.

import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { expectText, newPadName, openPad, visitor } from './pad.ts';
import { dialog, fromMore, stateIs, write } from './padPage.ts';
import { OwnServer } from './server.ts';

let browser: Browser;
let server: OwnServer;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

beforeEach(async () => {
  server = await OwnServer.start({ title: 'One' });
});

afterEach(() => server.end());

// The addresses of everything that is kept, and of the pads whose text is.
async function kept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) found.push(new URL(url).pathname);
    }
    return found;
  });
}

function textKept(page: Page, pad: string): Promise<string> {
  return page.evaluate(async (pad) => {
    // Opening it would make it.
    const all = await indexedDB.databases();
    if (!all.some(({ name }) => name === 'pad-copies')) return '';
    return new Promise<string>((resolve) => {
      const request = indexedDB.open('pad-copies');
      request.onsuccess = () => {
        const database = request.result;
        const copy = database.transaction('copies').objectStore('copies').get(pad);
        copy.onsuccess = () => {
          database.close();
          resolve(JSON.stringify(copy.result ?? ''));
        };
      };
    });
  }, pad);
}

async function keepOnDevice(page: Page, wanted: boolean): Promise<void> {
  await fromMore(page, 'Settings');
  await page.getByLabel('Keep pads on this device').setChecked(wanted);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
}

test('written without a network, from the start, and merged when there is one', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad, {}, server.url);
  await keepOnDevice(page, true);
  await write(page, 'before');
  await stateIs(page, /saved/);
  await expect.poll(() => kept(page)).toContain(`/p/${pad}`);
  await expect.poll(() => textKept(page, pad)).toContain('before');
  // Files and pages, and nothing that a program may ask for; nor the key to the pad.
  expect((await kept(page)).filter((path) => !/^\/(?:assets\/.*|p\/[^/]+)?$/.test(path))).toEqual(
    [],
  );
  expect(await textKept(page, pad)).not.toContain('padDeletionToken');
  await server.kill();

  await openPad(page, pad);
  await expectText(page, 'before');
  await stateIs(page, /offline|reconnecting/);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' meanwhile');
  // Dialogs are there as well.
  await fromMore(page, 'Keyboard shortcuts');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');

  await server.start({ title: 'One' });
  const other = await visitor(browser, pad, {}, server.url);
  await expectText(other.page, 'before meanwhile');
  await expectText(page, 'before meanwhile');
  await stateIs(page, /saved/);
  await context.close();
  await other.context.close();
});

test('the page of a newer server is shown at once, and kept in place of the old one', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad, {}, server.url);
  await keepOnDevice(page, true);
  await expect.poll(() => kept(page)).toContain(`/p/${pad}`);
  await expect.poll(() => page.title()).toContain('One');
  await server.kill();
  await server.start({ title: 'Two' });
  await openPad(page, pad);
  await expect.poll(() => page.title()).toContain('Two');
  const keptTitle = () =>
    page.evaluate(async () => {
      const answer = await caches.match(location.href);
      return /<title>(.*)<\/title>/.exec((await answer?.text()) ?? '')?.[1];
    });
  await expect.poll(keptTitle).toContain('Two');
  await expect.poll(() => textKept(page, pad)).toContain(pad);
  await server.kill();
  await openPad(page, pad);
  await expect.poll(() => page.title()).toContain('Two');
  await context.close();
});

describe('nothing is kept', () => {
  test('without being asked for, and any more once it is not wanted', async () => {
    const pad = newPadName();
    const { page, context } = await visitor(browser, pad, {}, server.url);
    await stateIs(page, /saved/);
    expect(await kept(page)).toEqual([]);
    await keepOnDevice(page, true);
    await expect.poll(() => kept(page)).toContain(`/p/${pad}`);
    await expect.poll(() => textKept(page, pad)).toContain(pad);
    await keepOnDevice(page, false);
    await expect.poll(() => kept(page)).toEqual([]);
    await expect.poll(() => textKept(page, pad)).toBe('');
    const workers = () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
    await expect.poll(workers).toBe(0);
    await context.close();
  });
});

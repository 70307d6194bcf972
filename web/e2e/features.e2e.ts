// Every kind of formatting, wherever a pad is shown: on a desktop and a phone, in its history and in a
// comparison, in a pad that was made of its file, and without a network.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, SIZES } from './browser.ts';
import { FEATURES } from './features.ts';
import { emptyPad, newPadName, openPad, visitor } from './pad.ts';
import { dialog, fromMore, stateIs } from './padPage.ts';
import { OwnServer } from './server.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const count = (page: Page, selector: string) => page.locator(`.cm-content ${selector}`).count();

async function importFile(page: Page, name: string, content: string): Promise<void> {
  const status = await page.evaluate(
    async ([name = '', content = '']) => {
      const form = new FormData();
      form.append('file', new Blob([content]), name);
      const { status } = await fetch(`${location.pathname}/import`, { method: 'POST', body: form });
      return status;
    },
    [name, content],
  );
  expect(status).toBe(200);
}

describe('every kind of formatting', () => {
  let server: OwnServer;
  const pad = newPadName();

  beforeAll(async () => {
    server = await OwnServer.start();
    const { page, context } = await visitor(browser, pad, {}, server.url);
    await stateIs(page, /saved/);
    const html = FEATURES.map((feature) => feature.html).join('\n');
    await importFile(page, 'all.html', `<html><body>${html}</body></html>`);
    await context.close();
  });

  afterAll(() => server.end());

  // A missing one is named.
  async function expectAll(page: Page): Promise<void> {
    for (const { name, shown } of FEATURES) {
      await expect.poll(() => count(page, shown), { message: name }).toBeGreaterThan(0);
    }
  }

  test.each(['desktop', 'phone'] as const)('shows on a %s', async (size) => {
    const { page, context } = await visitor(browser, pad, SIZES[size], server.url);
    await expectAll(page);
    await context.close();
  });

  test('shows in the history and in a comparison', async () => {
    const { page, context } = await visitor(browser, `${pad}/timeslider#9999`, {}, server.url);
    await expectAll(page);
    await page.goto(`p/${pad}/timeslider#0..1`);
    await page.reload();
    await page.locator('.cm-content ins').first().waitFor();
    await expectAll(page);
    await context.close();
  });

  test('is in the file of a pad', async () => {
    const { page, context } = await visitor(browser, newPadName(), {}, server.url);
    await stateIs(page, /saved/);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(`p/${pad}/export/etherpad`).catch(() => {}),
    ]);
    await importFile(page, 'pad.etherpad', await readFile(await file.path(), 'utf8'));
    await page.reload();
    await expectAll(page);
    await context.close();
  });

  test('shows without a network', async () => {
    const { page, context } = await visitor(browser, pad, {}, server.url);
    await fromMore(page, 'Settings');
    await page.getByLabel('Keep pads on this device').check();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    const copies = () =>
      page.evaluate(async (pad) => {
        const all = await indexedDB.databases();
        const pages = await caches.match(new URL(`/p/${pad}`, location.href));
        return pages !== undefined && all.some(({ name }) => name === 'pad-copies');
      }, pad);
    await expect.poll(copies).toBe(true);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('kept');
    await stateIs(page, /saved/);
    await server.kill();
    await openPad(page, pad);
    await stateIs(page, /offline|reconnecting/);
    await expectAll(page);
    await context.close();
  });
});

test('every command for formatting is taken back by one undo', async () => {
  const [one] = await emptyPad(browser, 1);
  if (!one) throw new Error('a visitor');
  const { page, context } = one;
  await page.keyboard.type('word');
  for (const { command = '', shown } of FEATURES.filter((feature) => feature.command)) {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Shift+P');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type(command);
    const option = page.getByRole('option').filter({
      has: page.getByText(command, { exact: true }),
    });
    await option.first().click();
    await expect.poll(() => count(page, shown), { message: command }).toBeGreaterThan(0);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => count(page, shown), { message: `${command}, undone` }).toBe(0);
  }
  await context.close();
});

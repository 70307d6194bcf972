// The page of plugins: switches that change the settings, and the catalogue.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdmin } from './admin.ts';
import { accessibilityProblems, background, launch, SIZES, THEMES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { dialog } from './padPage.ts';
import { OwnServer } from './server.ts';

const PLUGINS = 400;
const users = { root: { password: 'the key to it', is_admin: true } };

let browser: Browser;
let host: Server;
let asked = 0;
let updateServer: string;

// What a catalogue looks like: names, and days one after another.
function catalogue(): string {
  const plugins = Array.from({ length: PLUGINS }, (_, at) => ({
    name: `ep_plugin_${`${at}`.padStart(3, '0')}`,
    description: at % 2 ? 'Does something odd' : 'Does something <b>even</b>',
    version: `1.0.${at}`,
    time: new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
    official: at === 7,
  }));
  const known = { name: 'ep_headings2', description: 'Adds headings', time: '2019-01-01' };
  return JSON.stringify(Object.fromEntries([...plugins, known].map((one) => [one.name, one])));
}

beforeAll(async () => {
  browser = await launch();
  host = createServer((request, response) => {
    asked += 1;
    response.statusCode = request.url === '/plugins.json' ? 200 : 404;
    response.end(catalogue());
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  updateServer = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  await browser?.close();
  host?.close();
});

async function withServer(
  settings: object,
  act: (server: OwnServer) => Promise<void>,
): Promise<void> {
  const server = await OwnServer.start({ users, ...settings });
  try {
    await act(server);
  } finally {
    await server.end();
  }
}

async function open(page: Page, server: OwnServer): Promise<void> {
  await openAdmin(page, `${server.url}admin/plugins`);
  await page.locator('.plugins[data-settled=true]').waitFor();
  await page.locator('.catalogue[data-settled=true]').waitFor();
}

describe('the page', () => {
  const privacy = { updateCheck: false };
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: fits and is accessible`, () =>
        withServer({ updateServer, privacy }, (server) =>
          visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
            await open(page, server);
            await page.getByText('ep_headings2').waitFor();
            await expect.poll(() => background(page)).toBe(THEMES[colorScheme]);
            await expectFits(page);
            expect(await accessibilityProblems(page)).toEqual([]);
            expect(problems).toEqual([]);
          }),
        ));
    }
  }
});

describe('switches', () => {
  const metrics = (page: Page) => page.getByRole('switch', { name: 'Numbers for monitoring' });

  test('change the settings file after a look at the change', () =>
    withServer({ enableMetrics: true }, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        await open(page, server);
        await expect.poll(() => metrics(page).isChecked()).toBe(true);
        const before = await server.read('settings.json');
        await metrics(page).click();
        const review = dialog(page);
        await review
          .getByText(/"enableMetrics": ?false/)
          .first()
          .waitFor();
        expect(await accessibilityProblems(page)).toEqual([]);
        await review.getByRole('button', { name: 'Cancel' }).click();
        await review.waitFor({ state: 'detached' });
        await expect.poll(() => metrics(page).isChecked()).toBe(true);
        expect(await server.read('settings.json')).toBe(before);

        await metrics(page).click();
        await review.getByRole('button', { name: 'Save' }).click();
        await page.getByText('settings.json.before').waitFor();
        await review.getByRole('button', { name: 'Close' }).last().click();
        await page.getByText('Off from the next start.').waitFor();
        await page.getByRole('button', { name: 'Restart now' }).waitFor();
        await expect.poll(() => metrics(page).isChecked()).toBe(false);
        expect(JSON.parse(await server.read('settings.json'))).toEqual({
          users,
          enableMetrics: false,
        });
      }),
    ));

  test('need a value where only the operator knows one', () =>
    withServer({}, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        await open(page, server);
        const office = page.getByRole('switch', { name: 'More formats by LibreOffice' });
        await expect.poll(() => office.isDisabled()).toBe(true);
        await page.getByText('give soffice a value in the settings').waitFor();
        await page.getByRole('link', { name: 'soffice', exact: true }).click();
        await page.locator('.settings[data-settled=true]').waitFor();
        await expect.poll(() => page.locator('.setting[data-key]').count()).toBeLessThan(10);
        await page.locator('.setting[data-key="soffice"]').waitFor();
      }),
    ));

  test('are off limits where the settings file is hidden', () =>
    withServer({ showSettingsInAdminPage: false }, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        await open(page, server);
        await page.getByText('hidden from administrators').waitFor();
        await expect.poll(() => metrics(page).isDisabled()).toBe(true);
      }),
    ));
});

describe('the catalogue', () => {
  const privacy = { updateCheck: false };
  const names = (page: Page): Promise<string[]> =>
    page.locator('.catalogue tbody th code').allTextContents();

  const first = (page: Page, name: string): Promise<void> =>
    page.locator('.catalogue tbody tr:first-child', { hasText: name }).waitFor();

  test('is searched and sorted, fifty at a time, and says what each means', () =>
    withServer({ updateServer, privacy }, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        await open(page, server);
        expect((await names(page)).length).toBe(50);
        await page.getByText(`${PLUGINS + 1} plugins`).waitFor();
        const known = page.getByRole('row', { name: /ep_headings2/ });
        await expect.poll(() => known.textContent()).toContain('Built in: headings');
        await expect
          .poll(() => page.getByText('Does something <b>even</b>').count())
          .toBeGreaterThan(0);

        const sort = page.getByLabel('Sort by');
        await sort.selectOption('Updated');
        await first(page, 'ep_plugin_399');
        await page.getByRole('button', { name: 'Next' }).click();
        await first(page, 'ep_plugin_349');
        await sort.selectOption('Here');
        await first(page, 'ep_headings2');

        await page.getByLabel('Search by name or description').fill('odd plugin_00');
        await page.getByText('5 plugins').waitFor();
        const other = page.getByRole('row', { name: /ep_plugin_007/ });
        await expect.poll(() => other.textContent()).toMatch(/official.*Cannot be installed/);
      }),
    ));

  test('is asked for once, and again when told to', () =>
    withServer({ updateServer, privacy }, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        const before = asked;
        await open(page, server);
        await open(page, server);
        expect(asked - before).toBe(1);
        const fetched = page.waitForResponse((answer) => answer.request().method() === 'POST');
        await page.getByRole('button', { name: 'Fetch again' }).click();
        await fetched;
        await page.locator('.catalogue[data-settled=true]').waitFor();
        expect(asked - before).toBe(2);
      }),
    ));

  test('is not asked for where that is forbidden, or nobody is named', async () => {
    const before = asked;
    await withServer({ updateServer, privacy: { ...privacy, pluginCatalog: false } }, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        await open(page, server);
        await page.getByText('privacy.pluginCatalog is off').waitFor();
      }),
    );
    await withServer({}, (server) =>
      visit(browser, SIZES.desktop, async ({ page }) => {
        await open(page, server);
        await page.getByText('the settings name no updateServer').waitFor();
      }),
    );
    expect(asked).toBe(before);
  });
});

// Plugins that an administrator installs, sets up and removes.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdmin } from './admin.ts';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { dialog } from './padPage.ts';
import { OwnServer, PROGRAM } from './server.ts';

const run = promisify(execFile);
const users = { root: { password: 'the key to it', is_admin: true } };
const TITLE = 'Greets <b>people</b>';

let browser: Browser;
let folder: string;

beforeAll(async () => {
  browser = await launch();
  folder = await mkdtemp(join(tmpdir(), 'padsvc-plugin-'));
  const made = join(folder, 'my-own');
  await run(PROGRAM, ['plugins', 'new', 'my-own', '--to', made]);
  const edit = async (change: (manifest: Record<string, unknown>) => void): Promise<void> => {
    const path = join(made, 'plugin.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    change(manifest);
    await writeFile(path, JSON.stringify(manifest));
  };
  const pack = (to: string) =>
    run(PROGRAM, ['plugins', 'pack', made, '--to', join(folder, to), '--force']);
  const key = { type: 'string', title: 'Key', default: '', secret: true };
  const days = { type: 'integer', title: 'Days', default: 3, minimum: 1, maximum: 30 };
  await edit((manifest) => {
    Object.assign(manifest, { version: '1.0.0', title: TITLE });
    Object.assign(manifest.settings as object, { key, days });
  });
  await pack('one.padplugin');
  await edit((manifest) => {
    const permissions = ['chat', 'storage', 'http:fetch(api.example.org)'];
    Object.assign(manifest, { version: '1.1.0', permissions });
  });
  await writeFile(join(made, 'client.js'), 'export default 1;');
  await pack('two.padplugin');
  await writeFile(join(folder, 'bad.padplugin'), 'no zip');
  await makeBroken();
});

// One that fails when it is started.
async function makeBroken(): Promise<void> {
  const made = join(folder, 'broken');
  await run(PROGRAM, ['plugins', 'new', 'broken', '--to', made]);
  const path = join(made, 'plugin.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  Object.assign(manifest, { hooks: ['started'], budgets: {}, title: TITLE });
  await writeFile(path, JSON.stringify(manifest));
  await writeFile(join(made, 'server.js'), "throw new Error('broken <b>on</b> purpose');");
  await run(PROGRAM, ['plugins', 'pack', made, '--to', join(folder, 'broken.padplugin')]);
}

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

async function withServer(
  act: (server: OwnServer) => Promise<void>,
  settings: object = {},
): Promise<void> {
  const server = await OwnServer.start({ users, privacy: { updateCheck: false }, ...settings });
  try {
    await act(server);
  } finally {
    await server.end();
  }
}

async function open(page: Page, server: OwnServer): Promise<void> {
  await openAdmin(page, `${server.url}admin/plugins`);
  await page.locator('.plugins[data-settled=true] section[data-settled=true]').first().waitFor();
}

const choose = (page: Page, file: string): Promise<void> =>
  page.getByLabel('Install from a file').setInputFiles(join(folder, file));
const plugin = (page: Page) => page.getByRole('switch', { name: TITLE });

test('are installed as agreed, set up, upgraded and removed', () =>
  withServer((server) =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await open(page, server);
      await page.getByText('No plugin is installed.').waitFor();
      const asked = dialog(page);
      await choose(page, 'one.padplugin');
      await asked.getByText('Reads every chat message, and writes, changes and').waitFor();
      await asked.getByRole('heading', { name: `Install ${TITLE} 1.0.0?` }).waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await asked.waitFor({ state: 'detached' });
      expect(await plugin(page).count()).toBe(0);

      await choose(page, 'one.padplugin');
      await asked.getByRole('button', { name: 'Grant and install' }).click();
      await asked.waitFor({ state: 'detached' });
      await expect.poll(() => plugin(page).isChecked()).toBe(true);
      await page.getByText('my-own 1.0.0').waitFor();
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);

      await plugin(page).click();
      await expect.poll(() => plugin(page).isChecked()).toBe(false);

      // A secret is set, and not shown again.
      await page.getByRole('button', { name: 'Settings…' }).click();
      await asked.getByLabel('Key').fill('s3cret');
      await asked.getByLabel('Days').fill('20');
      await asked.getByLabel('Switched on for pads').fill('minutes-*\n\ng.*$*');
      expect(await accessibilityProblems(page)).toEqual([]);
      await asked.getByRole('button', { name: 'Save' }).click();
      await asked.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Settings…' }).click();
      expect(await asked.getByLabel('Days').inputValue()).toBe('20');
      const pads = asked.getByLabel('Switched on for pads');
      expect(await pads.inputValue()).toBe('minutes-*\ng.*$*');
      await page.getByText('Only on pads: minutes-*, g.*$*').waitFor();
      expect(await asked.getByLabel('Key').inputValue()).toBe('');
      await asked.getByText('A value is set.').waitFor();
      await asked.getByRole('button', { name: 'Cancel' }).click();

      // An upgrade that asks for more, and for browsers; it stays switched off.
      await choose(page, 'two.padplugin');
      await asked.getByRole('heading', { name: `Replace ${TITLE} 1.0.0 with 1.1.0?` }).waitFor();
      await asked.getByText('Sends data to api.example.org: anything that it can read').waitFor();
      // What is granted already is not asked again.
      const granted = asked.getByText('Reads every chat message');
      expect(await granted.isVisible()).toBe(false);
      await asked.getByText('Granted already').click();
      await granted.waitFor();
      const confirm = asked.getByRole('button', { name: 'Grant and replace' });
      expect(await confirm.isDisabled()).toBe(true);
      await asked.getByLabel('I agree that its code runs').check();
      expect(await accessibilityProblems(page)).toEqual([]);
      await confirm.click();
      await asked.waitFor({ state: 'detached' });
      await page.getByText('my-own 1.1.0').waitFor();
      expect(await plugin(page).isChecked()).toBe(false);

      await page.getByRole('button', { name: 'Remove…' }).click();
      await asked.getByRole('button', { name: 'Remove plugin' }).click();
      await page.getByText('No plugin is installed.').waitFor();
      expect(problems).toEqual([]);
    }),
  ));

test('a folder is installed as it would be packed', () =>
  withServer((server) =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await open(page, server);
      const asked = dialog(page);
      await mkdir(join(folder, 'my-own/.git'), { recursive: true });
      await writeFile(join(folder, 'my-own/.git/config'), 'no part of it');
      const from = page.getByLabel('Install from a folder');
      await from.setInputFiles(join(folder, 'my-own'));
      await asked.getByRole('heading', { name: `Install ${TITLE} 1.1.0?` }).waitFor();
      const packed = await readFile(join(folder, 'two.padplugin'));
      await asked.getByText(createHash('sha256').update(packed).digest('hex')).waitFor();
      await asked.getByLabel('I agree that its code runs').check();
      expect(await accessibilityProblems(page)).toEqual([]);
      await asked.getByRole('button', { name: 'Grant and install' }).click();
      await page.getByText('my-own 1.1.0').waitFor();

      const other = join(folder, 'other');
      await mkdir(other);
      await writeFile(join(other, 'film.mp4'), Buffer.alloc(9 * 1024 * 1024));
      await from.setInputFiles(other);
      await page.getByText('No plugin is as large as this folder').waitFor();
      expect(problems).toEqual([]);
    }),
  ));

// Serves a catalogue of one plugin, and the plugin.
async function withCatalogue(act: (catalogue: string) => Promise<void>): Promise<void> {
  const archive = await readFile(join(folder, 'one.padplugin'));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const host = createServer(({ url }, response) => {
    const about = {
      title: TITLE,
      description: 'Says <i>hello</i>.',
      url: `${address}/one`,
      sha256,
    };
    const catalogue = { plugins: [{ name: 'my-own', version: '1.0.0', ...about }] };
    response.end(url === '/one' ? archive : JSON.stringify(catalogue));
  });
  await new Promise<void>((listening) => host.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  await act(`${address}/catalogue.json`).finally(() => host.close());
}

test('what the catalogue has is offered, and installed as agreed', () =>
  withCatalogue((catalogue) =>
    withServer(
      (server) =>
        visit(browser, SIZES.desktop, async ({ page, problems }) => {
          await open(page, server);
          const offer = page.getByRole('listitem').filter({ hasText: 'Says <i>hello</i>.' });
          expect(await accessibilityProblems(page)).toEqual([]);
          await offer.getByRole('button', { name: 'Install…' }).click();
          const asked = dialog(page);
          await asked.getByRole('heading', { name: `Install ${TITLE} 1.0.0?` }).waitFor();
          await asked.getByText('Reads every chat message, and writes, changes and').waitFor();
          await asked.getByRole('button', { name: 'Grant and install' }).click();
          await asked.waitFor({ state: 'detached' });
          await expect.poll(() => plugin(page).isChecked()).toBe(true);
          await page.getByText('my-own 1.0.0').waitFor();
          // There is nothing left to install.
          await offer.waitFor({ state: 'detached' });
          expect(problems).toEqual([]);
        }),
      { plugins: { catalogue } },
    ),
  ));

test('what is no plugin is refused, and says why; on a phone', () =>
  withServer((server) =>
    visit(browser, SIZES.phone, async ({ page }) => {
      await open(page, server);
      await choose(page, 'bad.padplugin');
      await dialog(page).getByText('it is not a zip archive, or a damaged one').waitFor();
      expect(
        await dialog(page)
          .getByRole('button', { name: /^Grant/ })
          .count(),
      ).toBe(0);
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      await choose(page, 'two.padplugin');
      await dialog(page).getByLabel('I agree that its code runs').check();
      await expectFits(page);
      await dialog(page).getByRole('button', { name: 'Grant and install' }).click();
      await expect.poll(() => plugin(page).isChecked()).toBe(true);
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);
    }),
  ));

test('one that fails says why, and what it logged', () =>
  withServer((server) =>
    visit(browser, SIZES.phone, async ({ page }) => {
      await open(page, server);
      await choose(page, 'broken.padplugin');
      await dialog(page).getByRole('button', { name: 'Grant and install' }).click();
      await expect.poll(() => plugin(page).isChecked()).toBe(true);
      const trouble = page.locator('.plugin .notice');
      // Its worker is started after the installation was answered.
      await expect
        .poll(
          async () => {
            await open(page, server);
            await plugin(page).waitFor();
            return (await trouble.count()) && trouble.textContent();
          },
          { timeout: 60_000 },
        )
        .toContain('broken <b>on</b> purpose');
      await page.getByText('Activity and log').click();
      const log = page.getByRole('region', { name: 'Log' });
      await log.getByText('broken <b>on</b> purpose').waitFor();
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);
    }),
  ));

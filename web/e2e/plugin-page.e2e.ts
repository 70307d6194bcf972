// A plugin of ours in the admin area: what the kernel keeps it from, and the page of its own.

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../src/admin/plugins/installed.ts';
import { openAdmin } from './admin.ts';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { OwnServer } from './server.ts';

const users = { root: { password: 'the key to it', is_admin: true } };
const EXPIRY = join(import.meta.dirname, '../../plugins/expiry');

let browser: Browser;
let server: OwnServer;

beforeAll(async () => {
  browser = await launch();
  server = await OwnServer.start({ users, privacy: { updateCheck: false } });
  await server.command('plugins', 'install', EXPIRY, '--grant-all');
});

afterAll(async () => {
  await server?.end();
  await browser?.close();
});

// What the server says that the kernel keeps the plugin from; `null` before its worker has started.
async function sandbox(page: Page): Promise<Sandbox | null> {
  const answer = await page.request.get(`${server.url}admin/api/plugins/installed`);
  const { plugins } = (await answer.json()) as { plugins: [{ health: { sandbox: Sandbox } }] };
  return plugins[0].health.sandbox;
}

let pads = 0;

for (const size of [SIZES.desktop, SIZES.phone]) {
  test(`is described by the plugin and shown by us, ${size.viewport.width} wide`, () =>
    visit(browser, size, async ({ page, problems }) => {
      await openAdmin(page, `${server.url}admin/plugins`);
      // Its worker is started after the installation was answered.
      await expect.poll(() => sandbox(page), { timeout: 60_000 }).not.toBeNull();
      // Which of them it is depends on the machine, and on what started the service.
      const { noFiles, noNetwork, noProcesses, inherited } = (await sandbox(page)) as Sandbox;
      const isTight = noFiles && noNetwork && noProcesses && inherited === 0;
      await page.reload();
      await page.getByRole('switch', { name: 'Expiry' }).waitFor();
      const tight = page.getByText('No files, no network, no other processes');
      const loose = page.getByText('The kernel of this machine does not keep');
      expect([await tight.count(), await loose.count()]).toEqual(isTight ? [1, 0] : [0, 1]);
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);

      await page.getByRole('link', { name: 'Open its page' }).click();
      await page.getByRole('heading', { name: 'Expiry of pads' }).waitFor();
      const key = (await server.read('APIKEY.txt')).trim();
      await fetch(`${server.url}api/1/createPad?apikey=${key}&padID=wide${size.viewport.width}`);
      pads += 1;
      await page.getByRole('button', { name: 'Check now' }).click();
      await page.getByText(`Pads looked at: ${pads}.`).waitFor();
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);

      await page.getByRole('link', { name: 'All plugins' }).click();
      await page.getByRole('switch', { name: 'Expiry' }).waitFor();
      expect(problems).toEqual([]);
    }));
}

test('of a plugin that is not there is an error that says so', () =>
  visit(browser, SIZES.phone, async ({ page }) => {
    await openAdmin(page, `${server.url}admin/plugins/nothing`);
    await page.getByText('no plugin of that name has a page and is switched on').waitFor();
    await expectFits(page);
  }));

// Servers with an administrator, one of them with very many pads, and the way into the admin area.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch } from './browser.ts';
import { OwnServer } from './server.ts';

export const PADS = 100_000;
const FILL = join(import.meta.dirname, '../../target/debug/examples/many_pads');

export interface ManyPads {
  url: string;
  end: () => Promise<void>;
}

export async function startManyPads(): Promise<ManyPads> {
  const folder = await mkdtemp(join(tmpdir(), 'padsvc-many-'));
  const file = join(folder, 'pads.db');
  const fill = spawn(FILL, [file, `${PADS}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(fill, 'exit');
  if (code !== 0) throw new Error('the database could not be filled');
  const server = await OwnServer.start({
    dbType: 'padsvc',
    dbSettings: { filename: file },
    ...ADMINISTRATOR,
    cleanup: { enabled: true, keepRevisions: 2 },
    gdprAuthorErasure: { enabled: true },
  });
  return {
    url: server.url,
    end: async () => {
      await server.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const ADMINISTRATOR = { users: { root: { password: 'the key to it', is_admin: true } } };

// A browser, and a server with an administrator, for the tests of a file.
export function ownAdminServer(settings: object = {}) {
  const here = { settings: { ...ADMINISTRATOR, ...settings } } as {
    settings: object;
    browser: Browser;
    server: OwnServer;
  };
  beforeAll(async () => {
    here.browser = await launch();
    here.server = await OwnServer.start(here.settings);
  });
  afterAll(async () => {
    await here.browser?.close();
    await here.server?.end();
  });
  return here;
}

// Opens an admin page, signing in on the way if need be, and waits until it is there.
export async function openAdmin(page: Page, url: string): Promise<void> {
  await page.goto(url);
  if (page.url().includes('/sign-in')) {
    await page.locator('#user').fill('root');
    await page.locator('#password').fill('the key to it');
    await page.locator('form button[type=submit]').click();
    await page.waitForURL(url);
  }
  await page.locator('main h1').waitFor();
}

// The list is what was asked for, and nothing is on its way.
export async function listIsThere(page: Page): Promise<void> {
  await page.locator('.list[data-settled=true]').waitFor();
}

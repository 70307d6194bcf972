// Pictures of the admin area, for the documentation and to be looked at.
//
//   npm run screenshots:admin
//
// Invariant: the same scenes each time, at 1280x800 and 390x844, light and dark, on a server of its
// own with a hundred thousand pads and somebody in one of them.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openAdmin, startManyPads } from '../e2e/admin.ts';
import { launch, SIZES } from '../e2e/browser.ts';

const FOLDER = join(import.meta.dirname, '../../docs/images');

const LOOKS: Record<string, BrowserContextOptions> = {
  light: { ...SIZES.desktop, colorScheme: 'light' },
  dark: { ...SIZES.desktop, colorScheme: 'dark' },
  'phone-light': { ...SIZES.phone, colorScheme: 'light' },
  'phone-dark': { ...SIZES.phone, colorScheme: 'dark' },
};

interface Scene {
  path: string;
  there: string;
  after?: (page: Page) => Promise<void>;
}

const SCENES: Record<string, Scene> = {
  overview: { path: '', there: '.tiles[data-settled=true]' },
  pads: { path: '/pads', there: '.list[data-settled=true]' },
  'pads-delete': {
    path: '/pads',
    there: '.list[data-settled=true]',
    after: async (page) => {
      await page.getByLabel('Choose all on this page').check();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  authors: { path: '/authors', there: '.list[data-settled=true]' },
  message: { path: '/message', there: '#message' },
  settings: { path: '/settings', there: '.settings[data-settled=true]' },
  update: { path: '/update', there: '.updates[data-settled=true], .notice' },
  plugins: { path: '/plugins', there: '.catalogue[data-settled=true]' },
  help: { path: '/help', there: '.updates[data-settled=true]' },
};

mkdirSync(FOLDER, { recursive: true });
const browser = await launch();
const server = await startManyPads();
try {
  const writer = await (await browser.newContext()).newPage();
  await writer.goto(`${server.url}p/pad-099999?userName=Ada%20Lovelace&userColor=%237dd3fc`);
  await writer.locator('[data-state=saved]').waitFor();
  await writer.locator('.cm-content').click();
  await writer.keyboard.type('Ada was here.', { delay: 30 });
  for (const [look, options] of Object.entries(LOOKS)) {
    const page = await (await browser.newContext(options)).newPage();
    for (const [name, { path, there, after }] of Object.entries(SCENES)) {
      await openAdmin(page, `${server.url}admin${path}`);
      await page.locator(there).first().waitFor();
      await after?.(page);
      // Fading is not what is shown.
      await page.evaluate(() =>
        Promise.all(document.getAnimations().map((animation) => animation.finished)),
      );
      await page.screenshot({ path: join(FOLDER, `admin-${name}-${look}.png`), caret: 'hide' });
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await server.end();
}

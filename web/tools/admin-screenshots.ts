// Pictures of the admin area, for the documentation and to be looked at.
//
//   npm run screenshots:admin [-- SCENE…]
//
// Invariant: the same scenes each time, at 1280x800 and 390x844, light and dark, on a server of its
// own with a hundred thousand pads and somebody in one of them; updates on one that installs some.
// That server is new, so what it shows over time is made up.

import type { Page } from 'playwright-core';
import { openAdmin, startManyPads } from '../e2e/admin.ts';
import { launch } from '../e2e/browser.ts';
import { Installation } from '../e2e/installation.ts';
import { showActivity } from './activity.ts';
import { isKept, LOOKS, takePicture } from './pictures.ts';

interface Scene {
  path: string;
  there: string;
  after?: (page: Page) => Promise<void>;
}

const SCENES: Record<string, Scene> = {
  overview: { path: '', there: '.charts[data-settled=true]' },
  charts: {
    path: '',
    there: '.charts[data-settled=true]',
    after: async (page) => {
      await page.getByRole('radio', { name: '7 days' }).check();
      await page.locator('.charts[data-settled=true]').waitFor();
      await page.locator('.chart-tools').evaluate((tools) => tools.scrollIntoView());
    },
  },
  pads: { path: '/pads', there: '.list[data-settled=true]' },
  'pads-delete': {
    path: '/pads',
    there: '.list[data-settled=true]',
    after: async (page) => {
      await page.getByLabel('Select all on this page').check();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  pad: { path: '/pads?pad=pad-099999', there: '.pad-details[data-settled=true]' },
  authors: { path: '/authors', there: '.list[data-settled=true]' },
  message: { path: '/message', there: '#message' },
  settings: { path: '/settings', there: '.settings[data-settled=true]' },
  'settings-review': {
    path: '/settings',
    there: '.settings[data-settled=true]',
    after: async (page) => {
      await page.locator('[data-key="title"] input').fill('School pads');
      await page.getByRole('button', { name: 'Review and save…', disabled: false }).click();
      await page.locator('.difference').waitFor();
    },
  },
  plugins: { path: '/plugins', there: '.catalogue[data-settled=true]' },
  audit: { path: '/audit', there: '[data-settled=true]' },
  log: { path: '/log', there: '.log[data-settled=true] li' },
  help: { path: '/help', there: '.updates[data-settled=true]' },
};

// One after the other: an update is waited for, and then is installed.
const UPDATES: Record<string, Scene> = {
  update: { path: '/update', there: '.updates[data-settled=true]' },
  'update-running': {
    path: '/update',
    there: '.updates[data-settled=true]',
    after: async (page) => {
      await page.getByRole('button', { name: 'Install now' }).click();
      await page.locator('.progress li:nth-child(3)[aria-current]').waitFor();
    },
  },
};

const wanted = process.argv.slice(2);
const browser = await launch();
try {
  await manyPads();
  await updates('light');
} finally {
  await browser.close();
}

async function manyPads(): Promise<void> {
  if (!Object.keys(SCENES).some(isWanted)) return;
  const server = await startManyPads();
  try {
    const writer = await (await browser.newContext()).newPage();
    await writer.goto(`${server.url}p/pad-099999?userName=Ada%20Lovelace&userColor=%237dd3fc`);
    await writer.locator('[data-state=saved]').waitFor();
    await writer.locator('.cm-content').click();
    await writer.keyboard.type('Ada was here.', { delay: 30 });
    for (const look of Object.keys(LOOKS)) await take(SCENES, server.url, look);
  } finally {
    await server.end();
  }
}

async function updates(look: string): Promise<void> {
  if (!Object.keys(UPDATES).some(isWanted)) return;
  const here = await Installation.make();
  try {
    await here.publish('1.1.0');
    await here.hold('build');
    const maintenanceWindow = { start: '03:00', end: '04:30', tz: 'local' };
    await here.start({ tier: 'autonomous', maintenanceWindow });
    await take(UPDATES, here.url, look);
  } finally {
    await here.letGo('build');
    await here.end();
  }
}

async function take(scenes: Record<string, Scene>, url: string, look: string): Promise<void> {
  const page = await (await browser.newContext(LOOKS[look])).newPage();
  await showActivity(page);
  for (const [name, { path, there, after }] of Object.entries(scenes)) {
    if (!isWanted(name) || !isKept(`admin-${name}`, look)) continue;
    await openAdmin(page, `${url}admin${path}`);
    await page.locator(there).first().waitFor();
    await after?.(page);
    await takePicture(page, `admin-${name}`, look);
  }
  await page.context().close();
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name);
}

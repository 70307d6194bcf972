// The operator's own styles, script and HTML act on the pages, within the pages' policy.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdmin } from './admin.ts';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { newPadName, stateIs, text, write } from './padPage.ts';
import { OwnServer } from './server.ts';

const STYLE = `
  :root { --accent: light-dark(rgb(140, 20, 80), rgb(250, 160, 200)); }
  .custom { background: url(logo.svg) no-repeat; }
`;
const SCRIPT = "document.documentElement.dataset.mine = document.querySelector('.custom a').text;";
const HTML = '<img src="{custom}logo.svg" alt="Ours" height="20"> <a href="/imprint">Imprint</a>';
const SETTINGS = { users: { root: { password: 'the key to it', is_admin: true } } };
const FILES = {
  'custom/pad.css': STYLE,
  'custom/pad.js': SCRIPT,
  'custom/pad.html': HTML,
  'custom/index.css': STYLE,
  'custom/index.js': SCRIPT,
  'custom/index.html': HTML,
  'custom/logo.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1H0z"/></svg>',
};

let browser: Browser;
let server: OwnServer;

beforeAll(async () => {
  browser = await launch();
  server = await OwnServer.start(SETTINGS, FILES);
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

const LOOKS: Record<string, BrowserContextOptions> = {
  'desktop, light': { ...SIZES.desktop, colorScheme: 'light' },
  'phone, dark': { ...SIZES.phone, colorScheme: 'dark' },
};
const ACCENTS = { light: 'rgb(140, 20, 80)', dark: 'rgb(250, 160, 200)' };

// All three have done what they are for, and the picture is there.
async function isOurs(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  const link = page.locator('.custom a');
  await link.waitFor();
  await expect
    .poll(() => link.evaluate((link) => getComputedStyle(link).color))
    .toBe(ACCENTS[scheme]);
  const mine = () => page.evaluate(() => document.documentElement.dataset.mine);
  await expect.poll(mine).toBe('Imprint');
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>('.custom img');
    return image?.complete && image.naturalWidth > 0;
  });
}

for (const [name, options] of Object.entries(LOOKS)) {
  const scheme = options.colorScheme === 'dark' ? 'dark' : 'light';

  test(`${name}: a pad has them, and is written in as ever`, () =>
    visit(browser, options, async ({ page, problems }) => {
      const pad = newPadName();
      await page.goto(`${server.url}p/${pad}`);
      await stateIs(page, /saved/);
      await isOurs(page, scheme);
      await write(page, 'Below the strip');
      await stateIs(page, /saved/);
      await expect.poll(() => text(page).textContent()).toContain('Below the strip');
      // The strip takes from the height of the page, which still fits the window.
      const gaps = () =>
        page.evaluate(() => {
          const box = (part: string) => document.querySelector(part)?.getBoundingClientRect();
          const [strip, frame] = [box('.custom'), box('.page')];
          if (!strip || !frame) return null;
          return [frame.top - strip.height, innerHeight - strip.height - frame.height];
        });
      await expect.poll(async () => (await gaps())?.map(Math.round)).toEqual([0, 0]);
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);

      await page.goto(`${server.url}p/${pad}/timeslider`);
      await isOurs(page, scheme);
      expect(problems).toEqual([]);
    }));

  test(`${name}: the first page has them`, () =>
    visit(browser, options, async ({ page, problems }) => {
      await page.goto(server.url);
      await isOurs(page, scheme);
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(problems).toEqual([]);
    }));
}

test('the pages of sign-in and of administrators do not', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    const isTheirs = async (): Promise<void> => {
      await expect
        .poll(() => page.locator('.custom, [src*="custom/"], [href*="custom/"]').count())
        .toBe(0);
      const { mine } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
      expect(mine).toBe(undefined);
    };
    await page.goto(`${server.url}sign-in`);
    await isTheirs();
    await openAdmin(page, `${server.url}admin/plugins`);
    await page.locator('.plugins[data-settled=true]').waitFor();
    await isTheirs();
    const line = page.getByRole('row', { name: /pad\.css/ });
    await expect.poll(() => line.textContent()).toContain(`${STYLE.length} byte`);
  }));

// Every language on a phone: no string is cut or leaves its place, in the bar, in menus and in
// dialogs; languages that run to the left are mirrored.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { animationsDone, launch, newContext, SIZES, serverUrl } from './browser.ts';
import { dialog, newPadName, openPad } from './padPage.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;
const pad = newPadName();

// One visitor for all languages, who has made the pad, so that every item is there.
beforeAll(async () => {
  browser = await launch();
  context = await newContext(browser, { ...SIZES.phone, baseURL: serverUrl() });
  page = await context.newPage();
});

afterAll(() => browser?.close());

const CODES = readdirSync(join(import.meta.dirname, '..', 'locales')).map((file) =>
  file.replace('.json', ''),
);
const RIGHT_TO_LEFT = ['ar', 'he'];

// What is wider than its place, or outside the window.
function cut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const WHAT = 'button, a, label, legend, h2, h3, [role=tab], p, kbd, select, .button, dt, dd';
    const open = document.querySelector('dialog[open]') ?? document.body;
    const found = [...open.querySelectorAll<HTMLElement>(WHAT)].filter(
      (it) =>
        it.checkVisibility({ visibilityProperty: true }) &&
        !it.closest('.cm-editor, .only-heard, .skip') &&
        // What people have named is cut with a sign.
        !it.matches('.title, .title *'),
    );
    const wide = found.filter(({ clientWidth, scrollWidth }) => {
      return clientWidth > 0 && scrollWidth > clientWidth + 1;
    });
    const outside = found.filter((it) => {
      const { left, right, width } = it.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1);
    });
    const name = (it: HTMLElement) =>
      `${it.tagName}.${it.className}: ${it.getAttribute('aria-label') ?? it.textContent}`;
    const all = new Set([...wide, ...outside].map(name));
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) all.add(`the page: ${scrollWidth}`);
    const box = document.querySelector('dialog[open]');
    if (box && box.scrollWidth > box.clientWidth) all.add(`the dialog: ${box.scrollWidth}`);
    return [...all];
  });
}

const more = () => page.locator('.header button:has([data-icon=more])').click();
const item = async (icon: string, last = false) => {
  await more();
  const items = page.locator(`.menu:popover-open .menu-item:has([data-icon=${icon}])`);
  await (last ? items.last() : items.first()).click();
};

// By signs and keys, which are the same in all languages.
const DIALOGS: Readonly<Record<string, () => Promise<unknown>>> = {
  share: () => page.locator('.share-button button').click(),
  settings: () => item('gear'),
  files: () => item('download'),
  template: () => item('page'),
  connection: () => item('info'),
  key: () => item('trash'),
  delete: () => item('trash', true),
  shortcuts: () => page.keyboard.press('Control+Slash'),
  palette: () => page.keyboard.press('Control+Shift+KeyP'),
};

for (const code of CODES) {
  test(`${code}: everything has room on a phone`, async () => {
    await openPad(page, pad, `lang=${code}`);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(code);
    await expect
      .poll(() => page.locator('html').getAttribute('dir'))
      .toBe(RIGHT_TO_LEFT.includes(code) ? 'rtl' : 'ltr');
    expect(await cut(page), 'the page').toEqual([]);
    await page.locator('.more-place button').click();
    await page.locator('.more-tools').waitFor();
    expect(await cut(page), 'all tools').toEqual([]);
    await page.locator('.more-place button').click();
    await more();
    await page.locator('.menu:popover-open').waitFor();
    expect(await cut(page), 'the menu').toEqual([]);
    await page.keyboard.press('Escape');
    for (const [name, open] of Object.entries(DIALOGS)) {
      await open();
      await dialog(page).waitFor();
      const tabs = dialog(page).getByRole('tab');
      for (let i = 0; i < Math.max(1, await tabs.count()); i++) {
        if ((await tabs.count()) > 0) await tabs.nth(i).click();
        await animationsDone(page);
        expect(await cut(page), name).toEqual([]);
      }
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
    }
    for (const button of ['chat', 'people']) {
      if (button === 'chat') await page.locator('.header button:has([data-icon=chat])').click();
      else await page.locator('.avatars').click();
      await page.locator('.panel').waitFor();
      expect(await cut(page), button).toEqual([]);
    }
    await page.goto(`p/${pad}/timeslider?lang=${code}`);
    await page.locator('[data-revision]').waitFor();
    expect(await cut(page), 'history').toEqual([]);
  });
}

for (const code of RIGHT_TO_LEFT) {
  test(`${code} is mirrored`, async () => {
    await openPad(page, pad, `lang=${code}`);
    const middle = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0) / 2;
    };
    const half = SIZES.phone.viewport.width / 2;
    await expect.poll(() => middle('.header > a')).toBeGreaterThan(half);
    await expect.poll(() => middle('.share-button')).toBeLessThan(half);
    await expect.poll(() => middle('.tools > .tool')).toBeGreaterThan(half);
    await expect.poll(() => middle('.more-place')).toBeLessThan(half);
    await page.locator('.share-button button').click();
    await expect.poll(() => middle('dialog[open] [data-icon=close]')).toBeLessThan(half);
    await page.keyboard.press('Escape');
  });
}

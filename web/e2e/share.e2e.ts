// The dialog for sharing: both links, the code for phones, and copying.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { animationsDone, launch, SIZES, serverUrl, shownFromNow, visit } from './browser.ts';
import { readOnlyLink } from './expectations.ts';
import { dialog, newPadName, openPad, stateIs, text } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

test('both links, the code, and copying', () =>
  visit(
    browser,
    { ...SIZES.desktop, permissions: ['clipboard-read', 'clipboard-write'] },
    async ({ page, problems }) => {
      const name = newPadName();
      await openPad(page, name);
      await page.getByRole('button', { name: 'Share' }).click();
      const link = page.getByRole('textbox', { name: 'Link' });
      await expect.poll(() => link.inputValue()).toBe(`${serverUrl()}p/${name}`);
      const buttons = await shownFromNow(page, 'dialog button');
      await dialog(page).getByRole('button', { name: 'Copy' }).first().click();
      await expect.poll(() => buttons).toContain('Copied');
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(copied).toBe(`${serverUrl()}p/${name}`);
      const code = () => page.getByRole('img', { name: 'QR code' }).innerHTML();
      const toEdit = await code();
      const readOnly = await readOnlyLink(page);
      await expect.poll(code).not.toBe(toEdit);
      const embedded = () => page.getByLabel('Put it into').inputValue();
      await expect.poll(embedded).toContain(`src="${readOnly}?`);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      const opener = page.getByRole('button', { name: 'Share' });
      await expect
        .poll(() => opener.evaluate((element) => element === document.activeElement))
        .toBe(true);

      // The read-only link shows the text, and no tools to change it.
      await page.goto(readOnly);
      await stateIs(page, /readOnly/);
      await expect.poll(() => text(page).getAttribute('contenteditable')).not.toBe('true');
      await expect
        .poll(() => page.getByRole('button', { name: 'Bold', exact: true }).count())
        .toBe(0);
      expect(problems).toEqual([]);
    },
  ));

test('what is put into another page names the frame and lets it copy', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    const title = 'Minutes "May" & <more>';
    await openPad(page, newPadName(), `title=${encodeURIComponent(title)}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const frame = () =>
      page.getByLabel('Put it into').evaluate((field: HTMLTextAreaElement) => {
        const parsed = new DOMParser().parseFromString(field.value, 'text/html').body;
        const { title, allow } = parsed.firstElementChild as HTMLIFrameElement;
        return { title, allow, count: parsed.childNodes.length };
      });
    await expect.poll(frame).toEqual({ title, allow: 'clipboard-write', count: 1 });
  }));

test('stays where it is when the code comes late', () =>
  visit(browser, { ...SIZES.desktop, serviceWorkers: 'block' }, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/qr[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await openPad(page, newPadName());
    await page.getByRole('button', { name: 'Share' }).click();
    await dialog(page).waitFor();
    await animationsDone(page);
    const before = await dialog(page).boundingBox();
    const code = page.getByRole('img', { name: 'QR code' });
    await expect.poll(() => code.count()).toBe(0);
    release();
    await code.waitFor();
    await expect.poll(() => dialog(page).boundingBox()).toEqual(before);
  }));

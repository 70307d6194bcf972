// A pad in the browser, seen the way its reader sees it.

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { newContext, serverUrl } from './browser.ts';

let count = 0;

// A name that no other test uses.
export function newPadName(): string {
  return `e2e-${Date.now().toString(36)}-${count++}`;
}

export interface PadPage {
  readonly page: Page;
  readonly context: BrowserContext;
}

// Opens a pad as a visitor of its own.
export async function visitor(
  browser: Browser,
  pad: string,
  options: BrowserContextOptions = {},
  url = serverUrl(),
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<PadPage> {
  const context = await newContext(browser, {
    viewport: { width: 1000, height: 700 },
    ...options,
    baseURL: url,
  });
  const page = await context.newPage();
  await prepare(page);
  await openPad(page, pad);
  return { page, context };
}

export async function openPad(page: Page, pad: string): Promise<void> {
  await page.goto(`p/${pad}`);
  await page.locator('.cm-content').waitFor();
}

// Several visitors in an empty pad, their carets in the text.
export async function emptyPad(browser: Browser, visitors: number, pad = newPadName()) {
  const all: PadPage[] = [];
  for (let i = 0; i < visitors; i++) all.push(await visitor(browser, pad));
  const [first] = all as [PadPage];
  await first.page.locator('.cm-content').click();
  await first.page.keyboard.press('Control+a');
  await first.page.keyboard.press('Delete');
  for (const { page } of all) {
    await expectText(page, '');
    // What happens by typing comes a moment after the text, with the card of links.
    await page.locator('.pad-link-card').waitFor({ state: 'attached' });
    await page.locator('.cm-content').click();
  }
  return all;
}

// As if it came from another program.
export async function paste(page: Page, data: Readonly<Record<string, string>>): Promise<void> {
  await page.locator('.cm-content').evaluate((content, data) => {
    const clipboardData = new DataTransfer();
    for (const [type, value] of Object.entries(data)) clipboardData.setData(type, value);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    content.dispatchEvent(event);
  }, data);
}

// Until the page has put the pad on the list of the start page: that part of it comes late.
export async function remembered(page: Page, words: string): Promise<void> {
  const kept = () => page.evaluate(() => localStorage.getItem('padsvc:recent') ?? '');
  await expect.poll(kept).toContain(words);
}

// What is on screen, without bullets and numbers of lists. Only for pads that fit the window.
export function textOf(page: Page): Promise<string> {
  return page.locator('.cm-content').evaluate((content) => {
    const lines = [...content.querySelectorAll('.cm-line')].map((line) => {
      const copy = line.cloneNode(true) as Element;
      for (const other of copy.querySelectorAll('.pad-marker, .cm-placeholder')) other.remove();
      return copy.textContent ?? '';
    });
    return lines.join('\n');
  });
}

export async function expectText(page: Page, text: string): Promise<void> {
  await expect.poll(() => textOf(page)).toBe(text);
}

// All pages come to show the same text, which is returned. Whether it is stored as well, a new
// visitor tells.
export async function convergedText(
  browser: Browser,
  pad: string,
  pages: readonly Page[],
  length: number,
): Promise<string> {
  const texts = () => Promise.all(pages.map(textOf));
  await expect
    .poll(async () => {
      const all = await texts();
      return new Set(all).size === 1 ? all[0]?.length : all;
    })
    .toBe(length);
  const [text = ''] = await texts();
  const { page, context } = await visitor(browser, pad);
  await expectText(page, text);
  await context.close();
  return text;
}

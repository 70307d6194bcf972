// A pad open in a browser, as the tests of the frame use it.

import type { Page } from 'playwright-core';

let count = 0;

// A name no other test has, also on a server that has seen tests before.
export function newPadName(): string {
  count += 1;
  return `frame-${Date.now().toString(36)}-${count}`;
}

// Opens a pad and waits until it can be written to.
export async function openPad(page: Page, name: string, query = ''): Promise<void> {
  await page.goto(`p/${encodeURIComponent(name)}${query && `?${query}`}`);
  await stateIs(page, /saved|readOnly/);
}

// As browsers are on plain HTTP: then a pad is live in one window of a person at a time.
export async function withoutLocks(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined });
  });
}

// The state that is shown, with nothing on its way that it does not tell of yet.
export async function stateIs(page: Page, kind: RegExp): Promise<void> {
  await page.waitForFunction((source) => {
    const { state = '', settled } =
      document.querySelector<HTMLElement>('[data-state]')?.dataset ?? {};
    return new RegExp(source).test(state) && (settled === 'true' || state !== 'saved');
  }, kind.source);
}

export const text = (page: Page) => page.locator('.cm-content');

// Replaces what is there, the welcome of a new pad included.
export async function write(page: Page, words: string): Promise<void> {
  await text(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(words);
}

export async function fromMore(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

// The list of people, whether it was open or not.
export async function showPeople(page: Page): Promise<void> {
  if (!(await page.locator('.people').isVisible())) await fromMore(page, 'People');
  await page.locator('.people').waitFor();
}

// Chooses one of several, by its label: the radio button itself is not drawn.
export async function pick(page: Page, name: string): Promise<void> {
  const radio = { name, exact: true };
  await page.locator('label', { has: page.getByRole('radio', radio) }).click();
  await page.getByRole('radio', { ...radio, checked: true }).waitFor();
}

export const dialog = (page: Page) => page.getByRole('dialog');

// What a pad is called that nobody has named.
export function titleOf(name: string): string {
  return name.replaceAll('-', ' ');
}

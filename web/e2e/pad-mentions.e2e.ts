// Mentions of oneself by others: in the text and in the chat, seen or not.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, labelMismatches, launch } from './browser.ts';
import { emptyPad, expectText, newPadName, type PadPage, visitor } from './pad.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const options = (page: Page) => page.locator('#pad-suggest [role=option]');
const people = (page: Page) => page.getByRole('button', { name: /people here/ });
const badge = (page: Page) => people(page).locator('.badge');

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1}`).join('\n');

// Ada writes, Grace Hopper reads; neither has a panel open.
async function adaAndGrace(): Promise<[PadPage, PadPage]> {
  const pad = newPadName();
  const [ada] = await emptyPad(browser, 1, `${pad}?userName=Ada`);
  const grace = await visitor(browser, `${pad}?userName=Grace%20Hopper`);
  if (!ada) throw new Error('a visitor');
  await people(ada.page).waitFor();
  await ada.page.locator('.cm-content').click();
  return [ada, grace];
}

// By typing a part of their name and choosing it.
async function mention(page: Page): Promise<void> {
  await page.keyboard.type('@gra');
  await options(page).filter({ hasText: 'Grace Hopper' }).waitFor();
  await page.keyboard.press('Enter');
}

function look(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}

const isInSight = (page: Page, text: string) =>
  page.evaluate((text) => {
    const frame = document.querySelector('.cm-scroller')?.getBoundingClientRect();
    const lines = [...document.querySelectorAll('.cm-line')];
    const line = lines.find((each) => each.textContent === text)?.getBoundingClientRect();
    return !!frame && !!line && line.top >= frame.top && line.bottom <= frame.bottom;
  }, text);

describe('a mention in the text', () => {
  test('that is out of sight is announced, counted and shown on request', async () => {
    const [ada, grace] = await adaAndGrace();
    const { page } = grace;
    const title = await page.title();
    await ada.page.keyboard.insertText(`${LINES}\nask `);
    await expect.poll(() => isInSight(page, 'line 1')).toBe(true);
    await look(page, true);
    await mention(ada.page);
    await expect.poll(() => page.title()).toBe(`(1) ${title}`);
    await look(page, false);
    await expect.poll(() => page.title()).toBe(title);
    await expect.poll(() => badge(page).textContent()).toBe('@');
    await page.getByRole('button', { name: 'You are mentioned in the text' }).waitFor();
    // Another one, while somebody looks at another place.
    await ada.page.keyboard.type('and again ');
    await mention(ada.page);
    await page.locator('.toast').getByText('Ada mentioned you').waitFor();
    await expect.poll(() => badge(page).textContent()).toBe('@2');
    expect(await page.title()).toBe(title);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await labelMismatches(page)).toEqual([]);
    await people(page).click();
    const notice = page.locator('.panel').getByText('You are mentioned in 2 places of the text');
    await notice.waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const show = page.locator('.panel').getByRole('button', { name: 'Show', exact: true });
    // Text that comes in above moves them.
    await ada.page.keyboard.press('Control+Home');
    await ada.page.keyboard.type('top ');
    await show.click();
    const wanted = 'ask @Grace Hopper and again @Grace Hopper ';
    await expect.poll(() => isInSight(page, wanted)).toBe(true);
    await page.keyboard.type('!');
    await expectText(page, `top ${LINES}\nask !@Grace Hopper and again @Grace Hopper `);
    await expect.poll(() => badge(page).textContent()).toBe('@');
    await show.click();
    await show.waitFor({ state: 'detached' });
    expect(await badge(page).count()).toBe(0);
    for (const { context } of [ada, grace]) await context.close();
  });

  test('that is in sight is only said', async () => {
    const [ada, grace] = await adaAndGrace();
    await mention(ada.page);
    await expect
      .poll(() => grace.page.locator('#announcer').textContent())
      .toContain('Ada mentioned you');
    expect(await badge(grace.page).count()).toBe(0);
    // One's own name, and that of others, are nothing to say.
    await grace.page.locator('.cm-content').click();
    await grace.page.keyboard.press('Control+End');
    await mention(grace.page);
    await expectText(ada.page, '@Grace Hopper @Grace Hopper ');
    for (const { page } of [ada, grace]) expect(await badge(page).count()).toBe(0);
    for (const { context } of [ada, grace]) await context.close();
  });

  test('that is only moved is none', async () => {
    const [ada, grace] = await adaAndGrace();
    await ada.page.keyboard.insertText(`${LINES}\n`);
    await ada.page.keyboard.type('# one');
    await ada.page.keyboard.press('Enter');
    await mention(ada.page);
    await ada.page.keyboard.press('Enter');
    await ada.page.keyboard.type('# two');
    await expect.poll(() => badge(grace.page).textContent()).toBe('@');
    await ada.page.getByRole('button', { name: 'Outline', exact: true }).click();
    await ada.page
      .getByRole('navigation')
      .getByRole('button', { name: 'one', exact: true })
      .focus();
    await ada.page.keyboard.press('Alt+ArrowDown');
    await expectText(grace.page, `${LINES}\ntwo\none\n@Grace Hopper `);
    expect(await badge(grace.page).textContent()).toBe('@');
    for (const { context } of [ada, grace]) await context.close();
  });
});

test('a mention in the chat is marked on its button and counts as a message', async () => {
  const [ada, grace] = await adaAndGrace();
  const { page } = grace;
  const title = await page.title();
  const chat = page.getByRole('button', { name: /^Chat/ });
  const say = async (words: string) => {
    await ada.page.getByLabel('Message', { exact: true }).fill(words);
    await ada.page.keyboard.press('Enter');
  };
  await ada.page.keyboard.press('Alt+KeyC');
  await say('hello');
  await expect.poll(() => chat.locator('.badge').textContent()).toBe('1');
  await look(page, true);
  await say('is @grace hopper here?');
  await expect.poll(() => chat.locator('.badge').textContent()).toBe('@2');
  await expect.poll(() => page.title()).toBe(`(1) ${title}`);
  await look(page, false);
  const name = 'Chat, 2 unread messages. 1 of them mentions you';
  await page.getByRole('button', { name }).click();
  await page.locator('.message.mentions').getByText('is @grace hopper here?').waitFor();
  await page.getByRole('button', { name: 'Chat', exact: true }).waitFor();
  expect(await chat.locator('.badge').count()).toBe(0);
  for (const { context } of [ada, grace]) await context.close();
});

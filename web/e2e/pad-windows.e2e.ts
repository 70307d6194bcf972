// One person with a pad in several tabs: all of them are live, and nothing is lost or there twice.

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { cutOff, expectJournalled } from './losses.ts';
import { emptyPad, expectText, newPadName, openPad, textOf } from './pad.ts';
import { showPeople, stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// Another tab of the same person, its caret at the end of the text.
async function anotherTab(context: BrowserContext, pad: string): Promise<Page> {
  const page = await context.newPage();
  await openPad(page, pad);
  await stateIs(page, /saved/);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  return page;
}

async function twoTabs() {
  const pad = newPadName();
  const [own, other] = await emptyPad(browser, 2, pad);
  if (!own || !other) throw new Error('two visitors');
  const second = await anotherTab(own.context, pad);
  return { pad, first: own.page, second, other };
}

const carets = (page: Page) => expect.poll(() => page.locator('.pad-cursor').count());

// How many other people the list has.
const others = (page: Page) => expect.poll(() => page.locator('.people li').count());

// Everything that is offered becomes part of the text. Says how many there were.
async function mergeAll(page: Page): Promise<number> {
  const button = page.getByRole('button', { name: 'Merge' });
  for (let count = 0; ; count++) {
    const before = await textOf(page);
    if (!(await button.isVisible())) return count;
    await button.click();
    await expect.poll(() => textOf(page)).not.toBe(before);
  }
}

function occurrences(text: string, word: string): number {
  return text.split(word).length - 1;
}

describe('tabs of one person', () => {
  test('both write and see each other, and others see one person with two carets', async () => {
    const { first, second, other } = await twoTabs();
    await first.keyboard.type('first ');
    await expectText(second, 'first ');
    await second.keyboard.press('Control+End');
    await Promise.all([
      first.keyboard.type('a'.repeat(20), { delay: 15 }),
      second.keyboard.type('b'.repeat(20), { delay: 20 }),
    ]);
    for (const page of [first, second, other.page]) {
      await expect.poll(async () => (await textOf(page)).length).toBe(46);
    }
    const text = await textOf(other.page);
    expect([occurrences(text, 'a'), occurrences(text, 'b')]).toEqual([20, 20]);
    for (const page of [first, second]) await expectText(page, text);
    await carets(other.page).toBe(2);
    await other.page.keyboard.press('Control+Home');
    // The other tab, and the other person.
    for (const page of [first, second]) await carets(page).toBe(2);
    for (const page of [first, second, other.page]) {
      await showPeople(page);
      await others(page).toBe(1);
    }
    await first.close();
    await carets(other.page).toBe(1);
    await carets(second).toBe(1);
    await others(other.page).toBe(1);
    await second.locator('.cm-content').click();
    await second.keyboard.press('Control+Home');
    await second.keyboard.type('still ');
    await expectText(other.page, `still ${text}`);
    await second.close();
    await others(other.page).toBe(0);
    for (const { context } of [other]) await context.close();
  });

  test('a name that is given in one is there in the other', async () => {
    const { first, second } = await twoTabs();
    for (const page of [first, second]) await showPeople(page);
    const name = (page: Page) => page.locator('.people').getByRole('textbox').first();
    await name(first).fill('Ada');
    await name(first).press('Enter');
    await expect.poll(() => name(second).inputValue()).toBe('Ada');
    await first.context().close();
  });

  test('one without network goes on writing, the other is not disturbed by its draft', async () => {
    const { pad, first, second, other } = await twoTabs();
    await first.keyboard.type('sent');
    await expectText(other.page, 'sent');
    await expectText(second, 'sent');
    const back = await cutOff(first);
    await first.keyboard.type(' unsent');
    await expectJournalled(first, 'unsent');
    // Loaded again beside it: the draft belongs to a tab that is alive.
    await openPad(second, pad);
    await stateIs(second, /saved/);
    await second.locator('.cm-content').click();
    await second.keyboard.press('Control+Home');
    await second.keyboard.type('more ');
    await expectText(other.page, 'more sent');
    expect(await second.getByRole('button', { name: 'Merge' }).count()).toBe(0);
    await back();
    await first.unrouteAll();
    for (const page of [first, second, other.page]) await expectText(page, 'more sent unsent');
    for (const { context } of [other]) await context.close();
    await first.context().close();
  });

  test('what two closed tabs have left is taken up once, however many open', async () => {
    const { pad, first, second, other } = await twoTabs();
    await first.keyboard.type('sent');
    await expectText(second, 'sent');
    const { context } = { context: first.context() };
    const back = await cutOff(first);
    await cutOff(second);
    await first.keyboard.type(' one');
    await second.keyboard.press('Control+End');
    await second.keyboard.type(' two');
    for (const word of ['one', 'two']) await expectJournalled(first, word);
    const pages = [await context.newPage(), await context.newPage()];
    await first.close();
    await second.close();
    await back();
    await context.unrouteAll();
    await Promise.all(pages.map((page) => openPad(page, pad)));
    for (const page of pages) await stateIs(page, /saved/);
    const offered = () =>
      Promise.all(pages.map((page) => page.getByRole('button', { name: 'Merge' }).isVisible()));
    await expect.poll(async () => (await offered()).includes(true)).toBe(true);
    for (let merged = 0; merged < 2; ) for (const page of pages) merged += await mergeAll(page);
    for (const page of [...pages, other.page]) {
      const words = async () => {
        const text = await textOf(page);
        return ['sent', ' one', ' two'].map((word) => occurrences(text, word));
      };
      await expect.poll(words).toEqual([1, 1, 1]);
    }
    // Nothing is left for the next one.
    const next = await anotherTab(context, pad);
    await expectText(next, await textOf(other.page));
    expect(await mergeAll(next)).toBe(0);
    await context.close();
    await other.context.close();
  });

  test('a tab that is loaded again with something unsent sends it once', async () => {
    const { pad, first, second, other } = await twoTabs();
    await first.keyboard.type('sent');
    await expectText(second, 'sent');
    const back = await cutOff(first);
    await first.keyboard.type(' unsent');
    await expectJournalled(first, 'unsent');
    await second.keyboard.press('Control+Home');
    await second.keyboard.type('more ');
    await expectText(other.page, 'more sent');
    const tab = await first.evaluate(() => sessionStorage.getItem('pad-tab'));
    const again = await first.context().newPage();
    await first.close();
    await back();
    await again.addInitScript((name) => {
      if (name && !sessionStorage.getItem('pad-tab')) sessionStorage.setItem('pad-tab', name);
    }, tab);
    await openPad(again, pad);
    for (const page of [again, second, other.page]) await expectText(page, 'more sent unsent');
    await again.context().close();
    await other.context.close();
  });

  test('a duplicated tab leaves the draft of its original alone', async () => {
    const { pad, first, second, other } = await twoTabs();
    await first.keyboard.type('sent');
    await expectText(second, 'sent');
    const back = await cutOff(first);
    await first.keyboard.type(' unsent');
    await expectJournalled(first, 'unsent');
    // As browsers do: with all that the original keeps for its session.
    const tab = await first.evaluate(() => sessionStorage.getItem('pad-tab'));
    const copy = await first.context().newPage();
    await copy.addInitScript((name) => {
      if (name && !sessionStorage.getItem('pad-tab')) sessionStorage.setItem('pad-tab', name);
    }, tab);
    await openPad(copy, pad);
    await stateIs(copy, /saved/);
    await copy.locator('.cm-content').click();
    await copy.keyboard.press('Control+Home');
    await copy.keyboard.type('more ');
    await expectText(other.page, 'more sent');
    await back();
    await first.unrouteAll();
    for (const page of [first, copy, other.page]) await expectText(page, 'more sent unsent');
    await first.context().close();
    await other.context.close();
  });
});

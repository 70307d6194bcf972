// Several people in one pad at once.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { convergedText, emptyPad, expectText, newPadName, textOf } from './pad.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('people in one pad', () => {
  for (const count of [2, 5]) {
    test(`${count} type at the same place and see the same text`, async () => {
      const pad = newPadName();
      const all = await emptyPad(browser, count, pad);
      // Where everybody writes at one place, letters of different people may alternate.
      const letters = [...'abcde'].slice(0, count);
      await Promise.all(
        letters.map((letter, i) =>
          all[i]?.page.keyboard.type(letter.repeat(30), { delay: 10 + i }),
        ),
      );
      const pages = all.map(({ page }) => page);
      const text = await convergedText(browser, pad, pages, count * 30);
      for (const letter of letters) expect(text.split(letter)).toHaveLength(31);
      for (const { context } of all) await context.close();
    });
  }

  test('undo takes back the own words and leaves those of others', async () => {
    const [one, two] = await emptyPad(browser, 2);
    if (!one || !two) throw new Error('two visitors');
    // At once: what is typed slowly is taken back in several steps.
    await one.page.keyboard.insertText('mine');
    await expectText(two.page, 'mine');
    await two.page.keyboard.press('Control+Home');
    await two.page.keyboard.insertText('yours ');
    await expectText(one.page, 'yours mine');
    await one.page.keyboard.press('Control+z');
    await expectText(two.page, 'yours ');
    await one.page.keyboard.press('Control+y');
    await expectText(two.page, 'yours mine');
    await two.page.keyboard.press('Control+z');
    await expectText(one.page, 'mine');
    for (const { context } of [one, two]) await context.close();
  });

  test('a composition survives edits by others in the same piece of text', async () => {
    const [one, two, three] = await emptyPad(browser, 3);
    if (!one || !two || !three) throw new Error('three visitors');
    await one.page.keyboard.type('too many words ');
    await expectText(two.page, 'too many words ');
    await two.page.keyboard.press('Control+Home');
    const input = await one.context.newCDPSession(one.page);
    let left = 'too many words ';
    for (const text of ['k', 'こ', 'こn', 'こん', 'こんに', 'こんにち', 'こんにちは']) {
      const end = text.length;
      // All of it takes longer than anybody should have to wait for others, but no step does.
      await one.page.evaluate(() => {
        const now = Date.now;
        Date.now = () => now() + 10_000;
      });
      await input.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
      await two.page.keyboard.press('Delete');
      left = left.slice(1);
      // What the third visitor sees has been sent to the first one too.
      await expectText(three.page, left + text);
    }
    await input.send('Input.insertText', { text: 'こんにちは' });
    for (const { page } of [one, two, three]) await expectText(page, `${left}こんにちは`);
    for (const { context } of [one, two, three]) await context.close();
  });

  test('formats, lists and authors are seen by others', async () => {
    const [one, two] = await emptyPad(browser, 2);
    if (!one || !two) throw new Error('two visitors');
    const { keyboard } = one.page;
    await keyboard.press('Control+b');
    await keyboard.type('bold');
    await keyboard.press('Control+b');
    await keyboard.type(' plain');
    await keyboard.press('Enter');
    await keyboard.type('1. first');
    await keyboard.press('Enter');
    await keyboard.type('second');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.type('inner');
    await expectText(two.page, 'bold plain\nfirst\nsecond\ninner');
    await expect.poll(() => two.page.locator('.cm-content strong').textContent()).toBe('bold');
    const items = two.page.getByRole('listitem');
    await expect.poll(() => items.allTextContents()).toEqual(['1.first', '2.second', '1.inner']);
    const levels = () => items.evaluateAll((all) => all.map((item) => item.ariaLevel));
    await expect.poll(levels).toEqual(['1', '1', '2']);
    await keyboard.press('Enter');
    await keyboard.press('Enter');
    await keyboard.press('Enter');
    await keyboard.type('after');
    await expectText(two.page, 'bold plain\nfirst\nsecond\ninner\nafter');
    await expect.poll(() => items.count()).toBe(3);
    for (const { context } of [one, two]) await context.close();
  });

  test('what is copied in one pad is pasted in another with its formatting', async () => {
    const [one] = await emptyPad(browser, 1);
    const [two] = await emptyPad(browser, 1);
    if (!one || !two) throw new Error('two visitors');
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await two.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await one.page.keyboard.type('- a');
    await one.page.keyboard.press('Enter');
    await one.page.keyboard.press('Control+i');
    await one.page.keyboard.type('b');
    await one.page.keyboard.press('Control+a');
    await one.page.keyboard.press('Control+c');
    const copied = () => one.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('b');
    await two.page.bringToFront();
    await two.page.keyboard.press('Control+v');
    await expectText(two.page, 'a\nb');
    await expect.poll(() => two.page.getByRole('listitem').count()).toBe(2);
    await expect.poll(() => two.page.locator('.cm-content em').textContent()).toBe('b');
    expect(await textOf(two.page)).not.toContain('*');
    for (const { context } of [one, two]) await context.close();
  });
});

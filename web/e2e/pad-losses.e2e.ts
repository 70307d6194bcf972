// Nothing typed is ever lost: without network, over reloads, over the death of the server.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { cutOff, expectJournalled, leaveDraft, spoil } from './losses.ts';
import { emptyPad, expectText, newPadName, openPad, textOf, visitor } from './pad.ts';
import { OwnServer } from './server.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('losses', () => {
  test('without network people go on writing, and it is merged afterwards', async () => {
    const [one, two] = await emptyPad(browser, 2);
    if (!one || !two) throw new Error('two visitors');
    await one.page.keyboard.type('together');
    await expectText(two.page, 'together');
    await one.context.setOffline(true);
    await one.page.keyboard.type(' alone');
    await two.page.keyboard.press('Control+Home');
    await two.page.keyboard.type('meanwhile ');
    await expectText(one.page, 'together alone');
    await expectText(two.page, 'meanwhile together');
    await one.context.setOffline(false);
    await expectText(one.page, 'meanwhile together alone');
    await expectText(two.page, 'meanwhile together alone');
    for (const { context } of [one, two]) await context.close();
  });

  test('what was not sent before a reload is there after it, once', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    await one.page.keyboard.type('sent');
    await expectText(two.page, 'sent');
    const back = await cutOff(one.page);
    await one.page.keyboard.type(' unsent');
    await expectJournalled(one.page, 'unsent');
    await two.page.keyboard.press('Control+Home');
    await two.page.keyboard.type('more ');
    await expectText(two.page, 'more sent');
    const again = await one.context.newPage();
    const tab = await one.page.evaluate(() => sessionStorage.getItem('pad-tab'));
    await one.page.close();
    // Not before: the page would send it after all.
    await back();
    await again.addInitScript((name) => {
      if (name && !sessionStorage.getItem('pad-tab')) sessionStorage.setItem('pad-tab', name);
    }, tab);
    await openPad(again, pad);
    await expectText(again, 'more sent unsent');
    await expectText(two.page, 'more sent unsent');
    for (const { context } of [one, two]) await context.close();
  });

  test('unsent changes of a closed tab are offered to the next one', async () => {
    const pad = newPadName();
    const [one, other] = await emptyPad(browser, 2, pad);
    if (!one || !other) throw new Error('two visitors');
    await one.page.keyboard.type('sent');
    await expectText(other.page, 'sent');
    const page = await leaveDraft(one.page, ' unsent');
    await openPad(page, pad);
    await expectText(page, 'sent');
    await page.getByRole('button', { name: 'Merge' }).click();
    await expectText(page, 'sent unsent');
    await expectText(other.page, 'sent unsent');
    for (const { context } of [one, other]) await context.close();
  });

  test('a change that the server refuses is kept, offered, and can be tried again', async () => {
    const pad = newPadName();
    const prepare = (page: Page) => spoil(page, 'precious');
    const { page, context } = await visitor(browser, pad, {}, undefined, prepare);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('before');
    const other = await visitor(browser, pad);
    await expectText(other.page, 'before');
    await page.keyboard.insertText(' precious');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await expectText(page, 'before');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectText(other.page, 'before precious');
    await expectText(page, 'before precious');
    for (const each of [context, other.context]) await each.close();
  });

  test('the server dies and comes back while somebody types', async () => {
    const server = await OwnServer.start();
    try {
      const pad = newPadName();
      const { page, context } = await visitor(browser, pad, {}, server.url);
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      const words = 'every letter of this is kept whatever happens to the server meanwhile';
      const typing = page.keyboard.type(words, { delay: 40 });
      await expect.poll(() => textOf(page)).toContain('every letter');
      await server.kill();
      await expect.poll(() => textOf(page)).toContain('kept');
      await server.start();
      await typing;
      const other = await visitor(browser, pad, {}, server.url);
      await expectText(other.page, words);
      await expectText(page, words);
      await context.close();
      await other.context.close();
    } finally {
      await server.end();
    }
  });

  test('the disk is full for a while: people are informed, and what they type arrives', async () => {
    const server = await OwnServer.start();
    try {
      const pad = newPadName();
      const { page, context } = await visitor(browser, pad, {}, server.url);
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('before ');
      await page.locator('.state[data-settled="true"]').waitFor();
      await server.fillDisk(true);
      await page.keyboard.type('meanwhile');
      const notice = (of: Page) => of.locator('.standing', { hasText: 'cannot store anything' });
      await notice(page).waitFor();
      await page.locator('.state[data-state="unstored"]').waitFor();
      await page.keyboard.type(' and more');
      // Somebody new comes in, reads what is stored, and is informed as well.
      const other = await visitor(browser, pad, {}, server.url);
      await expectText(other.page, 'before ');
      await notice(other.page).waitFor();
      // What is typed stays in the browser, over a reload too.
      await expectJournalled(page, 'and more');
      await page.reload();
      await expectText(page, 'before meanwhile and more');
      await notice(page).waitFor();
      // A pad that does not exist cannot be made now; that is said as well.
      const third = await other.context.newPage();
      await third.goto(`p/${newPadName()}`);
      await notice(third).waitFor();
      await server.fillDisk(false);
      await expectText(other.page, 'before meanwhile and more');
      await page.locator('.state[data-settled="true"]').waitFor();
      for (const each of [page, other.page, third]) await notice(each).waitFor({ state: 'hidden' });
      await page.reload();
      await expectText(page, 'before meanwhile and more');
      for (const each of [context, other.context]) await each.close();
    } finally {
      await server.end();
    }
  });

  test('a chat message that cannot be stored stays in its field, and can be sent later', async () => {
    const server = await OwnServer.start();
    try {
      const { page, context } = await visitor(browser, newPadName(), {}, server.url);
      await page.getByRole('button', { name: 'Chat' }).click();
      const field = page.getByRole('textbox', { name: 'Message' });
      await server.fillDisk(true);
      await field.fill('hello');
      await field.press('Enter');
      const alert = page.getByRole('alert').getByText('Not sent.');
      await alert.waitFor();
      // Also after looking at something else.
      await page.getByRole('tab', { name: 'People' }).click();
      await page.getByRole('tab', { name: 'Chat' }).click();
      await alert.waitFor();
      await expect.poll(() => field.inputValue()).toBe('hello');
      await server.fillDisk(false);
      await field.press('Enter');
      await page.getByRole('log').getByText('hello').waitFor();
      await expect.poll(() => field.inputValue()).toBe('');
      await alert.waitFor({ state: 'detached' });
      await context.close();
    } finally {
      await server.end();
    }
  });
});

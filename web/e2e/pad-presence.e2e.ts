// Who is where, and what a visitor who may only read sees.

import type { Browser, Page } from 'playwright-core';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, SIZES, serverUrl, shownFromNow } from './browser.ts';
import { emptyPad, expectText, newPadName, openPad, visitor } from './pad.ts';
import { showPeople, stateIs, withoutLocks } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// The column at which the only other caret is drawn, by the letter it stands before.
function letterAtCaret(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const caret = document.querySelector('.pad-cursor')?.getBoundingClientRect();
    if (!caret) return null;
    const at = document.caretPositionFromPoint(caret.left + 1, caret.top + caret.height / 2);
    const text = at?.offsetNode.textContent ?? '';
    return text[at?.offset ?? 0] ?? 'end';
  });
}

describe('presence', () => {
  test('others see where somebody is, also when nothing is typed', async () => {
    const [one, two] = await emptyPad(browser, 2);
    if (!one || !two) throw new Error('two visitors');
    await one.page.keyboard.type('abcdef');
    await expectText(two.page, 'abcdef');
    await expect.poll(() => letterAtCaret(two.page)).toBe('end');
    for (let i = 0; i < 4; i++) await one.page.keyboard.press('ArrowLeft');
    await expect.poll(() => letterAtCaret(two.page)).toBe('c');
    await two.page.keyboard.press('Control+Home');
    await two.page.keyboard.type('xx');
    await expectText(one.page, 'xxabcdef');
    await expect.poll(() => letterAtCaret(two.page)).toBe('c');
    await one.context.close();
    await expect.poll(() => two.page.locator('.pad-cursor').count()).toBe(0);
    await two.context.close();
  });

  test('a name is shown for a while, inside of a small window, and not for as long as one types', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('a visitor');
    const phone = await visitor(browser, pad, SIZES.phone);
    await showPeople(one.page);
    await one.page.getByLabel('Your name').fill('Ada Augusta Countess of Lovelace');
    await one.page.getByLabel('Your name').press('Enter');
    await one.page.locator('.cm-content').click();
    const names = await shownFromNow(phone.page, '.pad-cursor-named');
    await one.page.keyboard.type('a line as long as a phone is wide, no less');
    const named = phone.page.locator('.pad-cursor-named');
    await expect.poll(() => names).not.toEqual([]);
    const overflow = () =>
      phone.page
        .locator('.cm-scroller')
        .evaluate((scroller) => scroller.scrollWidth - scroller.clientWidth);
    expect(await overflow()).toBe(0);
    const typing = one.page.keyboard.type('.'.repeat(80), { delay: 50 });
    await named.waitFor({ state: 'detached' });
    await expect.poll(() => phone.page.locator('.pad-cursor').count()).toBe(1);
    await typing;
    // In another line it is news again.
    const before = names.length;
    await one.page.keyboard.press('Enter');
    await expect.poll(() => names.length).toBeGreaterThan(before);
    for (const { context } of [one, phone]) await context.close();
  });

  test('a read-only visitor sees the text change and cannot change it', async () => {
    const pad = newPadName();
    const [writer] = await emptyPad(browser, 1, pad);
    if (!writer) throw new Error('a visitor');
    const reader = await visitor(browser, await readOnlyName(pad));
    await writer.page.keyboard.type('for everybody');
    await expectText(reader.page, 'for everybody');
    await reader.page.locator('.cm-content').click();
    await reader.page.keyboard.type('not from here');
    await writer.page.keyboard.type('!');
    await expectText(reader.page, 'for everybody!');
    await expectText(writer.page, 'for everybody!');
    for (const { context } of [writer, reader]) await context.close();
  });

  test('without locks a second window takes over, and it can be taken back', async () => {
    const pad = newPadName();
    const one = await visitor(browser, pad, {}, undefined, withoutLocks);
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.type('first ');
    await stateIs(one.page, /saved/);
    const second = await one.context.newPage();
    await openPad(second, pad);
    await expectText(second, 'first ');
    const back = one.page.getByRole('button', { name: 'Use it here' });
    await back.waitFor();
    await second.locator('.cm-content').click();
    await second.keyboard.press('Control+End');
    await second.keyboard.type('second ');
    await stateIs(second, /saved/);
    await back.click();
    await expectText(one.page, 'first second ');
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+End');
    await one.page.keyboard.type('third');
    const other = await visitor(browser, pad);
    await expectText(other.page, 'first second third');
    for (const { context } of [one, other]) await context.close();
  });
});

// The name under which a pad can only be read, as a member of the pad gets it.
async function readOnlyName(pad: string): Promise<string> {
  const path = `${new URL(serverUrl()).pathname}socket.io`;
  const socket: Socket = io(new URL(serverUrl()).origin, { path, transports: ['websocket'] });
  try {
    return await new Promise((resolve, reject) => {
      socket.on('connect_error', reject);
      socket.on('message', (message: { type?: string; data?: { readOnlyId?: string } }) => {
        if (message.type === 'CLIENT_VARS') resolve(message.data?.readOnlyId ?? '');
        else reject(new Error(JSON.stringify(message)));
      });
      const token = `t.${'e2e2'.repeat(5)}`;
      socket.emit('message', { component: 'pad', type: 'CLIENT_READY', padId: pad, token });
    });
  } finally {
    socket.disconnect();
  }
}

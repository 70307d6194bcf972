// What goes wrong on the way to a server, and what the browser keeps then.

import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

// From here on the page reaches no server. Connections that are open go as well.
export async function cutOff(page: Page): Promise<() => Promise<void>> {
  await page.context().route('**/socket.io/**', (route) => route.abort());
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close());
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  return () => page.context().unroute('**/socket.io/**');
}

// Until the journal has what was typed.
export async function expectJournalled(page: Page, text: string): Promise<void> {
  const pending = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const request = indexedDB.open('pad-drafts');
          request.onsuccess = () => {
            const drafts = request.result.transaction('drafts').objectStore('drafts').getAll();
            drafts.onsuccess = () => {
              request.result.close();
              resolve(JSON.stringify(drafts.result));
            };
          };
        }),
    );
  await expect.poll(pending).toContain(text);
}

// Writes something that is not sent, closes the tab, and gives another one.
export async function leaveDraft(page: Page, text: string): Promise<Page> {
  const context: BrowserContext = page.context();
  await cutOff(page);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  await expectJournalled(page, text.trim());
  await page.close();
  await context.unroute('**/socket.io/**');
  return context.newPage();
}

// Somebody on the way spoils the first message that has this word in it.
export async function spoil(page: Page, word: string): Promise<void> {
  let spoilt = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const bad = !spoilt && message.includes(word);
      spoilt ||= bad;
      server.send(bad ? String(message).replace('"Z:', '"Z:1') : message);
    });
  });
}

// Nothing typed is ever lost: without network, over reloads, over the death of the server.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { emptyPad, expectText, newPadName, openPad, textOf, visitor } from './pad.ts';

const PROGRAM = process.env.PADSVC_BIN ?? join(import.meta.dirname, '../../target/debug/padsvc');

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// From here on the page reaches no server. Connections that are open go as well.
async function cutOff(page: Page): Promise<() => Promise<void>> {
  await page.context().route('**/socket.io/**', (route) => route.abort());
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close());
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  return () => page.context().unroute('**/socket.io/**');
}

// Until the journal has what was typed.
async function expectJournalled(page: Page, text: string): Promise<void> {
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
  await expect.poll(pending, { timeout: 10_000 }).toContain(text);
}

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
    await back();
    const again = await one.context.newPage();
    const tab = await one.page.evaluate(() => sessionStorage.getItem('pad-tab'));
    await one.page.close();
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
    await cutOff(one.page);
    await one.page.keyboard.type(' unsent');
    await expectJournalled(one.page, 'unsent');
    await one.page.close();
    await one.context.unroute('**/socket.io/**');
    const page = await one.context.newPage();
    await openPad(page, pad);
    await expectText(page, 'sent');
    await page.getByRole('button', { name: 'Merge' }).click();
    await expectText(page, 'sent unsent');
    await expectText(other.page, 'sent unsent');
    for (const { context } of [one, other]) await context.close();
  });

  test('a change that the server refuses is kept, offered, and can be tried again', async () => {
    const pad = newPadName();
    const { page, context } = await visitor(browser, pad, {}, undefined, async (page) => {
      // Somebody on the way spoils one message.
      let spoil = true;
      await page.routeWebSocket(/socket\.io/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => {
          const bad = spoil && message.includes('precious');
          if (bad) spoil = false;
          server.send(bad ? String(message).replace('"Z:', '"Z:1') : message);
        });
      });
    });
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
    const root = await mkdtemp(join(tmpdir(), 'padsvc-e2e-'));
    let server = await startServer(root, 0);
    try {
      const pad = newPadName();
      const { page, context } = await visitor(browser, pad, {}, server.url);
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+a');
      const words = 'every letter of this is kept whatever happens to the server meanwhile';
      const typing = page.keyboard.type(words, { delay: 40 });
      await expect.poll(() => textOf(page)).toContain('every letter');
      await stopServer(server.child);
      await expect.poll(() => textOf(page)).toContain('kept');
      server = await startServer(root, Number(new URL(server.url).port));
      await typing;
      const other = await visitor(browser, pad, {}, server.url);
      await expectText(other.page, words);
      await expectText(page, words);
      await context.close();
      await other.context.close();
    } finally {
      await stopServer(server.child);
      await rm(root, { recursive: true, force: true });
    }
  });
});

async function startServer(root: string, port: number) {
  const child = spawn(PROGRAM, ['--root', root, '--ip', '127.0.0.1', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = /open (\S+)/.exec(line.toString())?.[1];
  if (!url) throw new Error(`the server did not say where it is: ${line}`);
  return { child, url };
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

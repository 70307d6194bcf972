// A pad inside the page of another application, as SPEC.md's typical flow has it: the application
// makes a group, an author, a session and a pad, sets the session's cookie and shows a frame.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from './api.ts';
import { launch, serverUrl, visit } from './browser.ts';

let browser: Browser;
let application: Server;
let pad = '';
let session = '';

beforeAll(async () => {
  const group = await call('createGroup', {});
  const author = await call('createAuthor', { name: 'Ada of the portal' });
  const soon = String(Math.floor(Date.now() / 1000) + 3600);
  session = await call('createSession', { groupID: group, authorID: author, validUntil: soon });
  await call('createGroupPad', { groupID: group, padName: 'notes', text: 'For members' });
  pad = `${group}$notes`;
  // A page of the application. Another port is another origin, and the cookie holds for both.
  application = createServer((request, response) => {
    if (request.url === '/in') response.setHeader('set-cookie', `sessionID=${session}; Path=/`);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const address = `${serverUrl()}p/${pad}?showChat=false&showLineNumbers=false`;
    response.end(`<!doctype html><title>Portal</title><h1>Portal</h1>
      <iframe title="Notes" src="${address}" width="900" height="500"></iframe>`);
  });
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  application?.close();
});

const portal = (path: string): string =>
  `http://127.0.0.1:${(application.address() as AddressInfo).port}${path}`;

describe('a pad in the page of an application', () => {
  test('is open to people with a session, who write as the author of the session', async () => {
    await visit(browser, {}, async ({ page, problems }) => {
      await page.goto(portal('/in'));
      const frame = page.frameLocator('iframe');
      const text = frame.locator('.cm-content');
      await expect.poll(() => text.innerText()).toBe('For members');
      await text.click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' and guests');
      await expect.poll(() => call('getText', { padID: pad })).toBe('For members and guests\n');
      // The embedder's wishes are in the address.
      await expect.poll(() => frame.locator('.cm-lineNumbers').count()).toBe(0);
      await expect.poll(() => call('padUsers', { padID: pad })).toContain('Ada of the portal');
      expect(problems).toEqual([]);
    });
  });

  test('says to somebody without a session that they may not open it', async () => {
    await visit(browser, {}, async ({ page }) => {
      await page.goto(portal('/out'));
      const frame = page.frameLocator('iframe');
      await frame.getByRole('heading', { name: 'You may not open this pad' }).waitFor();
      expect(await frame.locator('body').innerText()).not.toContain('For members');
    });
  });
});

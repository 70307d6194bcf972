// The page about the API in a browser: both themes, large and small, links, copying, and calls sent from it.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from './api.ts';
import {
  accessibilityProblems,
  background,
  launch,
  SIZES,
  serverUrl,
  THEMES,
  visit,
} from './browser.ts';
import { expectFits } from './expectations.ts';
import { newPadName } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// Our script marks where the reader is once it runs, so everything is loaded by then.
async function open(page: Page): Promise<void> {
  const response = await page.goto('api-docs');
  expect(response?.status()).toBe(200);
  await page.locator('.contents a[aria-current]').first().waitFor({ state: 'attached' });
}

describe('page about the API', () => {
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: loads, fits, is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          const elsewhere: string[] = [];
          page.on('request', (request) => {
            if (!request.url().startsWith(serverUrl())) elsewhere.push(request.url());
          });
          await open(page);
          await expect.poll(() => background(page)).toBe(THEMES[colorScheme]);
          await expectFits(page);
          expect(await accessibilityProblems(page)).toEqual([]);
          expect(elsewhere.filter((url) => !url.startsWith('data:'))).toEqual([]);
          expect(problems).toEqual([]);
        }));
    }
  }

  test('every link inside the page leads somewhere', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const lost = await page.evaluate(() => {
        const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')];
        const ids = links.map((link) => decodeURIComponent(link.hash.slice(1)));
        return { count: ids.length, lost: ids.filter((id) => !document.getElementById(id)) };
      });
      expect(lost.count).toBeGreaterThan(100);
      expect(lost.lost).toEqual([]);
    }));

  test('a link into the page shows and marks its function', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto('api-docs#getChatHead');
      await page.locator('.contents a[aria-current][href="#getChatHead"]').waitFor();
      await expect.poll(() => page.locator('#getChatHead').isVisible()).toBe(true);
    }));

  test('OpenAPI documents that it links to are there, for any page', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const links = page.locator('a[href$="openapi.json"]');
      const addresses = await links.evaluateAll((all) =>
        all.map((link) => (link as HTMLAnchorElement).href),
      );
      expect(addresses).toHaveLength(16);
      for (const address of addresses) {
        const response = await fetch(address);
        expect(response.status).toBe(200);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        const document = (await response.json()) as { info: { version: string } };
        expect(new URL(address).pathname).toContain(`/${document.info.version}/`);
      }
    }));

  test('a call can be copied, and names this server', () =>
    visit(
      browser,
      { ...SIZES.desktop, permissions: ['clipboard-read', 'clipboard-write'] },
      async ({ page }) => {
        await open(page);
        const first = page.locator('.code[data-copy]').first();
        await first.getByRole('button', { name: 'Copy' }).click();
        await first.getByRole('button', { name: 'Copied' }).waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        const address = serverUrl().replace(/\/$/, '');
        expect(copied).toBe(`PADSVC=${address}\nAPIKEY=$(cat APIKEY.txt)`);
      },
    ));

  test('is complete without scripts', () =>
    visit(browser, { ...SIZES.desktop, javaScriptEnabled: false }, async ({ page }) => {
      await page.goto('api-docs');
      await expect.poll(() => page.locator('article').count()).toBe(52);
      await expect.poll(() => page.getByText('"message":"ok"').count()).toBeGreaterThan(10);
      await expect.poll(() => page.locator('button').count()).toBe(0);
    }));
});

const KEY = process.env.PADSVC_KEY ?? '';
const article = (page: Page, name: string) =>
  page.locator('article', { has: page.locator(`#${name}`) });
const form = (page: Page, name: string) =>
  page.getByRole('form', { name: `Try ${name}`, exact: true });

async function tryIt(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Try it: ${name}`, exact: true }).click();
  await form(page, name).waitFor();
}

async function send(page: Page, name: string): Promise<void> {
  await form(page, name).getByRole('button', { name: 'Send' }).click();
}

const status = (page: Page, name: string) => form(page, name).getByRole('status');

async function says(page: Page, name: string, words: RegExp | string): Promise<void> {
  await status(page, name).getByText(words).waitFor();
}

// Calls that the page has sent.
function sent(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) requests.push(request);
  });
  return requests;
}

describe('a call from the page', () => {
  test('is sent with the key in a header, which is kept nowhere', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      const padID = newPadName();
      await call('createPad', { padID, text: 'Some words' });
      const requests = sent(page);
      await open(page);
      await tryIt(page, 'getText');
      const parts = form(page, 'getText');
      await expect
        .poll(() => parts.getByLabel('padID').evaluate((it) => it === document.activeElement))
        .toBe(true);
      await parts.getByLabel('padID').fill(padID);
      await send(page, 'getText');
      await says(page, 'getText', 'Enter your API key first.');
      expect(requests).toEqual([]);

      await page.keyboard.insertText(KEY);
      await page.keyboard.press('Enter');
      await says(page, 'getText', 'HTTP 200.');
      const answer = parts.getByRole('group', { name: 'Answer' });
      expect(JSON.parse((await answer.textContent()) ?? '')).toEqual({
        code: 0,
        message: 'ok',
        data: { text: 'Some words\n' },
      });
      expect(await answer.textContent()).toContain('\n  "data": {\n');
      const [request] = requests;
      expect(request?.url()).toBe(`${serverUrl()}api/1.3.1/getText`);
      expect(await request?.headerValue('apikey')).toBe(KEY);
      expect(request?.postData()).toBe(`padID=${padID}`);

      // Other functions have it too, the next visit has not.
      await tryIt(page, 'getHTML');
      expect(await form(page, 'getHTML').getByLabel('API key').inputValue()).toBe(KEY);
      const kept = await page.evaluate(async () => {
        const databases = await indexedDB.databases();
        const { href } = location;
        return JSON.stringify([
          { ...localStorage },
          { ...sessionStorage },
          databases,
          href,
          history.state,
        ]);
      });
      expect(kept).not.toContain(KEY);
      await page.goto('');
      await page.goBack();
      const fields = page.locator('.try .key');
      const values = () =>
        fields.evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value));
      await expect.poll(async () => new Set(await values())).toEqual(new Set(['']));
      expect(problems).toEqual([]);
    }));

  test('that changes something is asked about first', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      const padID = newPadName();
      const requests = sent(page);
      await open(page);
      await tryIt(page, 'createPad');
      await form(page, 'createPad').getByLabel('API key').fill(KEY);
      await form(page, 'createPad').getByLabel('padID').fill(padID);
      const dialog = page.getByRole('dialog', { name: 'Send this call?' });
      await send(page, 'createPad');
      await dialog.getByText('createPad').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await send(page, 'createPad');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(requests).toEqual([]);
      await send(page, 'createPad');
      await dialog.getByRole('button', { name: 'Send' }).click();
      await says(page, 'createPad', 'HTTP 200.');
      expect(await call('getText', { padID })).toBe('Hello!\n');
    }));

  test('shows what is wrong, and the start of what is large', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      const padID = newPadName();
      await call('createPad', { padID, text: 'words '.repeat(300_000) });
      await open(page);
      await tryIt(page, 'getText');
      const parts = form(page, 'getText');
      const answer = parts.getByRole('group', { name: 'Answer' });
      await parts.getByLabel('padID').fill(padID);
      await parts.getByLabel('API key').fill('not the key');
      await send(page, 'getText');
      await says(page, 'getText', 'HTTP 401.');
      await answer.getByText('no or wrong API Key').waitFor();
      await parts.getByLabel('API key').fill('🔑');
      await send(page, 'getText');
      await says(page, 'getText', 'The call could not be sent');
      await expect.poll(() => answer.isVisible()).toBe(false);
      await parts.getByLabel('API key').fill(KEY);
      await send(page, 'getText');
      await says(page, 'getText', 'HTTP 200. Only the start of the answer is shown.');
      expect((await answer.textContent())?.length).toBeLessThan(21_000);
    }));

  test('can be copied in each language, and works there', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      const padID = newPadName();
      const text = `It's "quoted" \\ $HOME & <ü> 🦀\nnext`;
      await call('createPad', { padID, text });
      await open(page);
      const code = (name: string) => article(page, name).locator('.call code');
      const choose = (label: string) =>
        page.getByLabel('Language of the call of setText').selectOption({ label });
      const all = page.locator('.call code');
      const written = await all.allTextContents();
      await tryIt(page, 'setText');
      await form(page, 'setText').getByLabel('padID').fill(padID);
      const env = { ...process.env, APIKEY: KEY, PADSVC: serverUrl().replace(/\/$/, '') };
      for (const [label, command, ...options] of [
        ['curl', 'bash', '-c'],
        ['Python', 'python3', '-c'],
        ['JavaScript', 'node', '--input-type=module', '-e'],
      ] as const) {
        await choose(label);
        await form(page, 'setText').getByLabel('text', { exact: true }).fill(`${text} ${label}`);
        const snippet = (await code('setText').textContent()) ?? '';
        expect(snippet).not.toContain(KEY);
        const run = promisify(execFile);
        const { stdout } = await run(command, [...options, snippet], { env });
        expect(stdout, label).toContain('ok');
        expect(await call('getText', { padID }), label).toBe(`${text} ${label}\n`);
      }
      // As the server wrote them.
      await page.reload();
      await choose('Python');
      await expect.poll(() => code('getText').textContent()).toContain('import json');
      await choose('curl');
      expect(await all.allTextContents()).toEqual(written);
    }));

  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: the form fits, and is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          await open(page);
          await tryIt(page, 'setPublicStatus');
          await tryIt(page, 'setText');
          await form(page, 'setText').getByLabel('API key').fill('not the key');
          await tryIt(page, 'checkToken');
          await send(page, 'checkToken');
          await says(page, 'checkToken', 'HTTP 401.');
          await expectFits(page);
          expect(await accessibilityProblems(page)).toEqual([]);
          expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
        }));
    }
  }
});

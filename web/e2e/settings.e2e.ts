// What an operator writes into the settings is what visitors see.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, newContext, SIZES, shownFromNow } from './browser.ts';
import { newPadName } from './pad.ts';
import { openPad, stateIs, write } from './padPage.ts';
import { withSettings } from './server.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

async function look(page: Page) {
  const line = page.locator('.cm-line').first();
  const scroller = page.locator('.cm-scroller');
  return {
    numbers: await page.locator('.cm-gutters').count(),
    authorship: await page.locator('[data-authorship]').getAttribute('data-authorship'),
    direction: await line.evaluate((line) => getComputedStyle(line).direction),
    mono: await scroller.evaluate((text) => /mono/.test(getComputedStyle(text).fontFamily)),
    language: await page.locator('html').getAttribute('lang'),
  };
}

describe('padOptions', () => {
  test('hold for who has not chosen; the address goes before them', () => {
    const padOptions = {
      showLineNumbers: true,
      noColors: true,
      rtl: true,
      useMonospaceFont: true,
      lang: 'fr',
      userName: 'Invité',
      userColor: '#123456',
      chatAndUsers: true,
    };
    return withSettings(browser, { padOptions }, async (page) => {
      const pad = newPadName();
      await openPad(page, pad);
      await expect
        .poll(() => look(page))
        .toEqual({
          numbers: 1,
          authorship: 'off',
          direction: 'rtl',
          mono: true,
          language: 'fr',
        });
      await page.getByRole('log').waitFor();
      const name = page.getByLabel('Votre nom');
      await page.getByRole('tab', { name: 'Personnes' }).click();
      await expect.poll(() => name.inputValue()).toBe('Invité');
      await expect.poll(() => page.locator('input[type=color]').inputValue()).toBe('#123456');
      // What somebody has chosen stays.
      await name.fill('Ada');
      await name.press('Enter');
      await page.reload();
      await stateIs(page, /saved/);
      await page.getByRole('tab', { name: 'Personnes' }).click();
      await expect.poll(() => name.inputValue()).toBe('Ada');

      const query =
        'showLineNumbers=false&noColors=false&rtl=false&useMonospaceFont=false&lang=en' +
        '&userName=Grace&chatAndUsers=false';
      await openPad(page, pad, query);
      await expect
        .poll(() => look(page))
        .toEqual({
          numbers: 0,
          authorship: 'stripe',
          direction: 'ltr',
          mono: false,
          language: 'en',
        });
      await expect.poll(() => page.getByRole('log').count()).toBe(0);
      await page.getByRole('button', { name: /^1 person here/ }).click();
      await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('Grace');
    });
  });

  test('no tools, no chat, colours as they were chosen', () => {
    const padOptions = {
      showControls: false,
      showChat: false,
      alwaysShowChat: true,
      enforceReadableAuthorColors: false,
      fadeInactiveAuthorColors: false,
      showFonts: false,
    };
    return withSettings(browser, { padOptions }, async (page) => {
      const pad = newPadName();
      await openPad(page, pad, 'userColor=%23102030');
      await expect.poll(() => page.locator('.header, .bar').count()).toBe(0);
      await expect.poll(() => page.getByRole('log').count()).toBe(0);
      await write(page, 'dark');
      const colours = () =>
        page.locator('.pad-author').evaluate((text) => {
          const canvas = document.createElement('canvas').getContext('2d');
          const bytes = (colour: string) => {
            if (!canvas) return [];
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data];
          };
          const { color, backgroundColor } = getComputedStyle(text);
          return [bytes(color), bytes(backgroundColor)];
        });
      await expect.poll(colours).toEqual([
        [255, 255, 255, 255],
        [16, 32, 48, 255],
      ]);
      await openPad(page, pad, 'showControls=true&showChat=true');
      await page.getByRole('button', { name: 'Alignment' }).waitFor();
      expect(await page.getByRole('button', { name: 'Font and size' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Share' }).waitFor();
    });
  });
});

describe('privacyBanner', () => {
  const privacyBanner = {
    enabled: true,
    title: 'Privacy',
    body: 'One line.\n<b>Two</b>.',
    learnMoreUrl: 'https://example.org/privacy',
  };

  // Below the text, at the full width of it, and covering nothing of it.
  async function isAtTheBottom(page: Page): Promise<void> {
    // All at one moment: a panel that opens in between moves them.
    const places = () =>
      page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
        const [notice, text] = [box('.privacy'), box('.main')];
        if (!notice || !text) return 'not shown';
        return {
          below: notice.top >= text.bottom,
          asWide: notice.left === text.left && notice.width === text.width,
          low: notice.bottom > innerHeight * 0.85 && notice.bottom <= innerHeight,
        };
      });
    await expect.poll(places).toEqual({ below: true, asWide: true, low: true });
  }

  test('is at the bottom, on every screen, and all of it can be reached', async () => {
    const body = Array.from({ length: 40 }, (_, number) => `Line ${number}.`).join('\n');
    for (const size of [SIZES.desktop, SIZES.phone]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await withSettings(
          browser,
          { privacyBanner: { ...privacyBanner, body } },
          async (page) => {
            await openPad(page, newPadName());
            await page.getByText('Line 0.').waitFor();
            await isAtTheBottom(page);
            expect(await accessibilityProblems(page)).toEqual([]);
            await page.getByText('Line 39.').scrollIntoViewIfNeeded();
            await page.locator('.privacy').getByRole('button', { name: 'Dismiss' }).click();
            await page.locator('.privacy').waitFor({ state: 'detached' });
            await openPad(page, newPadName(), 'showControls=false');
            await expect.poll(() => page.locator('.privacy').count()).toBe(0);
          },
          { ...size, colorScheme },
        );
      }
    }
  });

  test('is plain text and stays away once dismissed, whatever it says then', () =>
    withSettings(browser, { privacyBanner }, async (page, server) => {
      const pad = newPadName();
      await openPad(page, pad);
      const notice = page.locator('.privacy');
      await notice.getByText('<b>Two</b>.').waitFor();
      await expect.poll(() => notice.locator('p').count()).toBe(3);
      await expect
        .poll(() => notice.getByRole('link').getAttribute('href'))
        .toBe(privacyBanner.learnMoreUrl);
      expect(await accessibilityProblems(page)).toEqual([]);
      await notice.getByRole('button', { name: 'Dismiss' }).click();
      await notice.getByText('One line.').waitFor({ state: 'detached' });
      await openPad(page, pad);
      await page.getByRole('button', { name: /person here/ }).waitFor();
      await expect.poll(() => page.getByText('One line.').count()).toBe(0);
      await server.kill();
      await server.start({ privacyBanner: { ...privacyBanner, body: 'New words.' } });
      await openPad(page, pad);
      await page.getByRole('button', { name: /person here/ }).waitFor();
      await expect.poll(() => page.locator('.privacy').count()).toBe(0);
      // Those who have not closed it see it.
      const context = await newContext(browser, { ...SIZES.desktop, baseURL: server.url });
      const other = await context.newPage();
      await openPad(other, pad, 'showControls=false');
      await other.getByText('New words.').waitFor();
      await isAtTheBottom(other);
      await context.close();
    }));

  test('that is sticky is closed for this page view and back at the next load', () =>
    withSettings(
      browser,
      { privacyBanner: { ...privacyBanner, dismissal: 'sticky' } },
      async (page) => {
        const pad = newPadName();
        for (const _ of ['once', 'twice']) {
          await openPad(page, pad);
          const notice = page.locator('.privacy');
          await notice.getByText('One line.').waitFor();
          await notice.getByRole('button', { name: 'Dismiss' }).click();
          await notice.waitFor({ state: 'detached' });
        }
      },
    ));
});

describe('updates', () => {
  // A code host that says which release is the newest.
  async function codeHost(tag: string): Promise<Server> {
    const host = createServer((_request, response) => {
      const release = { tag_name: tag, html_url: 'https://example.org/', body: '' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...release, published_at: '2026-03-01T00:00:00Z' }));
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    return host;
  }

  test('the creator of the pad hears that the server is behind, for a while; nobody else does', async () => {
    const host = await codeHost('v99.0.0');
    const { port } = host.address() as AddressInfo;
    const codehostRepo = `http://127.0.0.1:${port}/repos/padsvc`;
    const updates = { codehostRepo, allowInsecureFeed: true };
    try {
      await withSettings(browser, { updates }, async (page, server) => {
        const words = 'A newer version of this service';
        const toasts = await shownFromNow(page, '.toast');
        // Once the server has asked the code host; an answer about a pad holds for a while.
        const ask = async () => {
          const answer = page.waitForResponse(/version-status/);
          await openPad(page, newPadName());
          return ((await (await answer).json()) as { outdated: string | null }).outdated;
        };
        await expect.poll(ask).toBe('minor');
        await expect.poll(() => toasts.join()).toContain(words);
        expect(await accessibilityProblems(page)).toEqual([]);
        const context = await newContext(browser, { ...SIZES.desktop, baseURL: server.url });
        const other = await context.newPage();
        const answer = other.waitForResponse(/version-status/);
        await other.goto(page.url());
        expect(await (await answer).json()).toEqual({ outdated: null, isFirstAuthor: false });
        await context.close();
        // It goes by itself.
        await page.locator('.toast', { hasText: words }).waitFor({ state: 'detached' });
      });
    } finally {
      host.close();
    }
  });
});

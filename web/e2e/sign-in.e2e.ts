// Signing in before coming to pads: by the form, and through another provider, in a real browser.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { stateIs, text, write } from './padPage.ts';
import { OwnServer } from './server.ts';

let browser: Browser;
let pads: OwnServer;
let provider: OwnServer;

beforeAll(async () => {
  browser = await launch();
  pads = await OwnServer.start();
  provider = await OwnServer.start({
    users: { eve: { password: 'hers, there' } },
    sso: [
      {
        client_id: 'pads',
        client_secret: 'a secret',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [`${pads.url}sign-in/back`],
      },
    ],
  });
  await pads.kill();
  await pads.start({
    requireAuthentication: true,
    users: { ada: { password: 'hers, here' }, guest: { password: 'theirs', readOnly: true } },
    login: {
      issuer: provider.url.slice(0, -1),
      clientId: 'pads',
      clientSecret: 'a secret',
      label: 'Our school',
    },
  });
});

afterAll(async () => {
  await browser?.close();
  await pads?.end();
  await provider?.end();
});

async function fill(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('pads that ask who comes', () => {
  test('lead to the form, take back there, and let go', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto(`${pads.url}p/plan`);
      expect(page.url()).toBe(`${pads.url}sign-in?next=p%2Fplan`);
      await fill(page, 'ada', 'a guess');
      await page.getByRole('alert').waitFor();
      await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('ada');
      await fill(page, 'ada', 'hers, here');
      await page.waitForURL(`${pads.url}p/plan`);
      await stateIs(page, /saved/);
      await write(page, 'Hello');
      await stateIs(page, /saved/);
      // In another window, since the pad stays open.
      const other = await page.context().newPage();
      await other.goto(pads.url);
      await other.getByRole('link', { name: 'Sign out' }).click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
      await stateIs(page, /stopped/);
      await other.goto(`${pads.url}p/plan`);
      expect(other.url()).toContain('sign-in?next=');
    }));

  test('are only read by those who may only read', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto(`${pads.url}p/plan`);
      await fill(page, 'guest', 'theirs');
      await stateIs(page, /readOnly/);
      await expect.poll(() => text(page).innerText()).toContain('Hello');
    }));

  test('take who has signed in elsewhere', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto(`${pads.url}p/plan`);
      await page.getByRole('link', { name: 'Sign in with Our school' }).click();
      await page.waitForURL((url) => url.href.startsWith(`${provider.url}oidc/auth?`));
      await fill(page, 'eve', 'hers, there');
      await page.waitForURL(`${pads.url}p/plan`);
      await stateIs(page, /saved/);
      await page.goto(pads.url);
      await page.getByText('eve', { exact: true }).waitFor();
    }));

  for (const [size, options] of Object.entries(SIZES)) {
    test(`${size}: the form is accessible and fits`, () =>
      visit(browser, { ...options, colorScheme: 'dark' }, async ({ page, problems }) => {
        await page.goto(`${pads.url}sign-in`);
        expect(await accessibilityProblems(page)).toEqual([]);
        await expectFits(page);
        expect(problems).toEqual([]);
      }));
  }
});

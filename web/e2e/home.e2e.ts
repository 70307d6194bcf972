// The start page in a browser: both themes, large and small, with and without a server behind it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { expectText, newPadName, remembered, visitor } from './pad.ts';
import { openPad, stateIs, write } from './padPage.ts';
import { withSettings } from './server.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

interface Kept {
  id: string;
  time: number;
  [more: string]: unknown;
}

function numbered(count: number): Kept[] {
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => ({
    id: `pad-${index}`,
    time: now - index * 3_600_000,
    title: `Pad number ${index}`,
  }));
}

// As if this browser had opened them.
async function keepPads(page: Page, pads: Kept[]): Promise<void> {
  await page.goto('');
  await page.evaluate((list) => localStorage.setItem('padsvc:recent', list), JSON.stringify(pads));
  await page.reload();
}

describe('start page', () => {
  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: loads, fits, is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
          const response = await page.goto('');
          expect(response?.status()).toBe(200);
          await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
          // Set by our script once the server has answered it, so everything is loaded by then.
          await page.locator('.status[data-state=up]').waitFor();
          await expect.poll(() => background(page)).toBe(THEMES[colorScheme]);
          const foot = await page.locator('footer').boundingBox();
          const main = await page.locator('main').boundingBox();
          expect(foot?.y).toBeGreaterThan(main?.y ?? Infinity);
          await expectFits(page);
          expect(await accessibilityProblems(page)).toEqual([]);
          expect(problems).toEqual([]);
        }));
    }
  }

  test('says so when the server stops answering, and when it is back', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await page.goto('');
      const status = page.getByRole('status');
      await page.locator('.status[data-state=up]').waitFor();
      const running = await status.textContent();
      await page.context().setOffline(true);
      await page.locator('.status[data-state=down]').waitFor();
      await expect.poll(() => status.textContent()).not.toBe(running);
      await page.context().setOffline(false);
      await page.locator('.status[data-state=up]').waitFor();
      await expect.poll(() => status.textContent()).toBe(running);
    }));

  test('is complete without scripts: both forms lead to a pad', () =>
    visit(browser, { ...SIZES.desktop, javaScriptEnabled: false }, async ({ page }) => {
      await page.goto('');
      await expect.poll(() => page.getByRole('status').textContent()).not.toBe('');
      await page.getByLabel('Title of the new pad').fill('Minutes of May');
      await page.getByRole('button', { name: 'New pad' }).click();
      // The script of the pad takes the title from there.
      await page.waitForURL(/\/p\/[^/]{10,}\?title=Minutes%20of%20May$/);
      await page.goto('');
      await page.getByRole('button', { name: 'New pad' }).click();
      await page.waitForURL(/\/p\/[^/]{10,}$/);
      await page.goto('');
      await page.getByLabel('Open a pad by its name').fill('my first pad');
      await page.getByRole('button', { name: 'Open' }).click();
      await page.waitForURL('**/p/my_first_pad');
      await page.goto('');
      // What needs a script is not there without one.
      await expect.poll(() => page.locator('.recent').isVisible()).toBe(false);
    }));

  test('lists the pads of this browser, until they are forgotten', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await page.goto('');
      await expect.poll(() => page.locator('.recent').isVisible()).toBe(false);
      await page.evaluate(() => {
        const pads = ['minutes', 'ideas', 'a/b<i>'].map((id, index) => ({ id, time: index }));
        localStorage.setItem('padsvc:recent', JSON.stringify([...pads, { id: 7 }]));
      });
      await page.reload();
      const links = page.locator('.recent li a');
      await expect.poll(() => links.allTextContents()).toEqual(['minutes', 'ideas', 'a/b<i>']);
      await expect.poll(() => links.last().getAttribute('href')).toBe('p/a%2Fb%3Ci%3E');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('button', { name: 'Forget ideas' }).click();
      await expect.poll(() => links.allTextContents()).toEqual(['minutes', 'a/b<i>']);
      await page.getByLabel('Remember the pads').uncheck();
      await expect.poll(() => links.count()).toBe(0);
      await page.reload();
      const remember = page.getByLabel('Remember the pads');
      await expect.poll(() => remember.isChecked()).toBe(false);
      await page.getByLabel('Remember the pads').check();
      await expect.poll(() => page.locator('.recent').isVisible()).toBe(false);
      expect(problems).toEqual([]);
    }));

  for (const javaScriptEnabled of [true, false]) {
    test(`cuts neither a title nor a name, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () =>
      visit(browser, { ...SIZES.desktop, javaScriptEnabled }, async ({ page }) => {
        for (const [label, button, longest] of [
          ['Title of the new pad', 'New pad', 200],
          ['Open a pad by its name', 'Open', 50],
        ] as const) {
          await page.goto('');
          const start = page.url();
          const field = page.getByLabel(label);
          const send = page.getByRole('button', { name: button, exact: true });
          await field.focus();
          await page.keyboard.insertText('n'.repeat(longest + 1));
          expect(await field.inputValue()).toHaveLength(longest + 1);
          const words = `Too long. At most ${longest} characters.`;
          if (javaScriptEnabled) {
            await page.getByText(words).waitFor();
            expect(await accessibilityProblems(page)).toEqual([]);
          }
          await send.click();
          // The browser refuses, and says why.
          const said = ({ validationMessage, title }: HTMLInputElement) =>
            `${validationMessage} ${title}`;
          expect(await field.evaluate(said)).toContain(words);
          expect(page.url()).toBe(start);
          await field.press('End');
          await field.press('Backspace');
          if (javaScriptEnabled) await page.getByText(words).waitFor({ state: 'detached' });
          await send.click();
          await page.waitForURL(/\/p\/./);
        }
        // A pad of a group has the name of the group before its own.
        await page.goto('');
        await page
          .getByLabel('Open a pad by its name')
          .fill(`g.${'G'.repeat(16)}$${'n'.repeat(50)}`);
        await page.getByRole('button', { name: 'Open', exact: true }).click();
        await page.waitForURL(/G\$n{50}|G%24n{50}/);
      }));
  }

  test('gives a new pad the title, and one that exists keeps its own', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await page.goto('');
      await page.getByLabel('Title of the new pad').fill('  What we <b>decided</b> & more ');
      await page.keyboard.press('Enter');
      const shown = page.locator('.identity h1');
      await expect.poll(() => shown.textContent()).toBe('What we <b>decided</b> & more');
      // Neither a link that is copied nor a page that is loaded again carries it on.
      await expect.poll(() => new URL(page.url()).search).toBe('');
      const address = page.url();
      await page.goto(`${address}?title=Another`);
      await page.locator('.cm-content').waitFor();
      await expect.poll(() => new URL(page.url()).search).toBe('');
      await expect.poll(() => shown.textContent()).toBe('What we <b>decided</b> & more');
      await remembered(page, 'What we <b>decided</b> & more');
      await page.goto('');
      const link = page.getByRole('link', { name: 'What we <b>decided</b> & more' });
      expect(await link.evaluate((it: HTMLAnchorElement) => it.href)).toBe(address);
      expect(problems).toEqual([]);
    }));

  test('starts from a template, with the title too', () =>
    withSettings(browser, { templates: [{ name: 'agenda', title: 'Agenda' }] }, async (page) => {
      await openPad(page, 'agenda');
      await write(page, 'Who takes notes?');
      await stateIs(page, /saved/);
      await page.goto('');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByLabel('Title of the new pad').fill('On Monday');
      await page.getByRole('button', { name: 'Agenda', exact: true }).click();
      await expect.poll(() => page.locator('.identity h1').textContent()).toBe('On Monday');
      await expectText(page, 'Who takes notes?');
      await expect.poll(() => new URL(page.url()).search).toBe('');
    }));

  test('says who else was in a pad, and when', async () => {
    const pad = newPadName();
    const one = await visitor(browser, `${pad}?userName=Ada`);
    const two = await visitor(browser, `${pad}?userName=Grace%20Hopper`);
    await one.page.getByRole('button', { name: /Grace Hopper/ }).waitFor();
    await remembered(one.page, pad);
    await one.page.goto('');
    const card = one.page.locator('.recent li').first();
    await card.getByRole('img', { name: 'With Grace Hopper', exact: true }).waitFor();
    expect(await card.locator('time').textContent()).toMatch(/^(?:now|\d+ minutes? ago)$/);
    expect(await card.locator('.people').textContent()).toBe('GH');
    for (const { context } of [one, two]) await context.close();
  });

  test('finds pads again: all, by words, and pinned ones first', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      const search = page.getByRole('searchbox', { name: 'Search your recent pads' });
      const titles = () => page.locator('.recent li a').allTextContents();
      await keepPads(page, numbered(5));
      await expect.poll(() => titles()).toEqual(numbered(5).map(({ title }) => title));
      expect(await search.isVisible()).toBe(false);

      const people = [{ name: 'Zoë', colour: '#ff8800' }];
      const pads = numbered(20).map((pad) => (pad.id === 'pad-17' ? { ...pad, people } : pad));
      await keepPads(page, pads);
      await expect.poll(async () => (await titles()).length).toBe(12);
      await page.getByRole('button', { name: 'Show all 20' }).click();
      await expect.poll(async () => (await titles()).length).toBe(20);
      // On the first one that was not there before.
      const focused = page.locator('.recent li a:focus');
      await expect.poll(() => focused.allTextContents()).toEqual(['Pad number 12']);
      await search.fill('NUMBER 1');
      await expect.poll(async () => (await titles()).length).toBe(11);
      await search.fill('zoe');
      await expect.poll(() => titles()).toEqual(['Pad number 17']);
      await search.fill('nothing of the kind');
      await page.getByText('No pad matches this search.').waitFor();
      await expect.poll(() => titles()).toEqual([]);
      expect(await accessibilityProblems(page)).toEqual([]);
      await search.fill('');

      const pin = (number: number) =>
        page.getByRole('button', { name: `Pin Pad number ${number}` });
      await pin(19).press('Enter');
      await expect.poll(() => pin(19).getAttribute('aria-pressed')).toBe('true');
      await expect.poll(() => pin(19).evaluate((it) => it === document.activeElement)).toBe(true);
      await expect
        .poll(async () => (await titles()).slice(0, 2))
        .toEqual(['Pad number 19', 'Pad number 0']);
      await page.reload();
      await expect.poll(async () => (await titles())[0]).toBe('Pad number 19');
      await page.getByRole('button', { name: 'Forget Pad number 19' }).press('Enter');
      await expect.poll(async () => (await titles())[0]).toBe('Pad number 0');
      const next = page.getByRole('button', { name: 'Forget Pad number 0' });
      await expect.poll(() => next.evaluate((it) => it === document.activeElement)).toBe(true);
      await page.reload();
      await page.getByRole('button', { name: 'Show all 19' }).waitFor();
      expect(problems).toEqual([]);
    }));

  for (const [size, options] of Object.entries(SIZES)) {
    test(`${size}: many pads with long titles fit`, () =>
      visit(browser, { ...options, colorScheme: 'dark' }, async ({ page }) => {
        const people = ['#ff8800', '#00aa55', '#3377ff', '#aa22cc'].map((colour) => ({
          name: `Somebody ${colour}`,
          colour,
        }));
        const title = `Unbreakable${'n'.repeat(80)} and then some more words`;
        const pinned = true;
        await keepPads(
          page,
          numbered(8).map((pad) => ({ ...pad, title, people, pinned })),
        );
        for (const address of ['', '?lang=ar']) {
          await page.goto(address);
          await expect.poll(() => page.locator('.recent li').count()).toBe(8);
          await expectFits(page);
          expect(await accessibilityProblems(page)).toEqual([]);
        }
      }));
  }

  test('pads that were kept in an odd way cost only what is odd', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await keepPads(page, [
        { id: 'old', time: 1 },
        { id: 'odd', time: 2, title: 'Odd', people: [7, { name: 'Ada' }], pinned: 'yes' },
        { id: 'never', time: 1e300 },
        { id: 'unnamed', time: 3, title: 7 },
      ]);
      const cards = page.locator('.recent li');
      await expect.poll(() => cards.locator('a').allTextContents()).toEqual(['old', 'Odd']);
      expect(await cards.first().locator('time').textContent()).toMatch(/^\d+ years ago$/);
      expect(await page.locator('.recent .people').count()).toBe(0);
      expect(problems).toEqual([]);
    }));

  test('leads administrators to their area, and nobody else', () => {
    const password = 'the key to it';
    const users = { root: { password, is_admin: true }, ada: { password } };
    return withSettings(browser, { users }, async (page) => {
      const admin = page.getByRole('link', { name: 'Admin area' });
      await page.goto('');
      expect(await admin.count()).toBe(0);
      for (const [user, links] of [['ada', 0] as const, ['root', 1] as const]) {
        await page.context().clearCookies();
        await page.goto('sign-in');
        await page.getByLabel('Name').fill(user);
        await page.getByLabel('Password').fill(password);
        await page.locator('form button[type=submit]').click();
        await page.getByRole('button', { name: 'New pad' }).waitFor();
        await page.getByText(user, { exact: true }).waitFor();
        expect(await admin.count(), user).toBe(links);
        expect(await accessibilityProblems(page)).toEqual([]);
      }
      await page.goto('p/from-a-pad');
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Admin area' }).click();
      await page.waitForURL('**/admin/pads?pad=from-a-pad');
      await page.locator('.pad-details[data-settled=true]').waitFor();
      await page.goto('');
      await admin.click();
      await page.waitForURL('**/admin**');
    });
  });

  test('has room for long words on the narrowest page', () =>
    visit(browser, { ...SIZES.narrow, locale: 'de-DE' }, async ({ page }) => {
      await page.goto('');
      await page.getByRole('button', { name: 'Neues Pad' }).waitFor();
      const cut = () =>
        page.locator('.start').evaluate((card) => {
          const edge = card.getBoundingClientRect().right;
          const inside = [...card.querySelectorAll('button, input')];
          return inside.filter((each) => each.getBoundingClientRect().right > edge).length;
        });
      await expect.poll(cut).toBe(0);
    }));

  test('speaks the language of the browser, and the one that is asked for', () =>
    visit(browser, { ...SIZES.phone, locale: 'de-AT' }, async ({ page }) => {
      await page.goto('');
      await page.getByRole('button', { name: 'Neues Pad' }).waitFor();
      await page.goto('?lang=ar');
      await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
      await expectFits(page);
      expect(await accessibilityProblems(page)).toEqual([]);
    }));

  test('keeps its shape in forced colours and without motion', () =>
    visit(
      browser,
      { ...SIZES.desktop, forcedColors: 'active', reducedMotion: 'reduce' },
      async ({ page, problems }) => {
        await page.goto('');
        await page.locator('.status[data-state=up]').waitFor();
        const motion = await page.evaluate(() => {
          const dot = getComputedStyle(document.querySelector('.status') as Element, '::before');
          return dot.transitionDuration;
        });
        expect(motion).toBe('0s');
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(problems).toEqual([]);
      },
    ));
});

describe('other addresses', () => {
  test('health answers', async () => {
    const response = await fetch(new URL('health', serverUrl()));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ status: 'pass' });
  });

  test('an address that leads nowhere is a page too', () =>
    visit(browser, SIZES.phone, async ({ page }) => {
      const response = await page.goto('no/such/page');
      expect(response?.status()).toBe(404);
      await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
      expect(await accessibilityProblems(page)).toEqual([]);
    }));
});

// The title of a pad, apart from its address: two people edit it, and it is shown wherever the pad is.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from './api.ts';
import { accessibilityProblems, launch, SIZES, serverUrl, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { newPadName, remembered, visitor } from './pad.ts';
import { fromMore } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const LONG = 'A title that is far too long for the narrow screen of a phone in one hand';

const shown = (page: Page) => page.locator('.identity h1');
const field = (page: Page) => page.getByRole('textbox', { name: 'Title of this pad' });
const isCalled = (page: Page, title: string) =>
  expect.poll(() => shown(page).textContent()).toBe(title);

// By keyboard alone.
async function edit(page: Page): Promise<void> {
  await shown(page).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await field(page).waitFor();
}

async function rename(page: Page, title: string): Promise<void> {
  await edit(page);
  await field(page).fill(title);
  await page.keyboard.press('Enter');
}

async function pageOf(path: string): Promise<string> {
  return (await fetch(`${serverUrl()}p/${path}`)).text();
}

test('two people edit the title; the last one wins, and both see it', async () => {
  const pad = newPadName();
  const address = pad.replaceAll('-', ' ');
  const one = await visitor(browser, pad);
  const two = await visitor(browser, pad);
  for (const { page } of [one, two]) await isCalled(page, address);
  await rename(one.page, '  What we <b>decided</b>  ');
  for (const { page } of [one, two]) {
    await isCalled(page, 'What we <b>decided</b>');
    await expect.poll(() => page.title()).toMatch(/^What we <b>decided<\/b> – /);
  }
  await expect
    .poll(() =>
      shown(one.page)
        .getByRole('button')
        .evaluate((it) => it === document.activeElement),
    )
    .toBe(true);

  // Both at once: one of them stays, the same for both.
  await edit(one.page);
  await edit(two.page);
  await field(one.page).fill('Of one');
  await field(two.page).fill('Of two');
  await Promise.all([one, two].map(({ page }) => page.keyboard.press('Enter')));
  await expect
    .poll(async () => {
      const titles = await Promise.all([one, two].map(({ page }) => shown(page).textContent()));
      return new Set(titles).size === 1 && /^Of (one|two)$/.test(titles[0] ?? '');
    })
    .toBe(true);

  // Escape restores; an empty title is the address again.
  await edit(one.page);
  await field(one.page).fill('never');
  await one.page.keyboard.press('Escape');
  await expect.poll(() => shown(one.page).textContent()).toMatch(/^Of (one|two)$/);
  await rename(two.page, '');
  for (const { page } of [one, two]) await isCalled(page, address);
  for (const { context } of [one, two]) await context.close();
});

test('it is in recent pads, on the page to read, in exports and in previews', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad);
  await rename(page, 'Minutes "May" & more');
  await isCalled(page, 'Minutes "May" & more');
  const escaped = 'Minutes &#34;May&#34; &#38; more';
  await expect.poll(() => pageOf(pad)).toContain(`<title>${escaped} –`);
  expect(await pageOf(pad)).toContain(`<meta property="og:title" content="${escaped}">`);
  expect(await pageOf(`${pad}/read`)).toContain(`<h1 dir="auto">${escaped}</h1>`);
  expect(await pageOf(`${pad}/export/html`)).toMatch(/<title>Minutes .*more<\/title>/);
  await remembered(page, 'Minutes \\"May\\" & more');
  await page.goto('');
  const link = page.getByRole('link', { name: 'Minutes "May" & more' });
  expect(await link.getAttribute('href')).toContain(pad);
  await context.close();
});

test('a long title fits, also on a phone and while it is edited', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad);
  await rename(page, LONG);
  await isCalled(page, LONG);
  await context.close();
  for (const options of [SIZES.desktop, SIZES.phone]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await visit(browser, { ...options, colorScheme }, async ({ page, problems }) => {
        await page.goto(`p/${pad}`);
        await page.locator('.cm-content').waitFor();
        await edit(page);
        await expectFits(page);
        const height = await page.locator('.header').evaluate((it) => it.clientHeight);
        expect(height).toBeLessThan(80);
        expect(await accessibilityProblems(page)).toEqual([]);
        await page.keyboard.press('Escape');
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
        expect(problems).toEqual([]);
      });
    }
  }
});

test('one that is too long is neither stored nor cut', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad);
  await edit(page);
  await page.keyboard.insertText('n'.repeat(201));
  await page.keyboard.press('Enter');
  await page.locator('.toast').getByText('Too long. At most 200 characters.').waitFor();
  expect(await field(page).inputValue()).toHaveLength(201);
  expect(await field(page).getAttribute('aria-invalid')).toBe('true');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await isCalled(page, 'n'.repeat(200));

  await fromMore(page, 'Save this revision');
  await page.goto(`p/${pad}/timeslider#0`);
  await page.getByRole('button', { name: 'Saved revision: Revision 0' }).click();
  await page.keyboard.insertText('n'.repeat(256));
  await page.keyboard.press('Enter');
  await page.getByText('Too long. At most 255 characters.').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Saved revision: ${'n'.repeat(255)}` }).waitFor();
  await context.close();
});

test('a reader sees the title, and cannot edit it', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad);
  const reader = await visitor(browser, await call('getReadOnlyID', { padID: pad }));
  await rename(page, 'For all to read');
  await isCalled(reader.page, 'For all to read');
  await expect.poll(() => shown(reader.page).getByRole('button').count()).toBe(0);
  // From the first paint on, and wherever the link leads to.
  const { pathname } = new URL(reader.page.url());
  const id = pathname.split('/').pop() ?? '';
  for (const path of [id, `${id}/timeslider`]) {
    expect(await pageOf(path), path).toMatch(/<title>For all to read –/);
    await reader.page.goto(`p/${path}`);
    await expect.poll(() => reader.page.title()).toMatch(/For all to read/);
    await reader.page.getByRole('heading', { level: 1, name: /For all to read/ }).waitFor();
  }
  expect(await pageOf(`${id}/read`)).toContain('<h1 dir="auto">For all to read</h1>');
  for (const it of [context, reader.context]) await it.close();
});

test('a saved revision is named in the history, and others there see it', async () => {
  const pad = newPadName();
  const { page, context } = await visitor(browser, pad);
  await fromMore(page, 'Save this revision');
  const other = await visitor(browser, pad);
  for (const it of [page, other.page]) {
    await it.goto(`p/${pad}/timeslider#0`);
    await it.getByRole('button', { name: 'Saved revision: Revision 0' }).waitFor();
  }
  await page.getByRole('button', { name: 'Saved revision: Revision 0' }).click();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Name of revision 0' }).fill('Sent to <all>');
  await page.keyboard.press('Enter');
  for (const it of [page, other.page]) {
    await it.getByRole('button', { name: 'Saved revision: Sent to <all>' }).waitFor();
    await it.getByRole('button', { name: 'Saved revisions' }).click();
    await it.getByRole('menuitem', { name: /^Sent to <all> – .*\d/ }).waitFor();
  }
  for (const it of [context, other.context]) await it.close();
});

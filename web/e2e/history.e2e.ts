// The past of a pad in a browser: moved through, played, linked to, and taken away.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { call } from './api.ts';
import { accessibilityProblems, background, launch, SIZES, THEMES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { fromMore, newPadName, openPad, stateIs, text, write } from './padPage.ts';
import { PATIENCE_MS } from './patience.ts';

let browser: Browser;
let name: string;

const WORDS = ['One', ' two', ' three', ' four', ' five'];
const revision = (page: Page) => page.locator('[data-revision]');
const tool = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true });

async function shows(page: Page, words: string): Promise<void> {
  await expect.poll(() => text(page).textContent()).toBe(words);
}

async function at(page: Page): Promise<number> {
  return Number(await revision(page).getAttribute('data-revision'));
}

// At the newest revision, compared with nothing.
const NEWEST = '#999999';

async function openHistory(page: Page, hash = NEWEST): Promise<void> {
  await page.goto(`p/${name}/timeslider${hash}`);
  await revision(page).waitFor();
}

// A pad that was written word by word over a draft, with a revision saved after the third.
beforeAll(async () => {
  browser = await launch();
  name = newPadName();
  await call('createPad', { padID: name, text: 'A draft' });
  await visit(browser, SIZES.desktop, async ({ page }) => {
    await openPad(page, name, 'userName=Ada');
    for (const [i, word] of WORDS.entries()) {
      if (i === 0) await write(page, word);
      else await page.keyboard.type(word);
      const written = `${WORDS.slice(0, i + 1).join('')}\n`;
      await vi.waitFor(async () => expect(await call('getText', { padID: name })).toBe(written), {
        timeout: PATIENCE_MS,
      });
      if (i !== 2) continue;
      await fromMore(page, 'Save this revision');
      await text(page).click();
      await page.keyboard.press('Control+End');
    }
  });
});

afterAll(() => browser?.close());

test('opens at the newest revision and steps back and on, by button and by key', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    await openHistory(page);
    await shows(page, 'One two three four five');
    await page.getByText('by Ada').waitFor();
    const newest = await at(page);
    const slider = page.getByRole('slider', { name: 'Revision' });
    await expect.poll(() => slider.getAttribute('max')).toBe(String(newest));
    await tool(page, 'One revision back').click();
    await expect.poll(() => at(page)).toBe(newest - 1);
    await tool(page, 'One revision on').click();
    await shows(page, 'One two three four five');
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => at(page)).toBe(0);
    await expect.poll(() => text(page).textContent()).not.toContain('One');
    await page.keyboard.press('End');
    await shows(page, 'One two three four five');
    await text(page).locator('.pad-author').first().waitFor();
    await expect.poll(() => text(page).getAttribute('contenteditable')).not.toBe('true');
    expect(problems).toEqual([]);
  }));

test('goes where the address says, and writes into it where one is', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    await openHistory(page, '#0');
    await expect.poll(() => at(page)).toBe(0);
    await page.evaluate(() => {
      location.hash = '#1';
    });
    await expect.poll(() => at(page)).toBe(1);
    await tool(page, 'One revision on').click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#2');
    await openHistory(page);
    await shows(page, 'One two three four five');
  }));

test('plays to the end', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    await openHistory(page, '#0');
    await page.getByLabel('Speed').selectOption('original');
    await tool(page, 'Play').click();
    await shows(page, 'One two three four five');
    await tool(page, 'Play').waitFor();
  }));

test('stops playing when told to', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    // So many revisions that nobody is too slow to stop it.
    const pad = newPadName();
    await call('createPad', { padID: pad, text: 'Long' });
    for (let i = 0; i < 100; i++) await call('appendText', { padID: pad, text: '.' });
    await page.goto(`p/${pad}/timeslider#0`);
    await expect.poll(() => at(page)).toBe(0);
    await page.getByLabel('Speed').selectOption('1000');
    await tool(page, 'Play').click();
    await tool(page, 'Pause').click();
    await tool(page, 'Play').waitFor();
    const stopped = await at(page);
    expect(stopped).toBeLessThan(100);
  }));

test('finds saved revisions, exports what is shown, and leads back to the pad', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    await openPad(page, name);
    await page.getByRole('link', { name: 'History' }).first().click();
    await revision(page).waitFor();
    await tool(page, 'Stop comparing').click();
    await tool(page, 'Saved revisions').click();
    await page.getByRole('menuitem').first().click();
    await shows(page, 'One two three');
    await tool(page, 'Export this revision').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Plain text' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${name}.txt`);
    expect(download.url()).toContain(`/${await at(page)}/export/txt`);
    await page.getByRole('link', { name: 'Return to the pad' }).click();
    await stateIs(page, /saved/);
  }));

test('compares two revisions, and goes from change to change', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    await openHistory(page);
    await shows(page, 'One two three four five');
    const newest = await at(page);
    await tool(page, 'Compare with…').click();
    await page.getByRole('menuitem', { name: 'Revision' }).last().click();
    await page.getByText('1 change', { exact: true }).waitFor();
    const added = text(page).locator('ins');
    await expect.poll(async () => (await added.allTextContents()).join('')).toBe(' four five');
    await expect.poll(() => added.first().getAttribute('title')).toBe('Added by Ada');
    await expect.poll(() => text(page).locator('del').count()).toBe(0);
    // By keyboard, and said aloud.
    await tool(page, 'Next change').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Change 1 of 1 – Added by Ada: four five').waitFor();
    await text(page).locator('ins.pad-current').first().waitFor();
    // The other one may be chosen freely, and the address names both.
    const other = page.getByLabel('Compared with revision', { exact: true });
    await other.fill('0');
    await other.press('Enter');
    await expect.poll(async () => (await added.allTextContents()).join('')).toContain('One two');
    await text(page).locator('del').first().waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#0..${newest}`);
    await page.reload();
    await expect.poll(async () => (await added.allTextContents()).join('')).toContain('One two');
    await tool(page, 'Stop comparing').click();
    await shows(page, 'One two three four five');
    await expect.poll(() => added.count()).toBe(0);
    expect(problems).toEqual([]);
  }));

// A pad whose revisions each added something to its only line, at times of their own.
interface Written {
  readonly added: string;
  readonly time: number;
  readonly author: 0 | 1;
}

function fileOf(pad: string, written: readonly Written[]): string {
  const ids = ['a.0000000000000001', 'a.0000000000000002'];
  const attributes = ids.map((id, number) => [String(number), ['author', id]]);
  const pool = { numToAttrib: Object.fromEntries(attributes), nextNum: ids.length };
  const revisions = written.map(({ added, time, author }, number) => {
    const before = written.slice(0, number).reduce((sum, each) => sum + each.added.length, 0);
    const [kept, old, more] = [before, before + 1, added.length].map((n) => n.toString(36));
    const keep = before > 0 ? `=${kept}` : '';
    const changeset = `Z:${old}>${more}${keep}*${author}+${more}$${added}`;
    return [
      `pad:${pad}:revs:${number}`,
      { changeset, meta: { author: ids[author], timestamp: time } },
    ];
  });
  const runs = written.map(({ added, author }) => `*${author}+${added.length.toString(36)}`);
  const text = `${written.map(({ added }) => added).join('')}\n`;
  const atext = { text, attribs: `${runs.join('')}|1+1` };
  const head = written.length - 1;
  const people = ['Ada', 'Bob'].map((name, number) => [
    `globalAuthor:${ids[number]}`,
    { name, colorId: number, timestamp: 0, padIDs: pad },
  ]);
  return JSON.stringify({
    [`pad:${pad}`]: { atext, pool, head, chatHead: -1, publicStatus: false, savedRevisions: [] },
    ...Object.fromEntries([...people, ...revisions]),
  });
}

test('lists who wrote when by day, and marks what each has changed', () =>
  visit(browser, { ...SIZES.desktop, timezoneId: 'UTC' }, async ({ page, problems }) => {
    const [pad, minute] = [newPadName(), 60_000];
    const day = Date.UTC(2026, 8, 20);
    const dots = Array.from({ length: 103 }, (_, hour): Written => {
      return { added: '.', time: day - (200 - hour) * 60 * minute, author: 1 };
    });
    const file = fileOf(pad, [
      ...dots,
      { added: ' one', time: day + 600 * minute, author: 0 },
      { added: ' two', time: day + 605 * minute, author: 1 },
      { added: ' three', time: day + 609 * minute, author: 0 },
      { added: ' four', time: day + 2_000 * minute, author: 1 },
    ]);
    await openPad(page, pad);
    const imported = await page.evaluate(async (content) => {
      const form = new FormData();
      form.append('file', new Blob([content]), 'pad.etherpad');
      const answer = await fetch(`${location.pathname}/import`, { method: 'POST', body: form });
      return answer.status;
    }, file);
    expect(imported).toBe(200);

    await page.goto(`p/${pad}/timeslider`);
    const panel = page.getByRole('complementary');
    const versions = panel.locator('.version');
    const marked = async () => (await text(page).locator('ins').allTextContents()).join('');
    await expect
      .poll(async () => (await panel.getByRole('heading').allTextContents()).slice(0, 2))
      .toEqual(['Monday, September 21, 2026', 'Sunday, September 20, 2026']);
    await expect.poll(() => versions.nth(0).textContent()).toMatch(/^9:20\sAMBob$/);
    await expect.poll(() => versions.nth(1).textContent()).toMatch(/^10:00.{1,3}10:09\sAMAdaBob$/);
    // From the start, what came with the newest.
    await expect.poll(marked).toBe(' four');
    await versions.nth(1).click();
    await expect.poll(() => at(page)).toBe(105);
    await expect.poll(() => versions.nth(1).getAttribute('aria-current')).toBe('true');
    await expect.poll(marked).toBe(' one two three');
    // Older ones come when they are wanted.
    await expect.poll(() => versions.count()).toBe(100);
    await tool(page, 'Show older').click();
    await expect.poll(() => versions.count()).toBe(105);
    await tool(page, 'Show older').waitFor({ state: 'detached' });
    expect(await accessibilityProblems(page)).toEqual([]);
    // Those who do not want to compare need not say so again.
    await tool(page, 'Stop comparing').click();
    await expect.poll(marked).toBe('');
    await page.goto('./');
    await page.goto(`p/${pad}/timeslider`);
    await versions.nth(0).waitFor();
    await tool(page, 'Compare with…').click();
    await page.getByRole('menuitem', { name: 'The state before this editing session' }).click();
    await expect.poll(marked).toBe(' four');
    expect(problems).toEqual([]);
  }));

test('keeps the list up while somebody writes, with the focus in it', () =>
  visit(browser, SIZES.desktop, async ({ page }) => {
    const pad = newPadName();
    await openPad(page, pad, 'userName=Ada');
    await write(page, 'One');
    await stateIs(page, /saved/);
    await page.goto(`p/${pad}/timeslider`);
    const newest = page.getByRole('complementary').locator('.version').first();
    await expect.poll(() => newest.textContent()).toMatch(/Ada$/);
    await newest.focus();
    await visit(browser, SIZES.desktop, async ({ page: other }) => {
      await openPad(other, pad, 'userName=Grace');
      await write(other, 'Two');
      await stateIs(other, /saved/);
      await expect.poll(() => newest.textContent()).toMatch(/Grace/);
      await expect.poll(() => newest.evaluate((it) => it === document.activeElement)).toBe(true);
    });
  }));

test('has the list in a sheet on phones, and names saved revisions in it', () =>
  visit(browser, SIZES.phone, async ({ page, problems }) => {
    await openHistory(page);
    expect(await page.getByRole('complementary').count()).toBe(0);
    await tool(page, 'Versions').tap();
    const panel = page.getByRole('complementary');
    const saved = panel.locator('.version', { has: page.locator('[data-icon=star]') });
    await saved.first().tap();
    await shows(page, 'One two three');
    await expect.poll(() => saved.first().textContent()).toMatch(/^Revision \d+.*\d/);
    await expectFits(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }));

test('brings a revision back, after a question', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    await openHistory(page);
    await expect.poll(() => tool(page, 'Restore this revision').count()).toBe(0);
    await tool(page, 'Saved revisions').click();
    await page.getByRole('menuitem').first().click();
    await shows(page, 'One two three');
    await tool(page, 'Restore this revision').click();
    await page.getByRole('dialog').getByText('stays in the history').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await tool(page, 'Restore').click();
    await page.waitForURL(`**/p/${name}`);
    await stateIs(page, /saved/);
    await shows(page, 'One two three');
    expect(problems).toEqual([]);
  }));

test('goes where the address says although it is about to write another one there', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    // What the page would do in a moment is done by the test, just before the browser says that
    // the address is another.
    await page.addInitScript(() => {
      const { setTimeout } = window;
      const due: (() => void)[] = [];
      const held = (todo: () => void, ms?: number) =>
        ms === 300 ? due.push(todo) : setTimeout(todo, ms);
      Object.assign(window, { due, setTimeout: held });
    });
    await openHistory(page);
    await page.waitForFunction('due.length > 0');
    await page.evaluate(() => {
      location.hash = '#0..1';
      for (const todo of (window as unknown as { due: (() => void)[] }).due.splice(0)) todo();
    });
    await text(page).locator('ins, del').first().waitFor();
    expect(new URL(page.url()).hash).toBe('#0..1');
    expect(problems).toEqual([]);
  }));

for (const theme of ['light', 'dark'] as const) {
  for (const size of ['desktop', 'phone'] as const) {
    test(`is accessible: ${size}, ${theme}`, () =>
      visit(browser, { ...SIZES[size], colorScheme: theme }, async ({ page, problems }) => {
        await openHistory(page);
        expect(await accessibilityProblems(page)).toEqual([]);
        await openHistory(page, '#0..1');
        await text(page).locator('ins, del').first().waitFor();
        await tool(page, 'Next change').click();
        expect(await accessibilityProblems(page)).toEqual([]);
        await expect.poll(() => background(page)).toBe(THEMES[theme]);
        await expectFits(page);
        expect(problems).toEqual([]);
      }));
  }
}

test('shows whose text it was, and what had been said in the chat by then', () =>
  visit(browser, SIZES.desktop, async ({ page, problems }) => {
    const pad = newPadName();
    const ada = await call('createAuthor', { name: 'Ada' });
    const bob = await call('createAuthor', { name: 'Bob' });
    await call('createPad', { padID: pad, text: 'Ada', authorId: ada });
    const say = (author: string, words: string) =>
      call('appendChatMessage', { padID: pad, text: words, authorID: author });
    await say(ada, 'Is anybody there?');
    await call('appendText', { padID: pad, text: ' and Bob', authorId: bob });
    await call('appendText', { padID: pad, text: '!', authorId: bob });
    await say(bob, 'Now I am.');

    await page.goto(`p/${pad}/timeslider`);
    await revision(page).waitFor();
    await tool(page, 'Authors and chat at this revision').click();
    const panel = page.getByRole('complementary');
    await expect.poll(() => panel.locator('.person').allTextContents()).toEqual(['Ada', 'Bob']);
    await panel.getByRole('tab', { name: 'Chat' }).click();
    await panel.getByText('Now I am.').waitFor();
    await panel.getByText('Is anybody there?').waitFor();
    await tool(page, 'One revision back').click();
    await panel.getByText('Now I am.').waitFor({ state: 'detached' });
    await panel.getByText('Is anybody there?').waitFor();
    await page.getByLabel('Revision', { exact: true }).fill('0');
    await panel.getByText('Nothing had been said by then.').waitFor();
    await panel.getByRole('tab', { name: 'Authors' }).click();
    await expect.poll(() => panel.locator('.person').allTextContents()).toEqual(['Ada']);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  }));

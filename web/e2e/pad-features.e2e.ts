// Each feature of the text: undone it leaves what was there, and two people who use it at the same
// place at once, without a network, come to see the same afterwards, with the work of both.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch } from './browser.ts';
import { expectSame, seen, stored } from './converge.ts';
import { newPadName, type PadPage, paste, visitor } from './pad.ts';
import { fromMore, stateIs } from './padPage.ts';
import { OwnServer } from './server.ts';
import { FEATURES, type Feature, startOf } from './together.ts';

let browser: Browser;
let server: OwnServer;

beforeAll(async () => {
  browser = await launch();
  // What is stored is asked for often.
  server = await OwnServer.start({ importExportRateLimiting: { max: 100_000 } });
});

afterAll(async () => {
  await browser?.close();
  await server?.end();
});

async function peopleIn(pad: string, feature: Feature): Promise<[PadPage, PadPage]> {
  const people: PadPage[] = [];
  for (const name of ['one', 'two']) {
    const person = await visitor(browser, `${pad}?userName=${name}`, {}, server.url);
    await person.page.locator('.pad-link-card').waitFor({ state: 'attached' });
    people.push(person);
  }
  const [one, two] = people as [PadPage, PadPage];
  await one.page.locator('.cm-content').click();
  await one.page.keyboard.press('Control+a');
  await paste(one.page, { 'text/html': startOf(feature) });
  await stateIs(one.page, /saved/);
  await expect.poll(() => seen(two.page)).toEqual(await seen(one.page));
  return [one, two];
}

// By each of them alone.
async function useAndUndo(feature: Feature, pad: string, page: Page, person: number) {
  const before = await stored(server.url, pad);
  await feature.use(page, person);
  await page.locator(feature.shows).first().waitFor();
  await stateIs(page, /saved/);
  await page.locator('.cm-content').focus();
  for (let i = 0; i < (feature.steps ?? 1); i++) await page.keyboard.press('Control+z');
  await expect
    .poll(async () => {
      await stateIs(page, /saved/);
      return stored(server.url, pad);
    })
    .toEqual(before);
}

async function useAlone(feature: Feature, { page, context }: PadPage, person: number) {
  await context.setOffline(true);
  await feature.use(page, person);
  await page.locator(feature.shows).first().waitFor();
  await page.keyboard.press('End');
  await page.keyboard.type(['first', 'second'][person] as string);
}

describe.each(FEATURES)('$name', (feature) => {
  test('is undone, and used by two people at once', async () => {
    const pad = newPadName();
    const people = await peopleIn(pad, feature);
    const pages = people.map(({ page }) => page);
    for (const [person, page] of pages.entries()) await useAndUndo(feature, pad, page, person);
    const [one] = pages as [Page];
    await expectSame(browser, server.url, pad, pages, ['gamma']);
    for (const [person, each] of people.entries()) await useAlone(feature, each, person);
    for (const { context } of people) await context.setOffline(false);
    const lines = await expectSame(browser, server.url, pad, pages, ['first', 'second', 'gamma']);
    // No sign of a line has become text.
    expect(lines.join('\n')).not.toContain('*');
    await stateIs(one, /saved|merged/);
    const kept = (await stored(server.url, pad)).filter((piece) => feature.kept.test(piece));
    expect(kept.length, kept.join()).toBeGreaterThanOrEqual(feature.count ?? 1);
    for (const { context } of people) await context.close();
  });
});

// What is no formatting of the text.
describe('two people at once', () => {
  test('name a saved revision: both come to see one of the names', async () => {
    const pad = newPadName();
    const first = await visitor(browser, pad, {}, server.url);
    await fromMore(first.page, 'Save this revision');
    await first.page.locator('.toast').waitFor();
    const people = [first, await visitor(browser, pad, {}, server.url)];
    for (const { page } of people) {
      await page.goto(`p/${pad}/timeslider#0`);
      await page.getByRole('button', { name: 'Saved revision: Revision 0' }).click();
    }
    const field = (page: Page) => page.getByRole('textbox', { name: 'Name of revision 0' });
    for (const [i, { page }] of people.entries()) await field(page).fill(`Name ${i}`);
    await Promise.all(people.map(({ page }) => field(page).press('Enter')));
    const marks = ({ page }: PadPage) =>
      page.getByRole('button', { name: /^Saved revision: / }).getAttribute('aria-label');
    await expect
      .poll(async () => {
        const later = await visitor(browser, pad, {}, server.url);
        await later.page.goto(`p/${pad}/timeslider#0`);
        const names = await Promise.all([...people, later].map(marks));
        await later.context.close();
        return new Set(names).size === 1 ? names[0] : names;
      })
      .toMatch(/^Saved revision: Name [01]/);
    for (const { context } of people) await context.close();
  });

  test('start the same pad from a template: it is there once, and both write in it', async () => {
    const [template, pad] = [newPadName(), newPadName()];
    const maker = await visitor(browser, template, {}, server.url);
    await maker.page.locator('.cm-content').click();
    await maker.page.keyboard.press('Control+a');
    await paste(maker.page, { 'text/html': '<h1>Agenda</h1><p><b>all</b> of us</p>' });
    await stateIs(maker.page, /saved/);
    const people = await Promise.all(
      [1, 2].map(() => visitor(browser, `${pad}?template=${template}`, {}, server.url)),
    );
    const words = ['first', 'second'];
    for (const { page } of people) {
      await page.locator('.pad-h1').getByText('Agenda').waitFor();
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+End');
    }
    await Promise.all(people.map(({ page }, i) => page.keyboard.insertText(words[i] as string)));
    const pages = people.map(({ page }) => page);
    const lines = await expectSame(browser, server.url, pad, pages, [...words, 'Agenda']);
    expect(lines.filter((line) => line.includes('Agenda'))).toHaveLength(1);
    expect(await stored(server.url, pad)).toContain('[bold=true]all');
    for (const { context } of [maker, ...people]) await context.close();
  });

  test('write in a section that one of them has folded: it is folded there alone', async () => {
    const pad = newPadName();
    const html = '<h1>Top</h1><p>alpha</p><p>beta</p><h1>gamma</h1><p>end</p>';
    const [one, two] = await peopleIn(pad, { html } as Feature);
    const before = await stored(server.url, pad);
    await one.page.keyboard.press('Control+Home');
    await one.page.keyboard.press('Control+Shift+[');
    await one.page.locator('.pad-folded').waitFor();
    expect(await two.page.locator('.pad-folded').count()).toBe(0);
    expect(await stored(server.url, pad)).toEqual(before);
    await two.page.locator('.cm-line', { hasText: 'alpha' }).click();
    await two.page.keyboard.press('End');
    await Promise.all([
      two.page.keyboard.insertText(' hidden'),
      one.page.keyboard.insertText('shown '),
    ]);
    await expect.poll(() => two.page.locator('.cm-content').textContent()).toContain('shown Top');
    await expect
      .poll(async () => (await stored(server.url, pad)).join(''))
      .toContain('shown Top\nalpha hidden\nbeta');
    expect(await one.page.locator('.pad-folded').count()).toBe(1);
    await one.page.keyboard.press('Control+Home');
    await one.page.keyboard.press('Control+Shift+]');
    await expectSame(browser, server.url, pad, [one.page, two.page], ['shown', 'hidden']);
    for (const { context } of [one, two]) await context.close();
  });
});

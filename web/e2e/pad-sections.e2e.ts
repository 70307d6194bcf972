// Folded sections and the languages of code blocks, by two people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, newPadName, openPad, paste } from './pad.ts';
import { stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const HTML = '<h1>Alpha</h1><p>a1</p><h2>Beta</h2><p>b1</p><h1>Gamma</h1><p>g1</p>';
const TEXT = 'Alpha\na1\nBeta\nb1\nGamma\ng1';

const section = (page: Page, name: string) =>
  page.getByRole('button', { name: `Section “${name}”`, exact: true });

async function two(pad = newPadName()) {
  const [one, other] = await emptyPad(browser, 2, pad);
  if (!one || !other) throw new Error('two visitors');
  return { one, other, pages: [one.page, other.page] };
}

describe('sections', () => {
  test('fold on one screen, stay folded there, and open where the caret goes', async () => {
    const pad = newPadName();
    const { one, other } = await two(pad);
    await paste(one.page, { 'text/html': HTML });
    await expectText(other.page, TEXT);
    const fold = section(one.page, 'Alpha');
    await fold.waitFor();
    await one.page.locator('.pad-heading', { hasText: 'Alpha' }).hover();
    await fold.click();
    await expectText(one.page, 'Alpha\nGamma\ng1');
    expect(await fold.getAttribute('aria-expanded')).toBe('false');
    await one.page.getByRole('img', { name: '3 lines folded' }).waitFor();
    expect(await accessibilityProblems(one.page)).toEqual([]);
    // The other sees all, and what they write there stays hidden here.
    await other.page.locator('.cm-line', { hasText: 'b1' }).click();
    await other.page.keyboard.press('End');
    await other.page.keyboard.press('Enter');
    await other.page.keyboard.type('b2 of the other');
    await one.page.getByRole('img', { name: '4 lines folded' }).waitFor();
    await expectText(one.page, 'Alpha\nGamma\ng1');
    await stateIs(other.page, /saved/);
    await openPad(one.page, pad);
    await expectText(one.page, 'Alpha\nGamma\ng1');
    // What is written at its end belongs to the heading, and opens nothing.
    await one.page
      .locator('.pad-heading', { hasText: 'Alpha' })
      .click({ position: { x: 5, y: 10 } });
    await one.page.keyboard.press('End');
    await one.page.keyboard.type('s');
    await expectText(one.page, 'Alphas\nGamma\ng1');
    await one.page.keyboard.press('Shift+Home');
    await one.page.keyboard.press('ArrowLeft');
    await one.page.keyboard.press('Shift+End');
    await one.page.keyboard.type('Alpha');
    await expectText(one.page, 'Alpha\nGamma\ng1');
    // Finding goes in.
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+f');
    await one.page.getByRole('textbox', { name: 'Find' }).pressSequentially('b2');
    await one.page.keyboard.press('Enter');
    const open = 'Alpha\na1\nBeta\nb1\nb2 of the other\nGamma\ng1';
    await expectText(one.page, open);
    await one.page.keyboard.press('Escape');
    // By keys, from inside: the caret goes to the heading.
    await one.page.locator('.cm-line', { hasText: 'b1' }).click();
    await one.page.keyboard.press('Control+Shift+[');
    await expectText(one.page, 'Alpha\na1\nBeta\nGamma\ng1');
    await one.page.keyboard.type('!');
    await expectText(one.page, 'Alpha\na1\nBeta!\nGamma\ng1');
    await one.page.keyboard.press('Control+Shift+]');
    await expectText(one.page, open.replace('Beta', 'Beta!'));
    // Printing shows all.
    await section(one.page, 'Beta!').focus();
    await one.page.keyboard.press('Enter');
    await expectText(one.page, 'Alpha\na1\nBeta!\nGamma\ng1');
    await one.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expectText(one.page, open.replace('Beta', 'Beta!'));
    await one.page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expectText(one.page, 'Alpha\na1\nBeta!\nGamma\ng1');
    for (const { context } of [one, other]) await context.close();
  });

  test('stay folded when the page goes at once', async () => {
    const { one, other } = await two(newPadName());
    await paste(one.page, { 'text/html': HTML });
    await expectText(other.page, TEXT);
    const fold = section(one.page, 'Alpha');
    await fold.waitFor();
    await fold.evaluate((button: HTMLElement) => {
      button.click();
      location.reload();
    });
    await expectText(one.page, 'Alpha\nGamma\ng1');
    for (const { context } of [one, other]) await context.close();
  });

  test('offer the link to their heading', async () => {
    const pad = newPadName();
    const { one, other } = await two(pad);
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await paste(one.page, { 'text/html': HTML });
    await section(one.page, 'Beta').waitFor();
    await one.page.locator('.pad-heading', { hasText: 'Beta' }).hover();
    await one.page.getByRole('button', { name: 'Copy the link to “Beta”' }).click();
    await one.page.getByRole('button', { name: 'Link copied' }).waitFor();
    const copied = await one.page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(new RegExp(`/p/${pad}#beta$`));
    for (const { context } of [one, other]) await context.close();
  });
});

describe('code blocks', () => {
  test('have a language that everybody sees, with its colours', async () => {
    const pad = newPadName();
    const { one, other, pages } = await two(pad);
    const code = '<pre><code>let x = 1;\n// why\nlet y = "two";</code></pre><p>end</p>';
    await paste(one.page, { 'text/html': code });
    const text = 'let x = 1;\n// why\nlet y = "two";\nend';
    for (const page of pages) await expectText(page, text);
    const choice = (page: Page) => page.getByRole('combobox', { name: 'Language' });
    expect(await choice(one.page).count()).toBe(1);
    await choice(one.page).selectOption({ label: 'JavaScript' });
    for (const page of pages) {
      await expect.poll(() => choice(page).inputValue()).toBe('javascript');
      const of = (kind: string) => page.locator(`.cm-content .tok-${kind}`).allTextContents();
      await expect.poll(() => of('keyword')).toEqual(['let', 'let']);
      expect(await of('comment')).toEqual(['// why']);
      expect(await of('string')).toEqual(['"two"']);
    }
    expect(await accessibilityProblems(one.page)).toEqual([]);
    // At the same place at once: one writes, one chooses another language.
    await one.page.locator('.cm-line', { hasText: 'why' }).click();
    await one.page.keyboard.press('End');
    await Promise.all([
      one.page.keyboard.type(' not', { delay: 5 }),
      choice(other.page).selectOption({ label: 'Python' }),
    ]);
    for (const page of pages) {
      await expectText(page, text.replace('why', 'why not'));
      await expect.poll(() => choice(page).inputValue()).toBe('python');
    }
    // One step to undo, and a line that is begun in it is in the same language.
    await stateIs(other.page, /saved/);
    await other.page.locator('.cm-content').focus();
    await other.page.keyboard.press('Control+z');
    for (const page of pages) await expect.poll(() => choice(page).inputValue()).toBe('javascript');
    await one.page.keyboard.press('Enter');
    await one.page.keyboard.type('null');
    await expect.poll(() => one.page.locator('.tok-comment').count()).toBe(1);
    expect(await choice(one.page).count()).toBe(1);
    await stateIs(one.page, /saved/);
    const exported = await one.page.request.get(`p/${pad}/export/md`);
    expect(await exported.text()).toContain('```javascript');
    for (const { context } of [one, other]) await context.close();
  });
});

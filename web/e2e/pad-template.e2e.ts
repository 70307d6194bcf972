// New pads that start with the text of another one.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES } from './browser.ts';
import { emptyPad, expectText, newPadName, visitor } from './pad.ts';
import { dialog, fromMore, stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('a new pad from this one', () => {
  test('has its text and formats, nobody’s colour, and an address without the template', async () => {
    const pad = newPadName();
    const [{ page, context }] = (await emptyPad(browser, 1, pad)) as [
      Awaited<ReturnType<typeof visitor>>,
    ];
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Agenda');
    await stateIs(page, /saved/);
    await fromMore(page, 'New pad from this one…');
    const name = dialog(page).getByLabel('Name of the new pad');
    expect(await name.inputValue()).toBe(`${pad}-2`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await name.fill('');
    await name.focus();
    await page.keyboard.insertText('n'.repeat(51));
    await dialog(page).getByText('Too long. At most 50 characters.').waitFor();
    expect(await name.inputValue()).toHaveLength(51);
    expect(await dialog(page).getByRole('button', { name: 'Make the pad' }).isDisabled()).toBe(
      true,
    );
    await name.fill(`${pad}-copy`);
    await name.press('Enter');
    await page.waitForURL(/-copy$/);
    await expectText(page, 'Agenda');
    await page.locator('.cm-content').click();
    await page.getByRole('button', { name: 'Bold', pressed: true }).waitFor();
    await page.keyboard.press('Control+Shift+Digit2');
    await page.locator('.toast').getByText('No author is known for this place').waitFor();
    // The name is taken now: the pad opens as it is.
    await page.goto(`p/${pad}-copy?template=nowhere`);
    await page.locator('.toast').getByText('A pad of this name exists already').waitFor();
    await expectText(page, 'Agenda');
    await context.close();
  });

  test('without a template is plain, and says so', async () => {
    const pad = newPadName();
    const { page, context } = await visitor(browser, `${pad}?template=nowhere`, SIZES.phone);
    await page.locator('.toast').getByText('The template was not found').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await context.close();
  });
});

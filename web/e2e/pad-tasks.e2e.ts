// Check lists, by two people.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch } from './browser.ts';
import { emptyPad, expectText, newPadName, paste } from './pad.ts';
import { stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

// The tasks with their level and a cross for what is done.
function tasksOf(page: Page): Promise<string[]> {
  return page.locator('.cm-content .pad-task').evaluateAll((all) =>
    all.map((task) => {
      const done = task.querySelector('[role=checkbox]')?.ariaChecked === 'true';
      return `${task.ariaLevel}${done ? 'x' : '-'} ${task.textContent}`;
    }),
  );
}

async function expectTasks(pages: readonly Page[], ...tasks: string[]): Promise<void> {
  for (const page of pages) await expect.poll(() => tasksOf(page)).toEqual(tasks);
}

describe('check lists', () => {
  test('are written with keys, ticked by two people at once, and left', async () => {
    const pad = newPadName();
    const [one, two] = await emptyPad(browser, 2, pad);
    if (!one || !two) throw new Error('two visitors');
    const pages = [one.page, two.page];
    const { keyboard } = one.page;
    await one.page.getByRole('button', { name: 'Check list' }).click();
    await one.page.locator('.cm-content').click();
    await keyboard.type('milk');
    await keyboard.press('Enter');
    await keyboard.type('bread');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.type('rye');
    await expectTasks(pages, '1- milk', '1- bread', '2- rye');
    // A click, a key, and words in the same line at once.
    await two.page.getByRole('checkbox').nth(1).click();
    await keyboard.press('Control+Enter');
    await keyboard.type(' loaf');
    await expectTasks(pages, '1- milk', '1x bread', '2x rye loaf');
    expect(await accessibilityProblems(two.page)).toEqual([]);
    // What goes on after a task that is done is not done; an empty one leads out, level by level.
    await keyboard.press('Enter');
    await expectTasks(pages, '1- milk', '1x bread', '2x rye loaf', '2- ');
    await keyboard.press('Shift+Tab');
    await expectTasks(pages, '1- milk', '1x bread', '2x rye loaf', '1- ');
    await keyboard.press('Enter');
    await keyboard.type('plain');
    await expectTasks(pages, '1- milk', '1x bread', '2x rye loaf');
    await expectText(two.page, 'milk\nbread\nrye loaf\nplain');
    await two.page.getByRole('checkbox').nth(0).click();
    await expectTasks(pages, '1x milk', '1x bread', '2x rye loaf');
    await two.page.keyboard.press('Control+z');
    await expectTasks(pages, '1- milk', '1x bread', '2x rye loaf');
    await stateIs(one.page, /saved/);
    await one.page.goto(`p/${pad}/timeslider#9999`);
    await expectTasks([one.page], '1- milk', '1x bread', '2x rye loaf');
    expect(await one.page.getByRole('checkbox').nth(0).isDisabled()).toBe(true);
    for (const { context } of [one, two]) await context.close();
  });

  test('are copied and pasted, and other lists become one', async () => {
    const [one] = await emptyPad(browser, 1);
    if (!one) throw new Error('a visitor');
    await one.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { keyboard } = one.page;
    const html = `<ul><li><input type="checkbox" checked> a<ul><li><input type="checkbox">b</li></ul></li>
      <li role="checkbox" aria-checked="true"><p>c</p></li><li><p>bullet</p></li></ul>`;
    await paste(one.page, { 'text/html': html, 'text/plain': 'not this' });
    await expectText(one.page, 'a\nb\nc\nbullet');
    await expectTasks([one.page], '1x a', '2- b', '1x c');
    await keyboard.press('Control+Shift+9');
    await expectTasks([one.page], '1x a', '2- b', '1x c', '1- bullet');
    await keyboard.press('Control+a');
    await keyboard.press('Control+c');
    const copied = () => one.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain('bullet');
    await keyboard.press('Delete');
    await expectTasks([one.page]);
    await keyboard.press('Control+v');
    await expectTasks([one.page], '1x a', '2- b', '1x c', '1- bullet');
    await one.context.close();
  });
});

// The plugins of this repository that have a part in the page: what people see of them.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { fromMore, newPadName, openPad, write } from './padPage.ts';
import { ownPlugin, PagePlugins, type TestPlugin } from './pagePlugins.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
});

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ['desktop, light', { ...SIZES.desktop, colorScheme: 'light' }],
  ['desktop, dark', { ...SIZES.desktop, colorScheme: 'dark' }],
  ['phone, dark', { ...SIZES.phone, colorScheme: 'dark' }],
  ['phone, light', { ...SIZES.phone, colorScheme: 'light' }],
];

async function withPlugin(
  options: BrowserContextOptions,
  plugin: TestPlugin,
  act: (page: Page, added: PagePlugins) => Promise<void>,
  query = '',
): Promise<void> {
  await visit(browser, options, async ({ page, problems }) => {
    const added = await PagePlugins.add(page, [plugin]);
    await openPad(page, newPadName(), query);
    await act(page, added);
    expect(added.reports).toEqual([]);
    expect(problems).toEqual([]);
  });
}

const picture = async (page: Page, name: string) => {
  const folder = process.env.PADSVC_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/g, '-')}.png` });
};

describe('writing-goal', () => {
  // The server half in few words.
  const goal = (words: number): TestPlugin => {
    let kept = words;
    return ownPlugin('writing-goal', {
      vars: { goal: words },
      answer: (data) => {
        kept = (data as { goal?: number }).goal ?? kept;
        return { goal: kept };
      },
    });
  };

  test.each(LOOKS)('is set, reached and taken away on a %s', (look, options) =>
    withPlugin(options, goal(0), async (page) => {
      await write(page, 'one two three');
      await fromMore(page, 'Writing goal…');
      const panel = page.getByRole('tabpanel', { name: 'Goal' });
      await panel.getByText('This pad has no goal yet.').waitFor();
      await panel.getByLabel('Words that this pad should have').fill('4');
      await panel.getByRole('button', { name: 'Set goal' }).click();
      await panel.getByText('The goal is set for everybody.').waitFor();
      await panel.getByText('3 of 4 words').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await expectFits(page);
      await picture(page, `goal ${look}`);

      await page.getByRole('button', { name: 'Close' }).last().click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' four');
      await page.getByText('Goal reached: 4 words.').first().waitFor();
      await picture(page, `goal reached ${look}`);
      if (look.startsWith('desktop')) {
        await page.getByRole('button', { name: 'Writing goal: 4 of 4 words' }).click();
      } else {
        await fromMore(page, 'Writing goal…');
      }
      await panel.getByRole('button', { name: 'Remove goal' }).click();
      await panel.getByText('The pad has no goal any more.').waitFor();
      expect(await page.locator('.goal-status').count()).toBe(0);
    }),
  );

  test('refuses what is no number, before it is sent', () =>
    withPlugin(SIZES.desktop, goal(100), async (page) => {
      await page.getByRole('button', { name: /Writing goal/ }).click();
      const field = page.getByLabel('Words that this pad should have');
      await field.fill('-5');
      await page.getByRole('button', { name: 'Set goal' }).click();
      expect(await field.evaluate((it) => (it as HTMLInputElement).validity.valid)).toBe(false);
      await page.getByText('0 of 100 words').first().waitFor();
    }));
});

describe('statistics', () => {
  const LONG = 'Ein ausgesprochen langer Name, den sich jemand gegeben hat';
  const authors = [
    { authorId: 'a.1', name: 'Anna <b>', characters: 5200 },
    { authorId: 'a.2', name: LONG, characters: 3100 },
    { authorId: 'a.3', name: 'سارة', characters: 900 },
    { authorId: 'a.4', name: null, characters: 40 },
  ];
  const counted = { authors, others: { count: 2, characters: 60 }, characters: 9300 };
  const statistics = (answer: () => unknown) => ownPlugin('statistics', { answer });

  test.each(LOOKS)('are a chart and a table on a %s', (look, options) =>
    withPlugin(
      options,
      statistics(() => counted),
      async (page) => {
        await write(page, 'some text');
        await fromMore(page, 'Statistics');
        const table = page.getByRole('table', { name: 'Who wrote how much of 9,300 characters' });
        await table.waitFor();
        const rows = await table.getByRole('row').allInnerTexts();
        expect(rows.map((row) => row.split(/\s*\t\s*/u).map((cell) => cell.trim()))).toEqual([
          ['Name', 'Share', 'Characters'],
          ['Anna <b>', '56%', '5,200'],
          [LONG, '33%', '3,100'],
          ['سارة', '10%', '900'],
          [expect.stringMatching(/^\p{L}+ .*\p{L}/u), '0%', '40'],
          ['2 others', '1%', '60'],
        ]);
        const widths = await page
          .locator('.statistics-bar')
          .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
        expect(widths.slice(0, 4)).toEqual(widths.slice(0, 4).sort((one, other) => other - one));
        expect(await accessibilityProblems(page)).toEqual([]);
        await expectFits(page);
        await picture(page, `statistics ${look}`);
      },
    ),
  );

  test('follow what is written, and say when they cannot', () => {
    let answer: unknown = { authors: [], others: { count: 0, characters: 0 }, characters: 0 };
    return visit(browser, SIZES.desktop, async ({ page }) => {
      await PagePlugins.add(page, [statistics(() => answer)]);
      await openPad(page, newPadName());
      await fromMore(page, 'Statistics');
      const panel = page.getByRole('tabpanel', { name: 'Statistics' });
      await panel.getByText('Nobody has written anything yet.').waitFor();
      answer = counted;
      await write(page, 'more');
      await panel.getByRole('row', { name: /Anna/ }).waitFor();
      answer = new Error('late');
      await page.keyboard.type(' and more');
      await panel.getByText('The numbers could not be read.').waitFor();
    });
  });

  test('are written from right to left in Arabic', () =>
    withPlugin(
      SIZES.desktop,
      statistics(() => counted),
      async (page) => {
        await page.getByRole('button', { name: 'المزيد' }).click();
        await page.getByRole('menuitem', { name: 'إحصاءات' }).click();
        await page.getByRole('table').waitFor();
        expect(await page.getByRole('table').evaluate((it) => getComputedStyle(it).direction)).toBe(
          'rtl',
        );
        expect(await accessibilityProblems(page)).toEqual([]);
        await picture(page, 'statistics arabic');
      },
      'lang=ar',
    ));
});

// The frame of the pad page in a browser, against a real server under the real content policy:
// every tool, every dialog, the panel, the notices.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, SIZES, serverUrl, shownFromNow, type Visit, visit } from './browser.ts';
import {
  dialog,
  fromMore,
  newPadName,
  openPad,
  pick,
  showPeople,
  stateIs,
  text,
  titleOf,
  withoutLocks,
  write,
} from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const desktop = (act: (visit: Visit) => Promise<void>) => visit(browser, SIZES.desktop, act);
const tool = (page: Page, name: string) =>
  page.getByRole('toolbar').getByRole('button', { name, exact: true });
const pressed = (page: Page, name: string) => tool(page, name).getAttribute('aria-pressed');
// A second person, in a browser of their own.
async function somebody(
  name: string,
  query: string,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  await visit(browser, SIZES.desktop, async ({ page }) => {
    await openPad(page, name, query);
    await act(page);
  });
}

describe('formatting bar', () => {
  const inline = {
    Bold: 'strong, b',
    Italic: 'em, i',
    Underline: 'u',
    Strikethrough: 's',
  };
  for (const [name, selector] of Object.entries(inline)) {
    test(`${name} formats what is selected, shows it, and takes it away`, () =>
      desktop(async ({ page, problems }) => {
        await openPad(page, newPadName());
        await write(page, 'words');
        await page.keyboard.press('Control+A');
        await tool(page, name).click();
        await text(page).locator(selector).waitFor();
        await expect.poll(() => pressed(page, name)).toBe('true');
        await tool(page, name).click();
        await text(page).locator(selector).waitFor({ state: 'detached' });
        await expect.poll(() => pressed(page, name)).toBe('false');
        expect(problems).toEqual([]);
      }));
  }

  test('lists, indents, headings, plain text again, undo and redo', () =>
    desktop(async ({ page, problems }) => {
      await openPad(page, newPadName());
      await write(page, 'words');
      await tool(page, 'Bulleted list').click();
      await expect.poll(() => pressed(page, 'Bulleted list')).toBe('true');
      await text(page).getByRole('listitem').waitFor();
      await tool(page, 'Increase indent').click();
      await text(page).locator('[aria-level="2"]').waitFor();
      await tool(page, 'Decrease indent').click();
      await text(page).locator('[aria-level="2"]').waitFor({ state: 'detached' });
      await tool(page, 'Numbered list').click();
      await expect.poll(() => pressed(page, 'Numbered list')).toBe('true');
      await expect.poll(() => pressed(page, 'Bulleted list')).toBe('false');
      await tool(page, 'Numbered list').click();
      await text(page).getByRole('listitem').waitFor({ state: 'detached' });

      await tool(page, 'Kind of text: Normal text').click();
      await page.getByRole('menuitemradio', { name: 'Heading 2' }).click();
      await text(page).getByRole('heading', { level: 2 }).waitFor();
      await tool(page, 'Kind of text: Heading 2').waitFor();
      await tool(page, 'Undo').click();
      await text(page).getByRole('heading').waitFor({ state: 'detached' });
      await tool(page, 'Redo').click();
      await text(page).getByRole('heading', { level: 2 }).waitFor();

      await page.keyboard.press('Control+A');
      await page.keyboard.press('Control+B');
      await text(page).locator('strong, b').waitFor();
      await tool(page, 'Clear formatting').click();
      await text(page).locator('strong, b').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    }));

  test('author colours: three strengths, and who wrote this', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName(), 'userName=Ada');
      await write(page, 'words');
      const choose = async (name: string) => {
        await tool(page, 'Author colours').click();
        await page.getByRole('menuitemradio', { name }).click();
      };
      const shown = () => page.locator('[data-authorship]').getAttribute('data-authorship');
      await expect.poll(shown).toBe('stripe');
      await choose('Behind the text');
      await expect.poll(shown).toBe('background');
      await choose('As a stripe');
      await expect.poll(shown).toBe('stripe');
      await choose('Not shown');
      await expect.poll(shown).toBe('off');
      await page.reload();
      await stateIs(page, /saved/);
      await expect.poll(shown).toBe('off');
      await text(page).click();
      await page.keyboard.press('End');
      const toasts = await shownFromNow(page, '.toast');
      await page.keyboard.press('Control+Shift+Digit2');
      await expect.poll(() => toasts.join()).toContain('Written by You');
    }));

  test('author colours of a selection go at once, of the whole pad after a question', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await write(page, 'words');
      await text(page).locator('.pad-author').waitFor();
      await tool(page, 'Author colours').click();
      await page.getByRole('menuitem', { name: 'Remove author colours' }).click();
      await dialog(page).getByText('whole pad').first().waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => text(page).locator('.pad-author').count()).toBe(1);
      await text(page).click();
      await page.keyboard.press('Control+Shift+KeyC');
      await page.getByRole('button', { name: 'Remove from the whole pad' }).click();
      await text(page).locator('.pad-author').waitFor({ state: 'detached' });
    }));

  test('says how long the text is while one writes, and what is selected', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await text(page).click();
      const status = page.locator('.status-line');
      // Never a pause.
      while (!/word/.test(await status.innerText())) await page.keyboard.type('x ');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('one two 👍🏽 three');
      await status.getByText('3 words, 16 characters', { exact: true }).waitFor();
      await page.keyboard.press('Control+Shift+ArrowLeft');
      await status.getByText('Selected: 1 word, 5 characters', { exact: true }).waitFor();
      await page.keyboard.press('End');
      await status.getByText('3 words, 16 characters', { exact: true }).waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText('word '.repeat(500));
      await status.getByText('3 minutes to read', { exact: true }).waitFor();
    }));

  test('finds, counts, and replaces', () =>
    desktop(async ({ page, problems }) => {
      await openPad(page, newPadName());
      await write(page, 'one two One\ntwo one');
      await tool(page, 'Find and replace').click();
      const box = page.getByRole('search');
      const field = box.getByRole('textbox', { name: 'Find' });
      const count = (text: string) => box.getByText(text, { exact: true }).waitFor();
      await field.fill('one');
      await count('3 results');
      await field.press('Enter');
      await count('1 of 3');
      await box.getByRole('button', { name: 'Next' }).click();
      await count('2 of 3');
      await box.getByRole('button', { name: 'Previous' }).click();
      await count('1 of 3');
      await box.getByRole('button', { name: 'Match case' }).click();
      await count('1 of 2');
      await box.getByRole('button', { name: 'Regular expression' }).click();
      await field.fill('(');
      await count('No results');
      await field.fill('o.e');
      await count('1 of 2');
      expect(await box.getByRole('textbox', { name: 'Replace' }).count()).toBe(0);
      await box.getByRole('button', { name: 'Replace', exact: true }).click();
      await box.getByRole('textbox', { name: 'Replace' }).fill('1');
      await box.getByRole('button', { name: 'Replace all' }).click();
      await expect.poll(() => text(page).innerText()).toBe('1 two One\ntwo 1');
      await count('No results');
      await field.press('Escape');
      await box.waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    }));
});

describe('panel', () => {
  test('people without a name are the same guest for everybody, in the language of each', () =>
    desktop(async ({ page }) => {
      const name = newPadName();
      await openPad(page, name);
      await write(page, 'words');
      await showPeople(page);
      const guest = page.locator('.person-name', { hasText: /^Guest \p{L}+/u });
      await somebody(name, 'lang=de', async (other) => {
        await text(other).click();
        await other.keyboard.type('x');
        await guest.waitFor();
        const shown = await guest.innerText();
        // On the flag of their caret too, and for a third person.
        await page.locator(`.pad-cursor[data-name="${shown}"]`).waitFor();
        await somebody(name, '', async (third) => {
          await third.getByRole('button', { name: new RegExp(`here: .*${shown}`) }).waitFor();
        });
        await other.getByRole('button', { name: /hier: .*Gast \p{L}+/u }).waitFor();
      });
    }));

  test('people see each other, get names and colours, and find each other', () =>
    desktop(async ({ page, problems }) => {
      const name = newPadName();
      await openPad(page, name);
      await showPeople(page);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('Your name').press('Enter');
      await pick(page, 'Honey');
      await page.getByRole('group', { name: 'Your colour: Honey' }).waitFor();
      await somebody(name, '', async (other) => {
        await other.getByRole('button', { name: /2 people here: You and Ada|Ada/ }).click();
        await other.getByRole('button', { name: /^Ada/ }).waitFor();
        await page.getByRole('button', { name: 'Suggest a name' }).click();
        await page.getByLabel('A name for this person').fill('Grace');
        await page.getByRole('button', { name: 'Suggest', exact: true }).click();
        // Either the name is taken at once, or it is offered.
        const offered = other.getByRole('button', { name: 'Use it' });
        const taken = page.getByRole('button', { name: /^Grace/ });
        await Promise.race([offered.waitFor(), taken.waitFor()]);
        if (await offered.isVisible()) await offered.click();
        await taken.waitFor();
        await write(other, 'here I am');
        await page
          .getByText(/Grace is (editing line 1|typing)/)
          .first()
          .waitFor();
      });
      await page.getByText('Nobody else is here').waitFor();
      expect(problems).toEqual([]);
    }));

  test('chat: messages, links as links and nothing else, unread, Alt+C there and back', () =>
    desktop(async ({ page, problems }) => {
      const name = newPadName();
      await openPad(page, name, 'userName=Ada');
      await somebody(name, 'userName=Grace', async (other) => {
        await other.keyboard.press('Alt+KeyC');
        await other
          .getByLabel('Message', { exact: true })
          .fill('<b>see</b> https://example.org/a.');
        await other.keyboard.press('Enter');
        await other.getByRole('log').getByText('<b>see</b>').waitFor();
      });
      await page.getByRole('button', { name: 'Chat, 1 unread message' }).click();
      const log = page.getByRole('log');
      await expect.poll(() => log.locator('b').allTextContents()).toEqual(['Grace']);
      const link = log.getByRole('link');
      await expect.poll(() => link.getAttribute('href')).toBe('https://example.org/a');
      await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer');
      await page.getByRole('button', { name: 'Chat', exact: true }).waitFor();
      await text(page).click();
      await page.keyboard.press('Alt+KeyC');
      await expect
        .poll(() => page.getByLabel('Message', { exact: true }).evaluate(isFocused))
        .toBe(true);
      await page.keyboard.type('thanks, Grace');
      await page.keyboard.press('Enter');
      await log.getByText('thanks, Grace').waitFor();
      await page.keyboard.press('Alt+KeyC');
      await log.waitFor({ state: 'detached' });
      await expect.poll(() => text(page).evaluate(isFocused)).toBe(true);
      expect(problems).toEqual([]);
    }));

  test('the panel pushes the text and never covers it', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByRole('log').waitFor();
      // Both at one moment.
      const covered = () =>
        page.evaluate(() => {
          const box = (part: string) => document.querySelector(part)?.getBoundingClientRect();
          return (box('.main')?.right ?? 1) - (box('.panel')?.left ?? 0);
        });
      await expect.poll(covered).toBeLessThanOrEqual(0);
    }));

  test('a new pad is an empty sheet that takes what is typed', () =>
    desktop(async ({ page }) => {
      await page.goto(`p/${newPadName()}`);
      await page.locator('.cm-content:focus').waitFor();
      await page.getByText('Start writing…').waitFor();
      await page.keyboard.type('at once');
      await expect.poll(() => text(page).innerText()).toMatch(/^at once\s*$/);
      await expect.poll(() => page.locator('.panel').count()).toBe(0);
    }));

  test('a format chosen by mouse is for the text, also after a word in the chat', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await page.getByRole('button', { name: 'Chat', exact: true }).click();
      await page.getByLabel('Message', { exact: true }).fill('draft');
      await page.getByRole('button', { name: 'Bold' }).click();
      await page.keyboard.type('bold');
      await expect.poll(() => text(page).locator('strong').allTextContents()).toEqual(['bold']);
      await expect
        .poll(() => page.getByLabel('Message', { exact: true }).inputValue())
        .toBe('draft');
    }));

  test('Backspace takes one emoji as one sees it', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await text(page).click();
      for (const emoji of ['👍🏽', '👩🏽‍🚀', '🇺🇦', '👨‍👩‍👧']) {
        await page.keyboard.insertText(`a${emoji}`);
        await page.keyboard.press('Backspace');
        await expect.poll(() => text(page).innerText()).toMatch(/^a\s*$/);
        await page.keyboard.press('Backspace');
      }
    }));

  test('the key for deleting is in the menu of the browser that made the pad', () =>
    desktop(async ({ page }) => {
      const name = newPadName();
      await openPad(page, name);
      const key = dialog(page).getByLabel('Key for deleting');
      await fromMore(page, 'Key for deleting…');
      await expect.poll(() => key.inputValue()).toMatch(/^[0-9a-f]{64}$/);
      const first = await key.inputValue();
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).toBe(`${name}.txt`);
      await page.reload();
      await stateIs(page, /saved/);
      await page.getByRole('button', { name: 'Share' }).click();
      await dialog(page).getByRole('button', { name: 'Key for deleting…' }).click();
      await expect.poll(() => key.inputValue()).toBe(first);
      await somebody(name, '', async (other) => {
        await other.getByRole('button', { name: 'More', exact: true }).click();
        await other.getByRole('menuitem', { name: 'Delete this pad…' }).waitFor();
        await expect.poll(() => other.getByText('Key for deleting…').count()).toBe(0);
      });
    }));
});

describe('dialogs', () => {
  test('settings hold at once, are kept, and can be taken back', () =>
    desktop(async ({ page, problems }) => {
      await openPad(page, newPadName());
      await fromMore(page, 'Settings');
      await page.getByLabel('Line numbers').check();
      await page.locator('.cm-gutters').waitFor();
      await page.getByLabel('Font', { exact: true }).selectOption({ label: 'Fixed width' });
      await page.getByLabel('Text size').selectOption('20');
      const style = () =>
        page.locator('.cm-scroller').evaluate((element) => {
          const { fontFamily, fontSize } = getComputedStyle(element);
          return { fontFamily, fontSize };
        });
      const fontFamily = expect.stringContaining('mono');
      await expect.poll(style).toEqual({ fontFamily, fontSize: '20px' });
      await pick(page, 'Dark');
      const theme = () => page.locator('html').getAttribute('data-theme');
      await expect.poll(theme).toBe('dark');
      await page.getByLabel('Language').selectOption('de');
      await dialog(page).getByRole('heading', { name: 'Einstellungen' }).waitFor();
      await page.reload();
      await stateIs(page, /saved/);
      await expect.poll(theme).toBe('dark');
      await expect.poll(style).toEqual({ fontFamily, fontSize: '20px' });
      await page.getByRole('button', { name: 'Teilen' }).waitFor();
      await page.getByRole('button', { name: 'Mehr', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Einstellungen' }).click();
      await page.getByRole('button', { name: 'Zurück zum Standard' }).click();
      await dialog(page).getByRole('heading', { name: 'Settings' }).waitFor();
      await page.locator('.cm-gutters').waitFor({ state: 'detached' });
      expect(problems).toEqual([]);
    }));

  test('what the creator fixes holds for everybody', () =>
    desktop(async ({ page }) => {
      const name = newPadName();
      await openPad(page, name, 'userName=Ada');
      await somebody(name, '', async (other) => {
        await fromMore(page, 'Settings');
        await page.getByRole('tab', { name: 'For everybody' }).click();
        // Shown as the server has it, so not at once.
        const choose = async (name: string, checked: boolean) => {
          await page.getByRole('switch', { name }).click();
          await page.getByRole('switch', { name, checked }).waitFor();
        };
        await choose('Line numbers', true);
        await other.locator('.cm-gutters').waitFor();
        await choose('Nobody can choose otherwise', true);
        await fromMore(other, 'Settings');
        await other.getByText('has fixed how it looks').waitFor();
        await expect.poll(() => other.getByLabel('Line numbers').isDisabled()).toBe(true);
        await expect.poll(() => other.getByRole('tab', { name: 'For everybody' }).count()).toBe(0);
      });
    }));

  test('a saved revision is said', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await write(page, 'words');
      const toasts = await shownFromNow(page, '.toast');
      await page.keyboard.press('Control+S');
      // One that has the focus waits.
      await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).focus();
      await expect.poll(() => toasts.join()).toMatch(/Revision \d+ is saved/);
      await page.keyboard.press('Enter');
      await page.locator('.toast').waitFor({ state: 'detached' });
    }));

  test('shortcuts and the connection', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await text(page).click();
      await page.keyboard.press('Control+/');
      await dialog(page).getByText('Strikethrough').waitFor();
      const row = dialog(page).locator('dl > div', { hasText: 'Unfold the section' });
      expect(await row.locator('kbd').allTextContents()).toEqual(['Ctrl', 'Shift', ']']);
      await page.keyboard.press('Escape');
      await dialog(page).waitFor({ state: 'detached' });
      await fromMore(page, 'About this connection');
      await dialog(page).getByText('Saved').waitFor();
      await dialog(page)
        .getByText(/^a\.\w{16}$/)
        .waitFor();
    }));

  test('deleting takes a key from people who did not create the pad, and keeps the text in sight', () =>
    desktop(async ({ page }) => {
      const name = newPadName();
      await openPad(page, name);
      await write(page, 'last words');
      await fromMore(page, 'Key for deleting…');
      const key = await page.getByLabel('Key for deleting').inputValue();
      await page.keyboard.press('Escape');
      await somebody(name, '', async (other) => {
        await fromMore(other, 'Delete this pad');
        const confirm = other.getByRole('button', { name: 'Delete for good' });
        await expect.poll(() => confirm.isDisabled()).toBe(true);
        await dialog(other).getByLabel('Key for deleting').fill('0'.repeat(64));
        await confirm.click();
        await dialog(other).getByRole('alert').getByText('That is not the key').waitFor();
        const field = dialog(other).getByLabel('Key for deleting');
        await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
        await expect.poll(() => text(page).textContent()).toContain('last words');
        await dialog(other).getByLabel('Key for deleting').fill(key);
        await confirm.click();
        await other.getByText('This pad was deleted').waitFor();
      });
      await page.getByText('This pad was deleted').waitFor();
      await expect.poll(() => text(page).textContent()).toContain('last words');
      await page.getByRole('button', { name: 'Start page' }).click();
      await page.waitForURL(serverUrl());
      await expect.poll(() => page.getByRole('link', { name: titleOf(name) }).count()).toBe(0);
    }));
});

describe('notices', () => {
  test('without locks, two windows: one stands still until it is wanted back', () =>
    desktop(async ({ page }) => {
      await withoutLocks(page);
      const name = newPadName();
      await openPad(page, name);
      const other = await page.context().newPage();
      await openPad(other, name);
      await page.getByText('You opened this pad in another window').waitFor();
      await page.getByRole('button', { name: 'Use it here' }).click();
      await stateIs(page, /saved/);
      await other.getByText('You opened this pad in another window').waitFor();
    }));

  test('offline is said, writing goes on, and being back is said too', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await page.context().setOffline(true);
      await write(page, 'two words');
      await stateIs(page, /offline|reconnecting/);
      await page.context().setOffline(false);
      await stateIs(page, /saved|merged/);
      await expect.poll(() => text(page).textContent()).toContain('two words');
    }));

  test('toasts are said to screen readers', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await page.keyboard.press('Control+S');
      await page.locator('#announcer', { hasText: 'is saved' }).waitFor({ state: 'attached' });
    }));

  test('the pad is on the start page afterwards', () =>
    desktop(async ({ page }) => {
      const name = newPadName();
      await openPad(page, name);
      await page.getByRole('link', { name: 'Start page' }).click();
      await page.getByRole('link', { name: titleOf(name) }).click();
      await stateIs(page, /saved/);
    }));
});

describe('options in the address', () => {
  const cases: [query: string, look: (page: Page) => Promise<unknown>, expected: unknown][] = [
    ['showControls=false', (page) => page.locator('.header, .bar').count(), 0],
    ['showMenuRight=false', (page) => page.locator('.header-right').count(), 0],
    ['showChat=false', (page) => page.getByRole('button', { name: 'Chat' }).count(), 0],
    ['showLineNumbers=true', (page) => page.locator('.cm-gutters').count(), 1],
    [
      'useMonospaceFont=true',
      (page) =>
        page
          .locator('.cm-scroller')
          .evaluate((element) => /mono/.test(getComputedStyle(element).fontFamily)),
      true,
    ],
    ['noColors=true', (page) => page.locator('[data-authorship=off]').count(), 1],
    ['alwaysShowChat=true', (page) => page.getByRole('log').count(), 1],
    [
      'chatAndUsers=true',
      async (page) => [
        await page.getByRole('log').count(),
        await page.getByText('Nobody else is here').count(),
      ],
      [1, 1],
    ],
    [
      'rtl=true',
      (page) =>
        page
          .locator('.cm-line')
          .first()
          .evaluate((line) => getComputedStyle(line).direction),
      'rtl',
    ],
    ['lang=fr', (page) => page.getByRole('button', { name: 'Partager' }).count(), 1],
    [
      'userName=Ada%20L&userColor=%23ff0000',
      async (page) => {
        await showPeople(page);
        return page.getByLabel('Your name').inputValue();
      },
      'Ada L',
    ],
  ];
  for (const [query, look, expected] of cases) {
    test(query, () =>
      desktop(async ({ page, problems }) => {
        const name = newPadName();
        await openPad(page, name, query);
        if (/Chat=true|Users=true/.test(query)) await page.getByRole('log').waitFor();
        await expect.poll(() => look(page)).toEqual(expected);
        expect(problems).toEqual([]);
      }),
    );
  }
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

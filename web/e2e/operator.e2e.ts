// What an operator decides about the pages: colours, words, buttons, keys.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  accessibilityProblems,
  background,
  launch,
  SIZES,
  shownFromNow,
  THEMES,
} from './browser.ts';
import { dialog, fromMore, newPadName, openPad, pick, stateIs, text, write } from './padPage.ts';
import { withSettings } from './server.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

describe('pages', () => {
  test('stay light with enableDarkMode off, but for who has chosen dark', () => {
    const dark = { ...SIZES.desktop, colorScheme: 'dark' as const };
    return withSettings(
      browser,
      { enableDarkMode: false },
      async (page) => {
        await page.goto('');
        await expect.poll(() => background(page)).toBe(THEMES.light);
        await openPad(page, newPadName());
        await expect.poll(() => background(page)).toBe(THEMES.light);
        await fromMore(page, 'Settings');
        await pick(page, 'Dark');
        await expect.poll(() => background(page)).toBe(THEMES.dark);
        await page.goto('');
        await expect.poll(() => background(page)).toBe(THEMES.dark);
      },
      dark,
    );
  });

  test('forget which pads were opened with showRecentPads off', () =>
    withSettings(browser, { showRecentPads: false }, async (page) => {
      await openPad(page, newPadName());
      await page.goto('');
      await expect.poll(() => page.locator('.recent').count()).toBe(0);
      const kept = await page.evaluate(() => localStorage.getItem('padsvc:recent'));
      expect(kept).toBe(null);
    }));

  test('say what customLocaleStrings say, in each language', () => {
    const customLocaleStrings = {
      en: { 'index.newPad': 'A fresh sheet', 'pad.toolbar.bold.title': 'Fat', 'bar.undo': 'Oops' },
      de: { 'bar.undo': 'Hoppla', 'settings.title': 'Stellschrauben' },
    };
    return withSettings(browser, { customLocaleStrings }, async (page) => {
      await page.goto('');
      await page.getByRole('button', { name: 'A fresh sheet' }).waitFor();
      const pad = newPadName();
      await openPad(page, pad);
      await page.getByRole('button', { name: 'Fat', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Oops' }).waitFor();
      await openPad(page, pad, 'lang=de');
      await page.getByRole('button', { name: 'Hoppla' }).waitFor();
      await page.getByRole('button', { name: 'Mehr' }).click();
      await page.getByRole('menuitem', { name: 'Einstellungen' }).click();
      await page.getByRole('heading', { name: 'Stellschrauben' }).waitFor();
    });
  });

  test('load again by themselves after automaticReconnectionTimeout', () => {
    const settings = (filename: string) => ({
      automaticReconnectionTimeout: 1,
      dbSettings: { filename },
    });
    return withSettings(browser, settings('var/one.db'), async (page, server) => {
      await openPad(page, newPadName());
      await write(page, 'gone');
      await stateIs(page, /saved/);
      // A server that knows neither the text nor who wrote it sends everybody away.
      const notices = await shownFromNow(page, '.standing');
      const loaded = page.waitForEvent('load');
      await server.kill();
      await server.start(settings('var/two.db'));
      await loaded;
      expect(notices.join()).toContain('The page loads again in');
      await stateIs(page, /saved/);
      await expect.poll(() => text(page).innerText()).not.toContain('gone');
    });
  });
});

describe('the editor', () => {
  test('indents after what opens something, unless indentationOnNewLine is off', async () => {
    for (const [indentationOnNewLine, expected] of [
      [true, 'if (\n    a\n    b'],
      [false, 'if (\na\nb'],
    ] as const) {
      await withSettings(browser, { indentationOnNewLine }, async (page) => {
        await openPad(page, newPadName());
        await write(page, 'if (');
        for (const line of ['a', 'b']) {
          await page.keyboard.press('Enter');
          await page.keyboard.type(line);
        }
        await stateIs(page, /saved/);
        const lines = page.locator('.cm-line');
        await expect.poll(async () => (await lines.allInnerTexts()).join('\n')).toBe(expected);
      });
    }
  });

  test('leaves out the keys that padShortcutEnabled switches off', () => {
    const off = ['cmdB', 'cmdZ', 'cmdShiftL', 'cmdShiftK', 'altC', 'return'];
    const padShortcutEnabled = Object.fromEntries(off.map((name) => [name, false]));
    return withSettings(browser, { padShortcutEnabled }, async (page) => {
      await openPad(page, newPadName());
      await write(page, 'word');
      await stateIs(page, /saved/);
      await page.keyboard.press('Control+A');
      for (const key of ['B', 'Z', 'Shift+KeyL', 'Shift+KeyK']) {
        await page.keyboard.press(`Control+${key}`);
      }
      await page.keyboard.press('Alt+C');
      // One that is on, so that those before have been heard.
      await page.keyboard.press('Control+I');
      await page.locator('.cm-line .pad-italic, .cm-line em, .cm-line i').first().waitFor();
      await stateIs(page, /saved/);
      await expect.poll(() => text(page).innerText()).toBe('word');
      const pressed = (name: string) =>
        page.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
      await expect.poll(() => pressed('Bold')).toBe('false');
      await expect.poll(() => pressed('Italic')).toBe('true');
      await expect.poll(() => pressed('Bulleted list')).toBe('false');
      await expect.poll(() => page.getByRole('log').count()).toBe(0);
      await page.keyboard.press('Control+/');
      const names = dialog(page).locator('dt');
      await names.first().waitFor();
      await expect.poll(() => names.allInnerTexts()).toContain('Italic');
      expect(await names.allInnerTexts()).not.toContain('Bold');
    });
  });
});

describe('bars', () => {
  const toolbar = {
    left: [['italic', 'bold'], ['find', 'nonsense'], ['clearauthorship']],
    right: [['savedrevision', 'importexport'], ['showusers']],
    timeslider: [['timeslider_returnToPad']],
  };

  test('have the buttons that the settings name, in their order, and no other', () =>
    withSettings(browser, { toolbar }, async (page) => {
      const pad = newPadName();
      await openPad(page, pad);
      const names = (place: string) =>
        page.locator(`${place} button, ${place} a`).evaluateAll((all) =>
          all
            .filter((button) => button.checkVisibility() && !button.closest('[popover]'))
            .map((button) => {
              const heard = button.cloneNode(true) as Element;
              for (const drawn of heard.querySelectorAll('[aria-hidden=true]')) drawn.remove();
              return button.getAttribute('aria-label') ?? heard.textContent;
            }),
        );
      await expect
        .poll(() => names('.bar'))
        .toEqual(['Italic', 'Bold', 'Find and replace', 'Remove author colours…']);
      await expect.poll(() => page.locator('.bar hr').count()).toBe(2);
      await expect
        .poll(() => names('.header-right'))
        .toEqual(['Save this revision', 'Import and export', '1 person here: You', 'Chat', 'More']);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      const items = async () => {
        const texts = await page.getByRole('menuitem').allInnerTexts();
        return texts.map((item) => item.split('\n')[0]);
      };
      await expect
        .poll(items)
        .toEqual([
          expect.stringMatching('Save this revision'),
          'Import and export',
          'Copy as Markdown',
          'New pad from this one…',
          'People',
          expect.stringMatching('All commands'),
          expect.stringMatching('Keyboard shortcuts'),
          'About this connection',
          'Key for deleting…',
          'Delete this pad…',
        ]);
      await page.keyboard.press('Escape');
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.goto(`p/${pad}/timeslider`);
      await page.getByRole('link', { name: 'Return to the pad' }).waitFor();
      await page.locator('[data-revision]').waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Export this revision' }).count())
        .toBe(0);
    }));
});

// Markdown while typing, with real keys, by the table of cases.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import cases from '../../fixtures/editor/markdown.json' with { type: 'json' };
import { launch, serverUrl } from './browser.ts';
import { emptyPad, expectText, newPadName, type PadPage, paste, visitor } from './pad.ts';
import { dialog, fromMore } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const ELEMENTS: Readonly<Record<string, string>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 's',
  code: 'code',
  url: 'a.pad-link',
};

async function one(): Promise<PadPage> {
  const [visitor] = await emptyPad(browser, 1);
  if (!visitor) throw new Error('a visitor');
  return visitor;
}

async function clear({ keyboard }: Page): Promise<void> {
  await keyboard.press('Control+a');
  await keyboard.press('Delete');
  await keyboard.press('Backspace');
}

async function expectFound(page: Page, selector: string, texts: readonly string[]): Promise<void> {
  const all = page.locator(`.cm-content :is(${selector})`);
  await expect.poll(() => all.allTextContents(), { message: selector }).toEqual(texts);
}

describe('markdown while typing', () => {
  test('formats words, and one undo gives back what was typed', async () => {
    const { page, context } = await one();
    for (const { typed, text, formats } of cases.words) {
      const closing = typed.length - typed.indexOf(text) - text.length;
      const opening = formats.url ? 1 : closing;
      const before = typed.slice(0, typed.indexOf(text) - opening);
      await page.keyboard.type(typed);
      await expectText(page, before + text);
      for (const format of Object.keys(formats)) {
        await expectFound(page, ELEMENTS[format] ?? '', [text]);
      }
      if (formats.url) {
        const href = page.locator('.cm-content a.pad-link');
        expect(await href.getAttribute('href')).toBe(formats.url);
      }
      await page.keyboard.press('Control+z');
      await expectText(page, typed);
      for (const format of Object.keys(formats)) {
        await expectFound(page, ELEMENTS[format] ?? '', []);
      }
      await clear(page);
    }
    await context.close();
  });

  test('counts what was typed before the part that knows Markdown came', async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { page, context } = await visitor(
      browser,
      newPadName(),
      {},
      serverUrl(),
      async (page) => {
        await page.route(/\/late-[^/]*\.js$/, async (route) => {
          await held;
          await route.continue();
        });
      },
    );
    await page.locator('.cm-content[contenteditable=true]').click();
    const lines = [
      '# Agenda',
      '- a **bold** word',
      '3. third',
      '2 * 3 * 4',
      'a [name](example.org) x',
    ];
    for (const line of lines) {
      await page.keyboard.type(line);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.type('- last');
    await expectText(page, `${lines.join('\n')}\n- last`);
    letGo();
    await expectText(page, 'Agenda\na bold word\nthird\n2 * 3 * 4\na name x\nlast');
    await expectFound(page, 'strong', ['bold']);
    await expectFound(page, 'a.pad-link', ['name']);
    // The caret is where it was.
    await page.keyboard.type('!');
    await expectText(page, 'Agenda\na bold word\nthird\n2 * 3 * 4\na name x\nlast!');
    await context.close();
  });

  test('leaves everything else alone', async () => {
    const { page, context } = await one();
    // A blank after a mark at the start is a list.
    for (const typed of cases.nothing.filter((text) => !text.startsWith('* '))) {
      await page.keyboard.type(typed);
      await expectText(page, typed);
      await expectFound(page, 'strong, em, s, code, a', []);
      await clear(page);
    }
    await context.close();
  });

  test('goes on without the format, also inside other formats and in lists', async () => {
    const { page, context } = await one();
    await page.keyboard.type('- a **b _c_** d `e *f*` g');
    await expectText(page, 'a b c d e *f* g');
    await expectFound(page, '.pad-bullet strong', ['b ', 'c']);
    await expectFound(page, 'em', ['c']);
    await expectFound(page, 'code', ['e *f*']);
    await context.close();
  });

  test('makes lists that count from where one says', async () => {
    const { page, context } = await one();
    const { keyboard } = page;
    const numbers = () => page.locator('.pad-number .pad-marker').allTextContents();
    await keyboard.type('5. five');
    await keyboard.press('Enter');
    await keyboard.type('six');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await keyboard.type('deep');
    await expect.poll(numbers).toEqual(['5.', '6.', '1.']);
    // Also when the first of them is deleted, which is one step to undo.
    await keyboard.press('Shift+Tab');
    await keyboard.press('Control+Home');
    await keyboard.press('Control+Shift+K');
    await expectText(page, 'six\ndeep');
    await expect.poll(numbers).toEqual(['5.', '6.']);
    await keyboard.press('Control+z');
    await expectText(page, 'five\nsix\ndeep');
    await expect.poll(numbers).toEqual(['5.', '6.', '7.']);
    await clear(page);
    await keyboard.type('7. ');
    await expect.poll(numbers).toEqual(['7.']);
    await keyboard.press('Control+z');
    await expectText(page, '7. ');
    await expect.poll(numbers).toEqual([]);
    await clear(page);
    await keyboard.type('- [x] done');
    await expectFound(page, '.pad-task.pad-done', ['done']);
    await context.close();
  });

  test('makes code and rules at Enter, and nothing inside code', async () => {
    const { page, context } = await one();
    const { keyboard } = page;
    await keyboard.type('```rust');
    await keyboard.press('Enter');
    await expectText(page, '');
    await expectFound(page, '.pad-code-line', ['']);
    await keyboard.press('Control+z');
    await expectText(page, '```rust\n');
    await keyboard.press('Control+y');
    await keyboard.type('# **a** `b`');
    await keyboard.press('Enter');
    await keyboard.type('---');
    await keyboard.press('Enter');
    await expectFound(page, '.pad-code-line', ['# **a** `b`', '---', '']);
    await expectFound(page, 'strong, code, [role=separator]', []);
    await clear(page);
    await keyboard.type('---');
    await keyboard.press('Enter');
    await keyboard.type('below');
    await expectFound(page, '[role=separator]', ['']);
    await expectText(page, '\nbelow');
    await clear(page);
    await keyboard.type('---');
    await keyboard.press('Enter');
    await keyboard.press('Control+z');
    await expectText(page, '---\n');
    await context.close();
  });

  test('does nothing to what is pasted, composed or written by others', async () => {
    const [me, other] = await emptyPad(browser, 2, newPadName());
    if (!me || !other) throw new Error('two visitors');
    await paste(me.page, { 'text/plain': '**a**' });
    await expectText(me.page, '**a**');
    await clear(me.page);
    const session = await me.context.newCDPSession(me.page);
    await session.send('Input.imeSetComposition', {
      text: '*に*',
      selectionStart: 3,
      selectionEnd: 3,
    });
    await session.send('Input.insertText', { text: '*に*' });
    await expectText(me.page, '*に*');
    await me.page.keyboard.type(' **b**');
    await expectText(me.page, '*に* b');
    await expectText(other.page, '*に* b');
    await expectFound(other.page, 'strong', ['b']);
    // At the same place at once: what others write between the marks is kept.
    await clear(me.page);
    await me.page.keyboard.type('**ac');
    await expectText(other.page, '**ac');
    await other.page.keyboard.press('Control+End');
    await other.page.keyboard.press('ArrowLeft');
    await Promise.all([me.page.keyboard.type('**'), other.page.keyboard.type('b')]);
    for (const { page } of [me, other]) {
      await expect.poll(() => page.locator('.cm-content').textContent()).toContain('abc');
    }
    for (const { context } of [me, other]) await context.close();
  });

  test('can be switched off', async () => {
    const { page, context } = await one();
    await fromMore(page, /Settings/);
    await dialog(page).getByRole('switch', { name: 'Markdown while typing' }).click();
    await page.keyboard.press('Escape');
    await page.locator('.cm-content').click();
    await page.keyboard.type('# **a**');
    await page.keyboard.press('Enter');
    await page.keyboard.type('---');
    await page.keyboard.press('Enter');
    await expectText(page, '# **a**\n---\n');
    await context.close();
  });
});

// Pads as files in a browser: taken away, brought in by dialog and by drop, and refused in words.
//
// The server counts files by address: all tests together ask for fewer than it lets through.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from './api.ts';
import { accessibilityProblems, launch, SIZES, type Visit, visit } from './browser.ts';
import { expectFits, readOnlyLink } from './expectations.ts';
import { paste } from './pad.ts';
import { dialog, fromMore, newPadName, openPad, stateIs, text, titleOf, write } from './padPage.ts';
import { withSettings } from './server.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

const desktop = (act: (visit: Visit) => Promise<void>) => visit(browser, SIZES.desktop, act);
const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

async function download(page: Page, format: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog(page).getByRole('link', { name: format }).click(),
  ]);
  return readFile(await download.path());
}

async function choose(page: Page, chosen: ReturnType<typeof file>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog(page).getByRole('button', { name: 'Choose a file…' }).click(),
  ]);
  await chooser.setFiles(chosen);
}

describe('reading', () => {
  test('a pad is a page that anything can show, without scripts', () =>
    visit(browser, { ...SIZES.phone, colorScheme: 'dark' }, async ({ page, problems }) => {
      const name = newPadName();
      await openPad(page, name, 'userName=Ada');
      await write(page, 'Words to read');
      await paste(page, { 'text/html': FORMATTED });
      await text(page).getByText('not yet').waitFor();
      await stateIs(page, /saved/);
      await fromMore(page, 'Import and export');
      await dialog(page).getByRole('link', { name: 'Page to read' }).click();
      await page.getByRole('heading', { name: titleOf(name) }).waitFor();
      await page.getByText('Words to read').waitFor();
      await page.getByText('Written by Ada').waitFor();
      // Colours are those of the theme, and boxes stand in the place of bullets.
      const style = (words: string, name: string) =>
        page
          .getByText(words, { exact: true })
          .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), name);
      expect(await style('late', 'color')).toBe('rgb(255, 180, 171)');
      expect(await style('marked', 'background-color')).toBe('rgb(95, 38, 70)');
      expect(await style('not yet', 'list-style-type')).toBe('none');
      expect(await page.locator('script').count()).toBe(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      await expectFits(page);
      await page.getByRole('link', { name: 'Write in this pad' }).click();
      await text(page).getByText('Words to read').waitFor();
      expect(problems).toEqual([]);
    }));
});

const FORMATTED =
  '<p>: <mark class="highlight:pink">marked</mark>, ' +
  '<span class="color:red">late</span></p>' +
  '<ul><li><input type="checkbox">not yet</li></ul>';

describe('export', () => {
  test('gives the text as a file', () =>
    desktop(async ({ page, problems }) => {
      const name = newPadName();
      await openPad(page, name);
      await write(page, 'Words to keep');
      await stateIs(page, /saved/);
      await page.getByRole('button', { name: 'Import and export', exact: true }).click();
      expect((await download(page, 'Plain text Only the words')).toString()).toBe(
        'Words to keep\n',
      );
      expect(problems).toEqual([]);
    }));

  test('of who may only read has no import beside it', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await page.getByRole('button', { name: 'Share' }).click();
      const address = await readOnlyLink(page);
      await page.goto(address);
      await stateIs(page, /readOnly/);
      await fromMore(page, 'Export');
      await dialog(page).getByRole('link', { name: 'PDF' }).waitFor();
      await expect
        .poll(() => dialog(page).getByRole('button', { name: 'Choose a file…' }).count())
        .toBe(0);
    }));
});

describe('import', () => {
  test('asks before it replaces text, and keeps the formatting of the file', () =>
    desktop(async ({ page, problems }) => {
      await openPad(page, newPadName());
      await write(page, 'Old words');
      await stateIs(page, /saved/);
      await fromMore(page, 'Import and export');
      await dialog(page).getByText('up to 50 MB').waitFor();
      const html = '<p>New <strong>words</strong></p>';
      await choose(page, file('new.html', html));
      await dialog(page).getByText('the old text stays in the history').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await dialog(page).getByRole('button', { name: 'Cancel' }).click();
      expect(await text(page).textContent()).toContain('Old words');
      await choose(page, file('new.html', html));
      await dialog(page).getByRole('button', { name: 'Replace the text' }).click();
      await page.getByText('“new.html” was imported').first().waitFor();
      await text(page).locator('strong, b').getByText('words').waitFor();
      await expect.poll(() => text(page).textContent()).not.toContain('Old words');
      expect(problems).toEqual([]);
    }));

  test('takes a file that is dropped on the text', () =>
    desktop(async ({ page, problems }) => {
      await openPad(page, newPadName());
      await write(page, 'Old words');
      await stateIs(page, /saved/);
      const files = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['Dropped words'], 'dropped.txt'));
        return transfer;
      });
      await text(page).dispatchEvent('dragover', { dataTransfer: files });
      await page.getByText('Drop the file here to import it').waitFor();
      await text(page).dispatchEvent('drop', { dataTransfer: files });
      await dialog(page).getByRole('button', { name: 'Replace the text' }).click();
      await dialog(page).waitFor({ state: 'detached' });
      await expect.poll(() => text(page).textContent()).toBe('Dropped words');
      expect(problems).toEqual([]);
    }));

  test('says in words what is wrong with a file, and changes nothing', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await write(page, 'Words that stay');
      await stateIs(page, /saved/);
      await fromMore(page, 'Import and export');
      await choose(page, file('broken.docx', 'PK, but no archive'));
      await dialog(page).getByRole('button', { name: 'Replace the text' }).click();
      await dialog(page).getByRole('alert').getByText('cannot read this file').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await text(page).textContent()).toBe('Words that stay');
    }));

  test('refuses a wrong file before it asks anything', () =>
    desktop(async ({ page }) => {
      await openPad(page, newPadName());
      await write(page, 'Words that stay');
      await stateIs(page, /saved/);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/import')) sent.push('a file');
      });
      await fromMore(page, 'Import and export');
      const picture = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
      for (const [name, content] of [
        ['photo.png', picture],
        ['photo.txt', picture],
        ['photo.docx', picture],
        ['words.pdf', 'words'],
        ['nothing', 'words'],
      ] as const) {
        await choose(page, file('fine.txt', 'words'));
        await dialog(page).getByRole('button', { name: 'Cancel' }).click();
        await choose(page, file(name, content));
        await dialog(page).getByRole('alert').getByText('cannot read this file').waitFor();
        expect(await dialog(page).getByRole('button', { name: 'Replace' }).count()).toBe(0);
      }
      expect(sent).toEqual([]);
      expect(await text(page).textContent()).toBe('Words that stay');
    }));

  test('into a pad that is as it was made asks nothing', () =>
    withSettings(browser, { defaultPadText: 'Welcome' }, async (page) => {
      await openPad(page, newPadName());
      await text(page).getByText('Welcome').waitFor();
      await fromMore(page, 'Import and export');
      await choose(page, file('new.txt', 'New words'));
      await page.getByText('“new.txt” was imported').first().waitFor();
      await expect.poll(() => text(page).textContent()).toBe('New words');
    }));

  test('of a whole pad replaces a short history after a question, and no long one', () =>
    desktop(async ({ page }) => {
      const long = newPadName();
      await openPad(page, long);
      await write(page, 'Words that move');
      await stateIs(page, /saved/);
      await fromMore(page, 'Import and export');
      const whole = file('whole.etherpad', await download(page, 'Whole pad'));
      const bring = async () => {
        await choose(page, whole);
        await dialog(page).getByRole('button', { name: 'Replace the text' }).click();
      };
      for (let i = 0; i < 10; i++) await call('appendText', { padID: long, text: `${i}` });
      await text(page).getByText('0123456789').waitFor();
      await bring();
      await dialog(page).getByText('fewer than ten revisions').waitFor();
      await openPad(page, newPadName());
      await write(page, 'Words that go');
      await stateIs(page, /saved/);
      await fromMore(page, 'Import and export');
      await choose(page, whole);
      await dialog(page).getByText('takes the place of the text and the history').waitFor();
      await Promise.all([
        page.waitForEvent('load'),
        dialog(page).getByRole('button', { name: 'Replace the text' }).click(),
      ]);
      await stateIs(page, /saved/);
      await expect.poll(() => text(page).textContent()).toBe('Words that move');
    }));
});

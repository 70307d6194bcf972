// The settings in the admin area: the form, the file, and another start of the service.

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import arabic from '../src/admin/settings/texts/ar.json';
import german from '../src/admin/settings/texts/de.json';
import arabicPages from '../src/admin/texts/ar.json';
import germanPages from '../src/admin/texts/de.json';
import { openAdmin } from './admin.ts';
import { accessibilityProblems, launch, SIZES, shownFromNow, visit } from './browser.ts';
import { expectFits } from './expectations.ts';
import { OwnServer } from './server.ts';

const FILE = `{
  // What we are called.
  "title": "School pads", // short
  "cookie": { "sameSite": "None" },
  "loglevel": "\${OUR_LEVEL:WARN}",
  "users": {
    // Ours.
    "root": { "password": "the key to it", "is_admin": true }
  },
  "mail": {
    "host": "mail.example",
    "auth": { "user": "pads", "pass": "a long secret" }
  }
}
`;

let browser: Browser;
let server: OwnServer;

beforeAll(async () => {
  browser = await launch();
});

afterEach(() => server.end());

afterAll(() => browser?.close());

async function open(page: Page): Promise<void> {
  server = await OwnServer.start(FILE);
  await openAdmin(page, `${server.url}admin/settings`);
  await page.locator('.settings[data-settled=true]').waitFor();
}

const row = (page: Page, key: string): Locator => page.locator(`[data-key="${key}"]`);
const field = (page: Page, key: string): Locator =>
  row(page, key).getByLabel(key).and(page.locator('input, select, textarea'));

// Opens the review, once the server has found the changes good.
async function review(page: Page): Promise<void> {
  const bar = page.locator('.settings-bar[data-fresh=true]');
  await bar.getByRole('button', { name: 'Review and save…', disabled: false }).click();
  await page.locator('.difference').waitFor();
}

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).click();
  await page.getByText('settings.json.before').waitFor();
}

async function close(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('the form', () => {
  test('has a field of its kind for each setting, is searched, and tells no secret', () =>
    visit(browser, SIZES.desktop, async ({ page, problems }) => {
      await open(page);
      await expect.poll(() => field(page, 'title').inputValue()).toBe('School pads');
      await expect.poll(() => field(page, 'requireSession').getAttribute('role')).toBe('switch');
      await expect.poll(() => field(page, 'mail.port').getAttribute('max')).toBe('65535');
      const databases = field(page, 'dbType').locator('option');
      await expect.poll(() => databases.allTextContents()).toEqual(['padsvc', 'postgres']);
      await expect.poll(() => field(page, 'cookie.sameSite').inputValue()).toBe('none');
      await expect.poll(() => field(page, 'mail.auth.pass').inputValue()).toBe('');
      await row(page, 'mail.auth.pass').getByText('A secret is set.').waitFor();
      await expect
        .poll(() => field(page, 'users').inputValue())
        .toContain('"password": "(hidden)"');
      const form = await page.locator('.settings-form').innerHTML();
      expect(form).not.toContain('the key to it');
      expect(form).not.toContain('a long secret');
      await page.getByRole('link', { name: 'Mail' }).click();
      await expect.poll(() => row(page, 'adminEmail').isVisible()).toBe(true);
      await page.getByLabel('Search in the settings').fill('keepRevisions');
      await row(page, 'title').waitFor({ state: 'detached' });
      await row(page, 'cleanup.keepRevisions').getByText('Default: 100 ·').waitFor();
      expect(problems).toEqual([]);
    }));

  const languages = {
    de: { ...german, pages: germanPages },
    ar: { ...arabic, pages: arabicPages },
  };
  for (const [locale, texts] of Object.entries(languages)) {
    test(`says in ${locale} what the settings are called and mean`, () =>
      visit(browser, { ...SIZES.phone, locale }, async ({ page }) => {
        await open(page);
        await page.getByRole('heading', { name: texts.sections.Mail, exact: true }).waitFor();
        const { label, help } = texts.settings['mail.from'];
        await row(page, 'mail.from').getByText(label, { exact: true }).waitFor();
        await row(page, 'mail.from').getByText(help, { exact: true }).waitFor();
        await field(page, 'mail.port').fill('70000');
        const refused = texts.pages['form.refused'].replace('{allowed}', '1 – 65535');
        await row(page, 'mail.port').getByRole('alert').getByText(refused).waitFor();
        await expectFits(page);
        expect(await accessibilityProblems(page)).toEqual([]);
      }));
  }

  test('changes the file and nothing else in it', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await field(page, 'title').fill('Our pads');
      await field(page, 'requireSession').click();
      await field(page, 'mail.port').fill('70000');
      await row(page, 'mail.port').getByText('must be a whole number from 1 to 65535').waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Review and save…' }).isDisabled())
        .toBe(true);
      await field(page, 'mail.port').fill('');
      await field(page, 'mail.port').pressSequentially('25');
      await page.getByText('3 changes').waitFor();
      // Back as it was is no change.
      await field(page, 'editOnly').click();
      await field(page, 'editOnly').click();
      await row(page, 'requireSession').getByRole('button', { name: 'Undo' }).click();
      await row(page, 'mail.host').getByRole('button', { name: 'Back to the default' }).click();
      await expect.poll(() => field(page, 'mail.host').inputValue()).toBe('');
      await page.getByText('3 changes').waitFor();
      await review(page);
      expect(await accessibilityProblems(page)).toEqual([]);
      await save(page);
      await close(page);
      await page.getByText('These settings of the file count after the next start').waitFor();
      expect(await server.read('settings.json.before')).toBe(FILE);
      expect(await server.read('settings.json')).toBe(
        FILE.replace('School', 'Our')
          .replace('    "host": "mail.example",\n', '')
          .replace('secret" }', 'secret" },\n    "port": 25'),
      );
    }));

  test('shows what the environment decides, and a value can be written instead', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      process.env.EP__maxTextLength = '5000';
      await open(page);
      delete process.env.EP__maxTextLength;
      await expect.poll(() => field(page, 'maxTextLength').isDisabled()).toBe(true);
      await row(page, 'maxTextLength').getByText('EP__maxTextLength decides this').waitFor();
      await row(page, 'port').getByText('--port decides this').waitFor();
      const level = row(page, 'loglevel');
      await expect.poll(() => level.locator('.chip').textContent()).toMatch(/OUR_LEVEL\}"WARN"$/);
      await level.getByRole('button', { name: 'Write a value instead' }).click();
      await field(page, 'loglevel').selectOption('ERROR');
      await review(page);
      await page.locator('.difference ins', { hasText: '"loglevel": "ERROR"' }).waitFor();
    }));

  test('shows what is locked to the file, and does not offer to change it', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      for (const key of ['soffice', 'dbType', 'admin.lockedSettings']) {
        await expect.poll(() => field(page, key).isDisabled()).toBe(true);
        await row(page, key).getByText('locked to the file').waitFor();
      }
      await expect.poll(() => field(page, 'title').isDisabled()).toBe(false);
    }));

  test('keeps secrets that are not typed again', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      const users = await field(page, 'users').inputValue();
      await field(page, 'users').fill(users.replace('true', 'true,'));
      await row(page, 'users').getByText('This is not JSON yet').waitFor();
      const ada = '"ada": { "password": "for ada", "readOnly": true }';
      await field(page, 'users').fill(users.replace(/\}\s*\}$/, `}, ${ada} }`));
      await field(page, 'mail.auth.pass').fill('another secret');
      await page.getByText('2 changes').waitFor();
      await review(page);
      await save(page);
      const text = await server.read('settings.json');
      expect(text).toContain('// Ours.\n    "root": { "password": "the key to it"');
      expect(text).toContain('"password": "for ada"');
      expect(text).toContain('"pass": "another secret"');
    }));

  for (const [size, options] of Object.entries(SIZES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`${size}, ${colorScheme}: every tab fits and is accessible`, () =>
        visit(browser, { ...options, colorScheme }, async ({ page }) => {
          await open(page);
          for (const tab of ['Form', 'Settings file', 'Values in force']) {
            await page.getByRole('tab', { name: tab }).click();
            await page.locator('.tab-panel .setting, .tab-panel textarea').first().waitFor();
            await expectFits(page, tab);
            expect(await accessibilityProblems(page), tab).toEqual([]);
          }
        }));
    }
  }
});

describe('the file', () => {
  test('is checked by line, compared and saved, with comments and a copy of before', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await page.getByRole('tab', { name: 'Settings file' }).click();
      const file = page.getByRole('textbox', { name: 'Settings file' });
      const masked = FILE.replace('the key to it', '(hidden)').replace('a long secret', '(hidden)');
      await expect.poll(() => file.inputValue()).toBe(masked);
      await file.fill(masked.replace('"mail.example"', '7'));
      await page.getByRole('button', { name: 'Go to line 11' }).click();
      const chosen = () =>
        file.evaluate((area: HTMLTextAreaElement) =>
          area.value.slice(area.selectionStart, area.selectionEnd),
        );
      await expect.poll(chosen).toBe('    "host": 7,');
      const button = page.getByRole('button', { name: 'Review and save…' });
      await expect.poll(() => button.isDisabled()).toBe(true);
      const change = (text: string): string =>
        text.replace('School', 'Our').replace('// short', '// Said by us.');
      await file.fill(change(masked));
      await page.locator('button:enabled', { hasText: 'Review and save…' }).click();
      await page.locator('.difference ins', { hasText: 'Said by us.' }).waitFor();
      await save(page);
      await close(page);
      expect(await server.read('settings.json')).toBe(change(FILE));
    }));

  test('that cannot be read is not shown, since secrets may be anywhere in it', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await server.write('settings.json', FILE.replace('"mail": {', '"mail" {'));
      await page.reload();
      await page.getByText('The file cannot be read, so it is not shown').waitFor();
      await page.getByText('this is not valid JSON').waitFor();
      expect(await page.content()).not.toContain('a long secret');
      expect(await accessibilityProblems(page)).toEqual([]);
    }));

  test('that somebody else has changed meanwhile is not written over', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await field(page, 'title').fill('Our pads');
      await review(page);
      // The verdict reads the file, which must not be half written then.
      const save = page.getByRole('button', { name: 'Save', exact: true, disabled: false });
      await save.waitFor();
      const other = FILE.replace('School', 'Their');
      await server.write('settings.json', other);
      await save.click();
      await page.getByText('the file has been changed meanwhile').waitFor();
      expect(await server.read('settings.json')).toBe(other);
    }));
});

describe('another start', () => {
  test('is asked for after saving, and the new values are in force', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await field(page, 'title').fill('Our pads');
      await review(page);
      await save(page);
      expect(await accessibilityProblems(page)).toEqual([]);
      const stages = await shownFromNow(page, '.restart [role=status]');
      await page.getByRole('button', { name: 'Restart now' }).click();
      await page.getByText('The service is back, with the new settings.').waitFor();
      expect(stages).toContain('Restarting…');
      // The login outlasts the restart.
      await page.getByRole('link', { name: 'Reload this page' }).click();
      await expect.poll(() => page.locator('.admin-name').textContent()).toBe('Our pads');
      await page.locator('.settings[data-settled=true]').waitFor();
      await expect.poll(() => page.getByText('count after the next start').count()).toBe(0);
    }));

  test('does not happen with settings that cannot be used', () =>
    visit(browser, SIZES.desktop, async ({ page }) => {
      await open(page);
      await server.write('settings.json', '{ "port": "many" }');
      await page.getByRole('tab', { name: 'Values in force' }).click();
      await page.getByRole('button', { name: 'Restart now' }).click();
      await page.getByText('with these settings the service would not start').waitFor();
      await page.getByRole('button', { name: 'Restart now' }).waitFor();
    }));
});

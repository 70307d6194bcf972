// What plugins add to the pad page, and what those that fail cannot do to it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES, visit } from './browser.ts';
import { fromMore, newPadName, openPad, stateIs, text, write } from './padPage.ts';
import { PagePlugins, type TestPlugin } from './pagePlugins.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
});

// A plugin of one function.
const plugin = (name: string, setup: string, more: Partial<TestPlugin> = {}): TestPlugin => ({
  name,
  client: `import { definePlugin, element, version } from "padsvc";
    export default definePlugin((page) => { ${setup} });`,
  ...more,
});

async function withPlugins(
  plugins: readonly TestPlugin[],
  act: (page: Page, added: PagePlugins, problems: readonly string[]) => Promise<void>,
  size: (typeof SIZES)[keyof typeof SIZES] = SIZES.desktop,
): Promise<void> {
  await visit(browser, size, async ({ page, problems }) => {
    const added = await PagePlugins.add(page, plugins);
    await openPad(page, newPadName());
    await act(page, added, problems);
  });
}

const EVERYTHING = plugin(
  'all-parts',
  `page.addCommand({
      id: "count", label: page.text("count"), sign: "Σ", keys: "Ctrl+Alt+J", inToolbar: true, inMenu: true,
      run: () => page.notify(page.text("words", { count: page.pad.words() })),
    });
    page.addPanel({ id: "panel", label: page.text("panel"), render: (place) => {
      const list = element("ul");
      const draw = () => list.replaceChildren(...page.pad.people().map(({ name }) => element("li", {}, name ?? "?")));
      draw();
      place.append(element("p", {}, page.pad.id), list);
      return () => page.notify("panel closed");
    } });
    page.addStatus({ id: "status", render: (place) => {
      const draw = () => place.replaceChildren(version + " " + page.vars.greeting + " " + page.pad.text().trim());
      draw();
      return page.pad.onChange(draw);
    } });
    page.addSettings({ id: "settings", label: "Own settings", render: (place) => {
      place.append(element("label", {}, ["Own choice ", element("input", { type: "checkbox" })]));
    } });`,
  {
    texts: {
      en: {
        count: 'Count words',
        panel: 'Own panel',
        words: '{count, plural, one {# word} other {# words}}',
      },
      de: { count: 'Wörter zählen', panel: 'Eigene Tafel' },
    },
    style: '.plugin-part { text-decoration: underline; }',
    vars: { greeting: 'hello' },
  },
);

describe('plugins in the page', () => {
  test('add commands, a panel, a status and settings', () =>
    withPlugins([EVERYTHING], async (page, added, problems) => {
      await write(page, 'three little words');
      await page.locator('.status-line').getByText('1.0.0 hello three little words').waitFor();

      await page.getByRole('toolbar').first().getByRole('button', { name: 'Count words' }).click();
      await page.getByText('3 words').first().waitFor();
      await page.keyboard.press('Control+Alt+J');
      await fromMore(page, 'Count words');
      await page.keyboard.press('Control+Shift+P');
      await page.locator('[role=combobox]:focus').waitFor();
      await page.keyboard.type('count wo');
      await page.getByRole('option', { name: /Count words/ }).waitFor();
      await page.keyboard.press('Escape');
      await fromMore(page, 'Keyboard shortcuts');
      const row = page.getByRole('dialog').locator('dl > div', { hasText: 'Count words' });
      await expect.poll(() => row.locator('kbd').allTextContents()).toEqual(['Ctrl', 'Alt', 'J']);
      await page.keyboard.press('Escape');

      await fromMore(page, 'People');
      await page.getByRole('tab', { name: 'Own panel' }).click();
      await page.getByRole('tabpanel').getByRole('listitem').waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.getByRole('tab', { name: /People/ }).click();
      // On the screen and for screen readers.
      await page.getByText('panel closed').first().waitFor();

      await fromMore(page, 'Settings');
      await page.getByRole('checkbox', { name: 'Own choice' }).check();
      await page.keyboard.press('Escape');
      const line = page.locator('.status-line .plugin-part');
      await expect
        .poll(() => line.evaluate((part) => getComputedStyle(part).textDecorationLine))
        .toBe('underline');
      expect(added.reports).toEqual([]);
      expect(problems).toEqual([]);
    }));

  test('speak the language of the page, and start again with another', () =>
    withPlugins([EVERYTHING], async (page) => {
      const bar = page.getByRole('toolbar').first();
      await bar.getByRole('button', { name: 'Count words' }).waitFor();
      await fromMore(page, 'Settings');
      await page.getByLabel('Language').selectOption('de');
      await bar.getByRole('button', { name: 'Wörter zählen' }).waitFor();
      expect(await bar.getByRole('button', { name: 'Count words' }).count()).toBe(0);
      expect(await page.locator('.status-line .plugin-part').count()).toBe(1);
    }));

  test('come, change and go while the pad is open', () =>
    withPlugins([], async (page, added) => {
      const one = plugin('one', 'page.addStatus({ id: "s", render: (it) => it.append("one") })');
      const two = (version: string) =>
        plugin(
          'two',
          `page.addStatus({ id: "s", render: (it) => it.append(page.plugin.version) });
           page.addPanel({ id: "p", label: "Panel of two", render: () => {} }).open();`,
          { version },
        );
      const parts = page.locator('.status-line .plugin-part');
      // Nothing of this is in a page without plugins.
      expect(added.asked).toEqual([]);
      added.change([one, two('1.0.0')]);
      await parts.getByText('1.0.0').waitFor();
      await parts.getByText('one').waitFor();
      await page.getByRole('tab', { name: 'Panel of two' }).waitFor();
      added.change([one, two('1.1.0')]);
      await parts.getByText('1.1.0').waitFor();
      expect(await parts.count()).toBe(2);
      added.change([one]);
      await parts.getByText('1.1.0').waitFor({ state: 'detached' });
      expect(await parts.allTextContents()).toEqual(['one']);
      expect(await page.getByRole('tab', { name: 'Panel of two' }).count()).toBe(0);
      // What has not changed was fetched once.
      expect(added.asked.filter((path) => path.startsWith('one/')).length).toBe(1);
      await write(page, 'still here');
      await stateIs(page, /saved/);
    }));

  test('mark text and lines with attributes of their own', () => {
    const attributes = [
      { key: 'spoiler', kind: 'inline', values: ['true'], element: 'span' },
      { key: 'callout', kind: 'line', values: ['tip', 'note'], element: 'aside' },
    ];
    const marks = plugin(
      'marks',
      `const toggle = (key, value) => page.pad.setAttribute(key, page.pad.attribute(key) === value ? null : value);
       page.addCommand({ id: "spoiler", label: "Spoiler", inToolbar: true,
         isOn: () => page.pad.attribute("spoiler") === "true", run: () => toggle("spoiler", "true") });
       page.addCommand({ id: "tip", label: "Tip", inToolbar: true, run: () => toggle("callout", "tip") });
       page.addCommand({ id: "wrong", label: "Wrong", inToolbar: true, run: () => page.pad.setAttribute("bold", "true") });`,
      {
        attributes,
        style: '.plugin-spoiler { background: black; } .plugin-callout-tip { color: green; }',
      },
    );
    return withPlugins([marks], async (page, added) => {
      await write(page, 'one two');
      await page.keyboard.press('Shift+Control+ArrowLeft');
      const tool = (name: string) =>
        page.getByRole('toolbar').first().getByRole('button', { name });
      await tool('Spoiler').click();
      const spoiler = page.locator('.cm-content .plugin-spoiler.plugin-spoiler-true');
      expect(await spoiler.innerText()).toBe('two');
      expect(await tool('Spoiler').getAttribute('aria-pressed')).toBe('true');
      await tool('Tip').click();
      const line = page.locator('.cm-line.plugin-callout-tip');
      await line.waitFor();
      await tool('Wrong').click();
      await expect.poll(() => added.reports.length).toBe(1);
      expect(added.reports[0]).toContain('declares no attribute bold');
      await stateIs(page, /saved/);
      // In the pad, not only in the page.
      await page.reload();
      await stateIs(page, /saved/);
      await line.waitFor();
      expect(await spoiler.innerText()).toBe('two');
      expect(await line.innerText()).toBe('one two');
      // One step to undo.
      await text(page).click();
      await page.keyboard.press('Control+A');
      await tool('Tip').click();
      await line.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+Z');
      await line.waitFor();
      // Without the plugin the text is the same, and looks like any other.
      added.change([]);
      await line.waitFor({ state: 'detached' });
      expect(await text(page).innerText()).toContain('one two');
    });
  });

  test('that fail are reported, and stop nobody from typing', () =>
    withPlugins(
      [
        { name: 'broken-syntax', client: 'this is no script' },
        { name: 'no-export', client: 'export const nothing = 1;' },
        plugin(
          'throws-at-once',
          'page.addStatus({ id: "s", render() {} }); throw new Error("at once");',
        ),
        plugin('throws-later', 'setTimeout(() => { throw new Error("later"); });'),
        plugin('rejects', 'Promise.reject(new Error("rejected"));'),
        plugin(
          'bad-render',
          'page.addStatus({ id: "s", render() { throw new Error("in render"); } });',
        ),
        plugin('bad-change', 'page.pad.onChange(() => { throw new Error("in a change"); });'),
        plugin('bad-id', 'page.addStatus({ id: "<b>", render() {} });'),
        plugin('bad-element', 'element("a", { href: " JavaScript:alert(1)" });'),
        plugin(
          'bad-state',
          `page.addCommand({ id: "c", label: "<img src=x onerror=alert(1)>", inToolbar: true,
          isOn() { throw new Error("is it on"); }, run() {} });`,
        ),
        plugin(
          'flood',
          'page.pad.onChange(() => {}); for (let i = 0; i < 100; i++) setTimeout(() => { throw new Error("flood"); });',
        ),
        plugin('good', 'page.addStatus({ id: "s", render: (place) => place.append("good") });'),
      ],
      async (page, added) => {
        await page.locator('.status-line').getByText('good').waitFor();
        await write(page, 'typing goes on');
        await stateIs(page, /saved/);
        expect(await text(page).innerText()).toContain('typing goes on');
        const expected: readonly (readonly [string, string])[] = [
          ['broken-syntax', ''],
          ['no-export', 'client.js has no default export'],
          ['throws-at-once', 'at once (at'],
          ['throws-later', 'later'],
          ['rejects', 'rejected'],
          ['bad-render', 'in render'],
          ['bad-change', 'in a change'],
          ['bad-id', '<b> is no id'],
          ['bad-element', 'a script is no address'],
          ['bad-state', 'is it on'],
        ];
        for (const [name, message] of expected) {
          await expect
            .poll(
              () => added.reports.some((it) => it.startsWith(`${name}: `) && it.includes(message)),
              {
                timeout: 60_000,
                message: `${name}\n${added.reports.join('\n')}`,
              },
            )
            .toBe(true);
        }
        expect(added.reports.filter((it) => it.startsWith('flood')).length).toBeLessThanOrEqual(5);
        // What one had added before it failed has gone with it.
        const owners = page.locator('.status-line .plugin-part');
        const names = await owners.evaluateAll((all) =>
          all.map((it) => (it as HTMLElement).dataset.plugin),
        );
        expect(names).toEqual(['bad-render', 'good']);
        // A label is text.
        await page.getByRole('button', { name: '<img src=x onerror=alert(1)>' }).waitFor();
        expect(await page.locator('img[src=x]').count()).toBe(0);
      },
    ));
});

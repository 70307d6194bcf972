// What people do to a text, each in a way of their own: one table for all tests of features.

import type { Page } from 'playwright-core';
import { dialog } from './padPage.ts';

export interface Feature {
  readonly name: string;
  // What it is done to, in place of a line of words.
  readonly html?: string;
  // Of how many pieces of the text such an attribute is part afterwards.
  readonly kept: RegExp;
  readonly count?: number;
  // Shown to who did it.
  readonly shows: string;
  // Steps that are undone one by one, if it takes more than one.
  readonly steps?: number;
  use(page: Page, person: number): Promise<void>;
}

const START = '<p>alpha beta</p><p>gamma</p>';

export const startOf = ({ html }: Feature) => html ?? START;

// The first word is selected.
async function selectWord(page: Page): Promise<void> {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  for (const _ of 'alpha') await page.keyboard.press('Shift+ArrowRight');
}

async function toStart(page: Page): Promise<void> {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
}

export async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+Shift+P');
  await page.locator('[role=combobox]:focus').waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option', { selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
}

const ofWord = (words: readonly [string, string]) => async (page: Page, person: number) => {
  await selectWord(page);
  await command(page, words[person] as string);
};

const ofLine = (words: readonly [string, string]) => async (page: Page, person: number) => {
  await toStart(page);
  await command(page, words[person] as string);
};

const typed = (words: readonly [string, string]) => async (page: Page, person: number) => {
  await toStart(page);
  await page.keyboard.type(words[person] as string);
};

export const FEATURES: readonly Feature[] = [
  {
    name: 'link',
    kept: /url=https:\/\/(?:one|two)\.example/,
    shows: '.pad-link',
    async use(page, person) {
      await selectWord(page);
      await page.keyboard.press('Control+k');
      const address = ['https://one.example', 'https://two.example'][person] as string;
      await dialog(page).getByLabel('Address').fill(address);
      await page.keyboard.press('Enter');
      await dialog(page).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'highlighting',
    kept: /highlight=(?:yellow|pink)/,
    shows: '.pad-mark',
    use: ofWord(['highlight yellow', 'highlight pink']),
  },
  {
    name: 'colour',
    kept: /color=(?:red|blue)/,
    shows: '.pad-ink',
    use: ofWord(['color red', 'color blue']),
  },
  {
    name: 'font',
    kept: /font-family=(?:serif|monospace)/,
    shows: '.cm-content [class*=pad-font]',
    use: ofWord(['font serif', 'font monospace']),
  },
  {
    name: 'size',
    kept: /font-size=(?:12|28)/,
    shows: '.cm-content [class*=pad-size]',
    use: ofWord(['size small', 'size x-large']),
  },
  { name: 'code', kept: /code=true/, shows: '.cm-content code', use: ofWord(['code', 'code']) },
  {
    name: 'sub- and superscript',
    kept: /su[bp]=true/,
    shows: '.cm-content :is(sub, sup)',
    use: ofWord(['subscript', 'superscript']),
  },
  {
    name: 'check list',
    kept: /tasklist-not-done/,
    shows: '.pad-task',
    use: ofLine(['tasklist', 'tasklist']),
  },
  {
    name: 'ticking',
    html: '<ul><li>[ ] alpha beta</li></ul><p>gamma</p>',
    kept: /tasklist-done/,
    shows: '.pad-task [aria-checked=true], .pad-task :checked',
    async use(page) {
      await toStart(page);
      await page.keyboard.press('Control+Enter');
    },
  },
  {
    name: 'heading',
    kept: /heading=h[25]/,
    shows: '[role=heading]',
    use: ofLine(['heading2', 'heading5']),
  },
  { name: 'quote', kept: /quote=true/, shows: '.pad-quote', use: ofLine(['quote', 'quote']) },
  {
    name: 'code block',
    kept: /heading=code/,
    shows: '.pad-code-line',
    use: ofLine(['codeblock', 'codeblock']),
  },
  {
    name: 'language of code',
    html: '<pre><code>let alpha = 1;\nlet beta;</code></pre><p>gamma</p>',
    kept: /lang=(?:rust|python)/,
    shows: '.pad-code-line',
    async use(page, person) {
      const label = ['Rust', 'Python'][person] as string;
      await page.getByRole('combobox', { name: 'Language' }).selectOption({ label });
    },
  },
  {
    name: 'alignment',
    kept: /align=(?:center|right)/,
    shows: '.pad-align-center, .pad-align-right',
    use: ofLine(['align center', 'align right']),
  },
  {
    name: 'rule',
    kept: /hr=true/,
    count: 2,
    shows: '.pad-rule',
    use: ofLine(['horizontal', 'horizontal']),
  },
  {
    name: 'list that starts where one says',
    kept: /list=number1 start=[57]/,
    shows: '.pad-number',
    steps: 2,
    use: typed(['5. ', '7. ']),
  },
  {
    name: 'mention',
    kept: /mention=a\.\w+/,
    count: 2,
    shows: '.pad-mention',
    steps: 2,
    async use(page, person) {
      await toStart(page);
      await page.keyboard.type(['@tw', '@on'][person] as string);
      await page.locator('#pad-suggest [role=option]').first().waitFor();
      await page.keyboard.press('Enter');
    },
  },
  {
    name: 'moving a section',
    html: '<h1>alpha</h1><p>beta</p><h1>gamma</h1><p>delta</p><h1>end</h1><p>last</p>',
    kept: /heading=h1/,
    count: 3,
    shows: '.outline-link',
    async use(page, person) {
      const outline = page.getByRole('navigation', { name: 'Headings' });
      if (!(await outline.isVisible())) {
        await page.getByRole('button', { name: 'Outline', exact: true }).click();
      }
      const heading = ['alpha', 'gamma'][person] as string;
      await page.locator('.outline-link', { hasText: heading }).focus();
      await page.keyboard.press('Alt+ArrowDown');
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Control+End');
    },
  },
];

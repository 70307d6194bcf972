// Other people in the text: what they have selected, going along with them, who wrote what, and
// what they said while nobody looked.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityProblems, launch, SIZES } from './browser.ts';
import { emptyPad, expectText, newPadName, openPad, type PadPage, paste, visitor } from './pad.ts';
import { showPeople, stateIs } from './padPage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser?.close());

async function two(pad = newPadName()): Promise<[PadPage, PadPage]> {
  const [one, other] = await emptyPad(browser, 2, pad);
  if (!one || !other) throw new Error('two visitors');
  return [one, other];
}

async function rename(page: Page, name: string): Promise<void> {
  await showPeople(page);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Your name').press('Enter');
}

// The letters under the boxes of what somebody else has selected, row by row.
function lettersSelected(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.pad-selection > div')].map((element) => {
      const box = element.getBoundingClientRect();
      const y = (box.top + box.bottom) / 2;
      const first = document.caretPositionFromPoint(box.left + 1, y);
      const last = document.caretPositionFromPoint(box.right - 1, y);
      if (!first || !last) return '';
      const range = document.createRange();
      range.setStart(first.offsetNode, first.offset);
      range.setEnd(last.offsetNode, last.offset);
      return range.toString();
    }),
  );
}

const isVisible = (page: Page, words: string) =>
  page.evaluate((words) => {
    const frame = document.querySelector('.cm-scroller')?.getBoundingClientRect();
    const lines = [...document.querySelectorAll('.cm-line')];
    const line = lines.find((each) => each.textContent === words)?.getBoundingClientRect();
    return !!frame && !!line && line.top >= frame.top && line.bottom <= frame.bottom;
  }, words);

const LINES = Array.from({ length: 120 }, (_, index) => `line ${index + 1}`);

// A text longer than the window, both at its top.
async function longPad(): Promise<[PadPage, PadPage]> {
  const [one, other] = await two();
  await rename(one.page, 'Ada');
  await one.page.locator('.cm-content').click();
  await one.page.keyboard.insertText(LINES.join('\n'));
  await one.page.keyboard.press('Control+Home');
  await other.page.keyboard.press('Control+Home');
  await expect.poll(() => isVisible(other.page, 'line 1')).toBe(true);
  await expect.poll(() => other.page.locator('.pad-cursor').count()).toBe(1);
  return [one, other];
}

const bar = (page: Page) => page.locator('.follow-bar');

async function followAda(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Follow Ada' });
  await showPeople(page);
  await button.click();
  await bar(page).getByText('Following Ada').waitFor();
}

describe('a name', () => {
  test('that is too long is neither taken nor cut, and says how long it may be', async () => {
    const [one, other] = await two();
    await showPeople(one.page);
    await one.page.getByLabel('Your name').focus();
    await one.page.keyboard.insertText('n'.repeat(81));
    await one.page.keyboard.press('Enter');
    await one.page.getByText('Too long. At most 80 characters.').waitFor();
    expect(await one.page.getByLabel('Your name').inputValue()).toHaveLength(81);
    expect(await accessibilityProblems(one.page)).toEqual([]);
    await one.page.keyboard.press('Backspace');
    await one.page.keyboard.press('Enter');
    await showPeople(other.page);
    const names = () => other.page.locator('.people .person-name').allTextContents();
    await expect.poll(names).toEqual(['n'.repeat(80)]);
  });
});

describe('colours', () => {
  test('of guests differ, have names, and stay away from those of people who wrote', async () => {
    const all = await emptyPad(browser, 5);
    const [first, ...others] = all as [PadPage, ...PadPage[]];
    const name = async ({ page }: PadPage) => {
      await showPeople(page);
      const chosen = page.locator('.colours input:checked');
      expect(await chosen.count()).toBe(1);
      return (await chosen.getAttribute('aria-label')) ?? '';
    };
    const names: string[] = [];
    for (const one of all) names.push(await name(one));
    expect(new Set(names).size, names.join()).toBe(5);
    const colours = await first.page
      .locator('.people .avatar')
      .evaluateAll((rounds) => rounds.map((round) => getComputedStyle(round).backgroundColor));
    expect(new Set(colours).size, colours.join()).toBe(5);
    expect(await accessibilityProblems(first.page)).toEqual([]);

    // Those who wrote have gone, and who comes next does not look like them.
    for (const { page, context } of others) {
      await page.locator('.cm-content').click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type('mine ');
      await stateIs(page, /saved/);
      await context.close();
    }
    const pad = new URL(first.page.url()).pathname.split('/').pop() ?? '';
    for (let more = 0; more < 3; more++) names.push(await name(await visitor(browser, pad)));
    expect(new Set(names).size, names.join()).toBe(8);
  });
});

// Of each line: how many colours its stripe has, and at which side it stands.
const stripes = (page: Page) =>
  page.locator('.cm-line').evaluateAll((lines) =>
    lines.map((line) => {
      const { backgroundImage, backgroundPositionX } = getComputedStyle(line);
      const colours = new Set(backgroundImage.match(/oklch\([^)]*\)/g));
      const side = backgroundPositionX.startsWith('calc(100% - ') ? 'right' : 'left';
      return colours.size === 0 ? '' : `${colours.size} ${side}`;
    }),
  );

// How far each line's stripe is from the edge of the sheet.
const stripesAt = (page: Page) =>
  page.locator('.cm-line.pad-by').evaluateAll((lines) =>
    lines.map((line) => {
      const { left } = line.getBoundingClientRect();
      const sheet = line.closest('.cm-content')?.getBoundingClientRect().left ?? 0;
      const before = getComputedStyle(line, '::before');
      // A box has it beside itself, which is seen from its padding.
      const at =
        before.content === 'none'
          ? Number.parseFloat(getComputedStyle(line).backgroundPositionX.replace('calc(0% + ', ''))
          : line.clientLeft + Number.parseFloat(before.left);
      return Math.round(left + at - sheet);
    }),
  );

const underlined = (page: Page) =>
  page.locator('.pad-new').evaluateAll((parts) =>
    parts.map((part) => {
      const own = part.querySelector('.pad-author') ?? part;
      return getComputedStyle(own).boxShadow === 'none' ? '' : part.textContent;
    }),
  );

describe('who wrote what', () => {
  test('is a stripe beside the line, in two colours for two people', async () => {
    const [one, other] = await two();
    await one.page.keyboard.type('mine');
    await one.page.keyboard.press('Enter');
    await one.page.keyboard.press('Enter');
    await one.page.keyboard.type('ours: ');
    await one.page.keyboard.press('Enter');
    await one.page.keyboard.type('שלום');
    await expectText(other.page, 'mine\n\nours: \nשלום');
    await other.page.locator('.cm-line', { hasText: 'ours:' }).click();
    await other.page.keyboard.press('End');
    await other.page.keyboard.type('too');
    await expectText(one.page, 'mine\n\nours: too\nשלום');
    for (const { page } of [one, other]) {
      await expect.poll(() => stripes(page)).toEqual(['1 left', '', '2 left', '1 right']);
    }
    // The text itself has no colour.
    const ground = await one.page
      .locator('.pad-author')
      .first()
      .evaluate((part) => getComputedStyle(part).backgroundColor);
    expect(ground).toBe('rgba(0, 0, 0, 0)');
  });

  test('is at one place beside text, quotes and code', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('one visitor');
    const html = '<p>text</p><ul><li>item</li></ul><blockquote>quote</blockquote><pre>code</pre>';
    await paste(one.page, { 'text/html': html });
    await expectText(one.page, 'text\nitem\nquote\ncode');
    for (const size of [SIZES.desktop, SIZES.phone]) {
      if (size.viewport) await one.page.setViewportSize(size.viewport);
      await expect
        .poll(async () => {
          const places = await stripesAt(one.page);
          return [places.length, new Set(places).size];
        })
        .toEqual([4, 1]);
    }
  });

  test('has the same letters at the top and in the list of people', async () => {
    const [one, other] = await two();
    await rename(one.page, 'Ada Lovelace');
    await showPeople(other.page);
    for (const place of ['.header .avatars', '.person']) {
      await other.page.locator(`${place} .avatar`, { hasText: /^AL$/ }).waitFor();
    }
  });

  test('is said in letters where there are no colours', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    await rename(one?.page as Page, 'Ada Lovelace');
    await one?.page.locator('.cm-content').click();
    await one?.page.keyboard.type('one');
    await one?.page.keyboard.press('Enter');
    await one?.page.keyboard.type('two');
    const { page } = await visitor(browser, pad, { forcedColors: 'active' });
    await expectText(page, 'one\ntwo');
    const labels = () =>
      page
        .locator('.cm-line')
        .evaluateAll((lines) => lines.map((line) => getComputedStyle(line, '::before').content));
    await expect.poll(labels).toEqual(['"AL" / ""', 'none']);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test('and what is new since the last visit is underlined, once', async () => {
    const pad = newPadName();
    const [one, other] = await two(pad);
    await one.page.keyboard.type('old words');
    await expectText(other.page, 'old words');
    await stateIs(one.page, /saved/);
    await one.page.goto('about:blank');
    await other.page.keyboard.press('Control+End');
    await other.page.keyboard.type(' and new ones');
    await stateIs(other.page, /saved/);
    await openPad(one.page, pad);
    await expect.poll(() => underlined(one.page)).toEqual([' and new ones']);
    // It moves with the text.
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.press('Control+Home');
    await one.page.keyboard.type('My ');
    await expectText(one.page, 'My old words and new ones');
    await expect.poll(() => underlined(one.page)).toEqual([' and new ones']);
    await stateIs(one.page, /saved/);
    await one.page.reload();
    await stateIs(one.page, /saved/);
    await expectText(one.page, 'My old words and new ones');
    await one.page.keyboard.press('Control+End');
    await one.page.keyboard.type('.');
    await stateIs(one.page, /saved/);
    expect(await underlined(one.page)).toEqual([]);
  });
});

describe('selections', () => {
  test('are shown to others, move with the text, and end', async () => {
    const [one, other] = await two();
    await one.page.keyboard.type('abc def ghi');
    await expectText(other.page, 'abc def ghi');
    for (let i = 0; i < 4; i++) await one.page.keyboard.press('ArrowLeft');
    for (let i = 0; i < 3; i++) await one.page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => lettersSelected(other.page)).toEqual(['def']);
    await other.page.keyboard.press('Control+Home');
    await other.page.keyboard.type('xx ');
    await expect.poll(() => lettersSelected(other.page)).toEqual(['def']);
    // Both at the same place at once: what is typed into a selection becomes part of it.
    for (let i = 0; i < 5; i++) await other.page.keyboard.press('ArrowRight');
    await other.page.keyboard.type('--');
    await expectText(one.page, 'xx abc d--ef ghi');
    await expect.poll(() => lettersSelected(other.page)).toEqual(['d--ef']);
    await one.page.keyboard.press('ArrowRight');
    await expect.poll(() => lettersSelected(other.page)).toEqual([]);
    for (const { context } of [one, other]) await context.close();
  });

  test('over several lines are a box for each, and go with their author', async () => {
    const [one, other] = await two();
    await one.page.keyboard.insertText('first\n\nthird');
    await expectText(other.page, 'first\n\nthird');
    await one.page.keyboard.press('Control+a');
    await expect.poll(() => lettersSelected(other.page)).toEqual(['first', '', 'third']);
    await one.context.close();
    await expect.poll(() => other.page.locator('.pad-selection').count()).toBe(0);
    await other.context.close();
  });

  test('show a name where the mouse is over them, and clicks go to the text', async () => {
    const [one, other] = await two();
    await rename(one.page, 'Ada');
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.type('abc def');
    await one.page.keyboard.press('Control+a');
    await expect.poll(() => lettersSelected(other.page)).toEqual(['abc def']);
    const named = other.page.locator('.pad-cursor[data-hover]');
    await other.page.locator('.pad-selection > div').hover({ force: true });
    await expect.poll(() => named.getAttribute('data-name')).toBe('Ada');
    const shown = () => named.evaluate((caret) => getComputedStyle(caret, '::after').opacity);
    await expect.poll(shown).toBe('1');
    await other.page.mouse.down();
    await other.page.mouse.up();
    await other.page.keyboard.press('Home');
    await other.page.keyboard.type('!');
    await expectText(one.page, '!abc def');
    await other.page.mouse.move(500, 600);
    await expect.poll(() => named.count()).toBe(0);
    for (const { context } of [one, other]) await context.close();
  });
});

describe('following', () => {
  test('goes along with somebody until one scrolls', async () => {
    const [one, other] = await longPad();
    await followAda(other.page);
    await one.page.keyboard.press('Control+End');
    await expect.poll(() => isVisible(other.page, 'line 120')).toBe(true);
    await one.page.keyboard.press('Control+Home');
    await expect.poll(() => isVisible(other.page, 'line 1')).toBe(true);
    const heard = other.page.locator('#announcer');
    await other.page.locator('.cm-scroller').hover();
    await other.page.mouse.wheel(0, 50);
    await bar(other.page).waitFor({ state: 'detached' });
    await expect.poll(() => heard.textContent()).toContain('No longer following Ada');
    await one.page.keyboard.press('Control+End');
    await other.page.getByText('line 120', { exact: true }).waitFor();
    expect(await isVisible(other.page, 'line 120')).toBe(false);
    for (const { context } of [one, other]) await context.close();
  });

  const ENDS: Record<string, (page: Page) => Promise<void>> = {
    'Stop following': (page) => bar(page).getByRole('button').click(),
    Escape: (page) => page.keyboard.press('Escape'),
    typing: async (page) => {
      await page.locator('.cm-content').focus();
      await page.keyboard.type('x');
    },
    'the button again': (page) => page.getByRole('button', { name: 'Follow Ada' }).click(),
  };
  test('ends by a button, Escape and typing', async () => {
    const [one, other] = await longPad();
    await one.page.keyboard.press('Control+End');
    for (const [name, end] of Object.entries(ENDS)) {
      await followAda(other.page);
      await end(other.page);
      await bar(other.page).waitFor({ state: 'detached' });
      const pressed = other.page.getByRole('button', { name: 'Follow Ada', pressed: false });
      await pressed.waitFor();
      expect(await pressed.count(), name).toBe(1);
    }
    for (const { context } of [one, other]) await context.close();
  });

  test('says so when they leave, and is accessible', async () => {
    const pad = newPadName();
    const [one] = await emptyPad(browser, 1, pad);
    if (!one) throw new Error('a visitor');
    await rename(one.page, 'Ada');
    const { page, context } = await visitor(browser, pad, { ...SIZES.phone, colorScheme: 'dark' });
    await followAda(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    await one.context.close();
    await page
      .locator('.toast')
      .getByText('Ada has left, so you are no longer following them')
      .waitFor();
    await bar(page).waitFor({ state: 'detached' });
    await context.close();
  });
});

describe('who wrote this', () => {
  test('is under a mouse that rests, with the time, and can be switched off', async () => {
    const [one, other] = await two();
    await rename(one.page, 'Ada');
    await one.page.locator('.cm-content').click();
    await one.page.keyboard.type('written by one');
    await stateIs(one.page, /saved/);
    await expectText(other.page, 'written by one');
    const tip = other.page.locator('.writer-tip');
    const rest = async () => {
      const box = await other.page.locator('.cm-line .pad-author').first().boundingBox();
      if (!box) throw new Error('a line');
      await other.page.mouse.move(box.x + 20, box.y + box.height / 2);
    };
    await rest();
    await expect.poll(() => tip.textContent()).toMatch(/^Ada · now$/);
    await other.page.mouse.move(500, 600);
    await expect.poll(() => tip.isVisible()).toBe(false);
    // By keys, where the caret is.
    await other.page.locator('.cm-content').click();
    await other.page.keyboard.press('Control+Shift+Digit2');
    await other.page.locator('.toast').getByText('Written by Ada, now').waitFor();
    await other.page.keyboard.type(' and two');
    await stateIs(other.page, /saved/);
    await other.page.keyboard.press('Control+Shift+Digit2');
    await other.page.locator('.toast').getByText('Written by You, now').waitFor();
    await other.page.evaluate(() =>
      localStorage.setItem('padsvc:prefs', JSON.stringify({ whoWrote: false })),
    );
    await other.page.reload();
    await expectText(other.page, 'written by one and two');
    await stateIs(other.page, /saved/);
    const shown: boolean[] = [];
    await rest();
    await other.page.keyboard.press('Control+Shift+Digit2');
    await other.page.locator('.toast').waitFor();
    shown.push(await tip.isVisible());
    expect(shown).toEqual([false]);
    for (const { context } of [one, other]) await context.close();
  });
});

describe('the title of the tab', () => {
  test('counts messages while nobody looks', async () => {
    const [one, other] = await two();
    const title = await other.page.title();
    const look = (hidden: boolean) =>
      other.page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    const say = async (words: string) => {
      await one.page.getByLabel('Message', { exact: true }).fill(words);
      await one.page.keyboard.press('Enter');
    };
    await one.page.keyboard.press('Alt+KeyC');
    await look(true);
    await say('hello');
    await expect.poll(() => other.page.title()).toBe(`(1) ${title}`);
    await say('anybody?');
    await expect.poll(() => other.page.title()).toBe(`(2) ${title}`);
    await look(false);
    await expect.poll(() => other.page.title()).toBe(title);
    await say('there you are');
    await other.page.getByRole('button', { name: 'Chat, 3 unread messages' }).waitFor();
    expect(await other.page.title()).toBe(title);
    for (const { context } of [one, other]) await context.close();
  });
});

// Pictures of every page and dialog, for the documentation and to be looked at.
//
//   PADSVC_URL=http://127.0.0.1:9001 npm run screenshots [-- NAME…]
//
// Invariant: the same scene each time, at 1280x800 and 390x844, light and dark, with two people in
// the pad, on a server of one's own: the pad it writes to is left behind.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launch, SIZES, serverUrl } from '../e2e/browser.ts';
import { paste } from '../e2e/pad.ts';
import { fromMore, openPad } from '../e2e/padPage.ts';
import { DOCUMENT_HTML } from './document.ts';
import { isKept, LOOKS, takePicture } from './pictures.ts';

const PAD = 'weekly-meeting';
const DOCUMENT = 'launch-plan';

type Scene = (page: Page) => Promise<void>;

// Of a panel the phone has to be asked for.
const openPanel = async (page: Page, name: 'Chat' | 'People'): Promise<void> => {
  const label = name === 'Chat' ? /^Chat/ : /people here/;
  const tab = page.getByRole('tab', { name });
  if (await tab.isVisible()) await tab.click();
  else await page.getByRole('button', { name: label }).click();
  await tab.waitFor();
};

const SCENES: Record<string, Scene> = {
  pad: async () => {},
  chat: (page) => openPanel(page, 'Chat'),
  people: (page) => openPanel(page, 'People'),
  share: (page) => page.getByRole('button', { name: 'Share' }).click(),
  settings: (page) => fromMore(page, 'Settings'),
  files: (page) => fromMore(page, /^Import/),
  find: async (page) => {
    await page.getByRole('button', { name: 'Find and replace' }).click();
    await page.getByRole('textbox', { name: 'Find' }).fill('the');
  },
  link: async (page) => {
    await page.locator('.pad-link').click();
    await page.locator('.pad-link-card a').waitFor();
  },
  shortcuts: (page) => fromMore(page, 'Keyboard shortcuts'),
  connection: (page) => fromMore(page, 'About this connection'),
  delete: (page) => fromMore(page, 'Delete this pad'),
  menu: (page) => page.getByRole('button', { name: 'More', exact: true }).click(),
};

// Pages that are at an address of their own, and what is there when they are.
const PAGES: Record<string, readonly [address: string, ready: string]> = {
  arabic: [`p/${PAD}?lang=ar&userName=Lin`, '[data-state=saved]'],
  history: [`p/${PAD}/timeslider`, '[data-revision]'],
  compare: [`p/${PAD}/timeslider#20..60`, '.cm-content ins'],
  read: [`p/${PAD}/read`, 'main'],
  'sign-in': ['sign-in', 'input[type=password]'],
  'api-docs': ['api-docs', 'h1'],
};

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...options, baseURL: serverUrl() });
  return context.newPage();
}

const wanted = process.argv.slice(2);
const isTaken = (name: string, look: string): boolean =>
  isKept(name, look) && (wanted.length === 0 || wanted.includes(name));

async function picture(page: Page, name: string, look: string): Promise<void> {
  if (!isTaken(name, look)) return;
  // Tips are not what is shown.
  await page.mouse.move(640, 600);
  await takePicture(page, name, look);
}

async function list(page: Page, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Enter');
}

async function heading(page: Page, words: string, level: number): Promise<void> {
  await page.keyboard.type(words);
  await page.getByRole('button', { name: /^Kind of text/ }).click();
  await page.getByRole('menuitemradio', { name: `Heading ${level}` }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Kind of text/ }).click();
  await page.getByRole('menuitemradio', { name: 'Normal text' }).click();
}

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel('Message', { exact: true }).fill(words);
  await page.keyboard.press('Enter');
}

// What the other has written is there.
const sees = (page: Page, words: string) =>
  page.locator('.cm-content', { hasText: words }).waitFor();

// Two people and some text; the second one stays.
async function populate(ada: Page, grace: Page): Promise<void> {
  await openPad(ada, PAD, 'userName=Ada%20Lovelace&userColor=%237dd3fc');
  await heading(ada, 'Weekly meeting', 1);
  await ada.keyboard.type('Present: Ada, Grace, Lin, Sam. ');
  await openPad(grace, PAD, 'userName=Grace%20Hopper&userColor=%23fca5a5');
  await grace.locator('.cm-content').click();
  await grace.keyboard.press('Control+End');
  await grace.keyboard.type('Apologies from Noor.');
  await grace.keyboard.press('Enter');
  await grace.keyboard.press('Enter');
  await heading(grace, 'Decisions', 2);
  await list(grace, ['1. Ship the history view before the mobile toolbar', 'Keep typing offline']);
  await sees(ada, 'Keep typing offline');
  await ada.locator('.cm-content').click();
  await ada.keyboard.press('Control+End');
  await heading(ada, 'To do', 2);
  await list(ada, ['- Import: convert documents on the server', 'Check with the 200 KB sample']);
  await ada.keyboard.type('Notes so far are rough; please add your own below. ');
  await sees(grace, 'your own below.');
  await grace.keyboard.press('Control+End');
  await grace.keyboard.press('Enter');
  await grace.keyboard.press('Enter');
  await grace.keyboard.type('More about it: https://example.org/minutes');
  await openPanel(ada, 'Chat');
  await say(ada, 'Hi, I started the agenda above.');
  await openPanel(grace, 'Chat');
  await say(grace, 'Looks good – can we move item 2 up? See https://example.org/minutes');
  await say(ada, 'Done. Also added numbers.');
}

// A document that two people have made; one of them stays in it.
async function writeDocument(lin: Page, sam: Page): Promise<void> {
  await openPad(lin, DOCUMENT, 'userName=Lin&userColor=%2386efac');
  await paste(lin, { 'text/html': DOCUMENT_HTML });
  await sees(lin, 'before you come');
  await lin.locator('.identity h1').getByRole('button').click();
  await lin.getByRole('textbox', { name: 'Title of this pad' }).fill('The reading room');
  await lin.keyboard.press('Enter');
  await openPad(sam, DOCUMENT, 'userName=Sam&userColor=%23fcd34d');
  await sees(sam, 'until the railing');
  await sam.getByText('Sign for the entrance').click();
  await sam.keyboard.press('End');
  await sam.keyboard.type(' (with opening hours)');
  await sam.keyboard.press('Shift+Home');
  await sees(lin, 'with opening hours');
}

const browser = await launch();
try {
  const ada = await newPage(browser, SIZES.desktop);
  const grace = await newPage(browser, SIZES.desktop);
  await populate(ada, grace);
  const [lin, sam] = [await newPage(browser, SIZES.desktop), await newPage(browser, SIZES.desktop)];
  await writeDocument(lin, sam);
  for (const [look, options] of Object.entries(LOOKS)) {
    const page = await newPage(browser, options);
    await page.goto('');
    await page.evaluate(() => {
      const people = [
        { name: 'Grace Hopper', colour: '#f9a8d4' },
        { name: 'Lin', colour: '#86efac' },
        { name: 'Sam', colour: '#fdba74' },
      ];
      // Relative to now, so that the pictures say the same every time.
      const hours = (count: number) => Date.now() - count * 3_600_000;
      const pads = [
        { id: 'weekly-meeting', title: 'Weekly meeting', time: hours(2), people },
        { id: 'shopping', title: 'Shopping list', time: hours(5), people: people.slice(1, 2) },
        { id: 'ideas', title: 'Ideas for the garden', time: hours(90), pinned: true },
        { id: 'tour', title: 'Tour in the mountains: who brings what', time: hours(200), people },
        { id: 'talk', title: 'Notes for the talk', time: hours(400) },
        {
          id: 'letter',
          title: 'Letter to the council',
          time: hours(900),
          people: people.slice(0, 2),
        },
      ];
      localStorage.setItem('padsvc:recent', JSON.stringify(pads));
    });
    await page.reload();
    await page.locator('.status[data-state=up]').waitFor();
    await picture(page, 'home', look);
    await page.getByRole('button', { name: 'New pad' }).click();
    await page.locator('[data-state=saved]').waitFor();
    await picture(page, 'new-pad', look);
    for (const [name, open] of Object.entries(SCENES)) {
      if (!isTaken(name, look)) continue;
      await openPad(page, PAD, 'userName=Lin&userColor=%2386efac');
      await page.locator('.status-line', { hasText: 'words' }).waitFor({ state: 'attached' });
      await open(page);
      await picture(page, name, look);
    }
    await openPad(page, DOCUMENT, 'userName=Noor&userColor=%23c4b5fd');
    await sees(page, 'until the railing');
    await picture(page, 'document', look);
    const tools = page.getByRole('button', { name: 'More tools' });
    if (await tools.isVisible()) await tools.click();
    await page.getByRole('button', { name: 'Outline', exact: true }).click();
    await page.getByRole('navigation', { name: 'Headings of this pad' }).waitFor();
    await picture(page, 'outline', look);
    for (const [name, [address, ready]] of Object.entries(PAGES)) {
      if (!isTaken(name, look)) continue;
      await page.goto(address);
      await page.locator(ready).first().waitFor();
      await picture(page, name, look);
    }
    await page.context().close();
  }
} finally {
  await browser.close();
}

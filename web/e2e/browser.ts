// The browser of the tests, and pages in it that remember everything that went wrong.
//
// Invariant: nothing is downloaded. The browser is the system's, or the one named by CHROMIUM. The
// headless shell is Chromium without windows: the same engine for half of the processor time.

import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  // 1280 px at 400 % zoom, the smallest width a page has to work at.
  narrow: { viewport: { width: 320, height: 256 } },
} satisfies Record<string, BrowserContextOptions>;

// The page's colour in each theme.
export const THEMES = { light: 'rgb(246, 247, 249)', dark: 'rgb(20, 23, 28)' };

export function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
  return chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE_MS });
}

// Somebody with a browser of their own.
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

export function serverUrl(): string {
  const url = process.env.PADSVC_URL;
  if (!url) throw new Error('PADSVC_URL has to name a running server');
  return url.endsWith('/') ? url : `${url}/`;
}

export interface Visit {
  page: Page;
  // Everything the browser complained about: errors, refused loads, broken policies.
  problems: string[];
}

// Runs a test on a page of its own, with the server's address as base of all links.
export async function visit(
  browser: Browser,
  options: BrowserContextOptions,
  test: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await newContext(browser, { ...options, baseURL: serverUrl() });
  try {
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('requestfailed', (request) => {
      // What a page still waited for when it was left is no problem of the page.
      if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
      problems.push(`not loaded: ${request.url()}`);
    });
    await test({ page, problems });
  } finally {
    await context.close();
  }
}

export function background(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

// The texts of what has come to be shown here, in this page and the next ones of its window. For
// what goes by itself: on a busy machine it has gone when a test looks for it.
export async function shownFromNow(page: Page, selector: string): Promise<string[]> {
  const texts: string[] = [];
  const report = `shown${Math.random().toString(36).slice(2)}`;
  await page.exposeFunction(report, (text: string) => texts.push(text));
  const watch = ([selector, report]: readonly [string, string]) => {
    let before: string[] = [];
    const look = () => {
      const now = [...document.querySelectorAll(selector)].map((found) => found.textContent ?? '');
      const tell = (globalThis as unknown as Record<string, (text: string) => void>)[report];
      for (const text of now) if (!before.includes(text)) tell?.(text);
      before = now;
    };
    const what = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document, what);
  };
  await page.addInitScript(watch, [selector, report] as const);
  await page.evaluate(watch, [selector, report] as const);
  return texts;
}

// Until nothing fades or moves in. What is cancelled is over, too.
export async function animationsDone(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  );
}

// What axe finds, as readable lines; none for an accessible page.
export function accessibilityProblems(page: Page): Promise<string[]> {
  return problemsBy(page, RULES);
}

// Names of controls that lack words which are seen on them: one cannot be chosen by speaking these.
// Apart from the rest, because axe takes letters that are no words for words.
export function labelMismatches(page: Page): Promise<string[]> {
  return problemsBy(page, ['label-content-name-mismatch']);
}

async function problemsBy(page: Page, rules: string[]): Promise<string[]> {
  // Evaluated instead of added as a script element, which the policy of the page forbids.
  await page.evaluate(axe.source);
  // What is still fading in has other colours.
  await animationsDone(page);
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run({ runOnly: rules })).violations;
  }, rules);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} (${node.html})`),
  );
}

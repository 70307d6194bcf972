// The browser of the tests, and pages in it that remember everything that went wrong.
//
// Invariant: nothing is downloaded. The browser is the system's, or the one named by CHROMIUM.

import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  return chromium.launch({ executablePath, args: FLAGS });
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
  const context = await browser.newContext({ ...options, baseURL: serverUrl() });
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

// How the page came out: its colour, and by how much it is too wide for its window.
export function look(page: Page): Promise<{ background: string; overflow: number }> {
  return page.evaluate(() => ({
    background: getComputedStyle(document.documentElement).backgroundColor,
    overflow: document.documentElement.scrollWidth - innerWidth,
  }));
}

// Until nothing fades or moves in. What is cancelled is over, too.
export async function animationsDone(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  );
}

// What axe finds, as readable lines; none for an accessible page.
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated instead of added as a script element, which the policy of the page forbids.
  await page.evaluate(axe.source);
  // What is still fading in has other colours.
  await animationsDone(page);
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    return (await axe.run({ runOnly: rules })).violations;
  }, RULES);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help} (${node.html})`),
  );
}

// How quickly the history page opens on a long history and jumps in it.
//
// Invariant: a jump is over when the page shows the text of the revision it went to, and the frame
// after that is painted.

import type { Browser, Page } from 'playwright-core';
import { SIZES, serverUrl } from '../e2e/browser.ts';

const OPENINGS = 5;
const JUMPS = 40;

export interface HistoryFigures {
  revisions: number;
  openMs: number[];
  jumpMs: number[];
}

// A jump to a revision, measured inside of the page.
function jump(page: Page, revision: number): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const look = (): void => {
          const shown = document.querySelector('[data-revision]')?.getAttribute('data-revision');
          if (shown === String(wanted)) resolve(performance.now() - start);
          else requestAnimationFrame(look);
        };
        location.hash = `#${wanted}`;
        requestAnimationFrame(look);
      }),
    revision,
  );
}

// Anywhere, but in every run the same.
function* revisions(newest: number): Generator<number> {
  let state = 7;
  while (true) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state % newest;
  }
}

export async function measureHistory(browser: Browser, name: string): Promise<HistoryFigures> {
  const openMs: number[] = [];
  const jumpMs: number[] = [];
  let newest = 0;
  for (let round = 0; round < OPENINGS; round += 1) {
    const context = await browser.newContext(SIZES.desktop);
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(`${serverUrl()}p/${name}/timeslider#999999999`, { waitUntil: 'commit' });
    const shown = page.locator('[data-revision]');
    await shown.waitFor();
    openMs.push(performance.now() - start);
    newest = Number(await shown.getAttribute('data-revision'));
    if (round === OPENINGS - 1) {
      const places = revisions(newest);
      for (let count = 0; count < JUMPS; count += 1) {
        jumpMs.push(await jump(page, places.next().value ?? 0));
      }
    }
    await context.close();
  }
  return { revisions: newest, openMs, jumpMs };
}

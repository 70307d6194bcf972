// Nothing moves while a pad opens, whether it is new or old, and while one begins to write.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from './api.ts';
import { launch, SIZES, visit } from './browser.ts';
import { newPadName, openPad, stateIs, text } from './padPage.ts';
import { vitalsOf, watchVitals } from './vitals.ts';

let browser: Browser;
let old: string;

beforeAll(async () => {
  browser = await launch();
  old = newPadName();
  const paragraph = `${'Many words that somebody wrote a while ago. '.repeat(12)}\n`;
  await call('createPad', { padID: old, text: paragraph.repeat(10) });
  await visit(browser, SIZES.desktop, async ({ page }) => {
    await openPad(page, old, 'userName=Ada');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# Heading');
    await stateIs(page, /saved/);
  });
});

afterAll(() => browser?.close());

// Google calls 0.1 good.
const MOST = 0.02;

describe('layout shift', () => {
  for (const size of ['desktop', 'phone'] as const) {
    for (const kind of ['new', 'old'] as const) {
      test(`${size}: nothing moves while a pad opens that is ${kind}`, () =>
        visit(browser, SIZES[size], async ({ page }) => {
          await watchVitals(page);
          // On a slow device parts come one by one.
          const client = await page.context().newCDPSession(page);
          await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
          await openPad(page, kind === 'new' ? newPadName() : old);
          // Everything that comes late has come.
          await page.waitForLoadState('networkidle');
          await text(page).click();
          await page.keyboard.type('words');
          await stateIs(page, /saved/);
          const { layoutShift, moved, firstPaintMs } = await vitalsOf(page);
          expect(firstPaintMs).toBeGreaterThan(0);
          expect(layoutShift, moved.join('\n')).toBeLessThan(MOST);
        }));
    }
  }
});

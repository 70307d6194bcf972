// What a page shows of itself while it opens and is used: first paint, layout shift, and how long
// events take until they are painted.

import type { Page } from 'playwright-core';

export interface Vitals {
  firstPaintMs: number;
  // Sum of what moved without anybody having done something.
  layoutShift: number;
  // What moved, for people who look for the cause.
  moved: string[];
  // The slowest event, of clicks and keys.
  interactionMs: number;
  // The longest time in which the page could answer nothing; 0 if none was over 50 ms.
  longestTaskMs: number;
}

// Has to be in the page from its start.
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: readonly { node: Node | null }[];
    }
    const vitals = {
      firstPaintMs: 0,
      layoutShift: 0,
      moved: [] as string[],
      interactionMs: 0,
      longestTaskMs: 0,
    };
    Object.assign(window, { vitals });
    const watch = (type: string, see: (entry: PerformanceEntry) => void, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
        type,
        buffered: true,
        ...more,
      });
    watch('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') vitals.firstPaintMs = startTime;
    });
    watch('layout-shift', (entry) => {
      const { value, hadRecentInput, sources } = entry as Shift;
      if (hadRecentInput) return;
      vitals.layoutShift += value;
      const names = sources.map(({ node }) => (node instanceof Element ? node.className : '?'));
      vitals.moved.push(`${value.toFixed(4)} ${names.join(', ')}`);
    });
    watch('longtask', ({ duration }) => {
      vitals.longestTaskMs = Math.max(vitals.longestTaskMs, duration);
    });
    watch(
      'event',
      (entry) => {
        const { interactionId = 0 } = entry as PerformanceEventTiming & { interactionId?: number };
        if (interactionId > 0)
          vitals.interactionMs = Math.max(vitals.interactionMs, entry.duration);
      },
      { durationThreshold: 16 },
    );
  });
}

export function vitalsOf(page: Page): Promise<Vitals> {
  return page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
}

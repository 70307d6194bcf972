// What pictures of the overview show over time: working days of a busy service, made up.
//
// Invariant: the same numbers each time, so that pictures of two states can be compared.

import type { Page } from 'playwright-core';
import type { Name, Overview, Series } from '../src/admin/dashboard/series.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
// What the numbers take for now: the afternoon of a Thursday.
const THEN = Date.UTC(2026, 4, 14, 15);

const SPANS: Readonly<Record<string, { length: number; width: number }>> = {
  hour: { length: HOUR_MS, width: MINUTE_MS / 2 },
  day: { length: DAY_MS, width: HOUR_MS / 4 },
  week: { length: 7 * DAY_MS, width: 2 * HOUR_MS },
  quarter: { length: 90 * DAY_MS, width: DAY_MS },
};

// From a share of the people that there can be, and how far back it is.
const NUMBERS: Readonly<Record<Name, (share: number, age: number) => number>> = {
  people: (share) => Math.round(4 + 180 * share),
  connections: (share) => Math.round(6 + 215 * share),
  changes: (share) => 0.3 + 46 * share,
  storedP50: (share) => 0.9 + 1.2 * share,
  storedP95: (share) => 2.1 + 9 * share * share,
  deliveredP50: (share) => 1.2 + 1.6 * share,
  deliveredP95: (share) => 3 + 14 * share * share,
  calls: (share) => 1 + 22 * share,
  errors: (share) => (share > 0.9 ? 0.4 : 0),
  memory: (share) => 62e6 + 48e6 * share,
  storage: (_, age) => 4.1e9 - (age / DAY_MS) * 11e6,
  freeDisk: (_, age) => 58e9 + (age / DAY_MS) * 11e6,
};

export async function showActivity(page: Page): Promise<void> {
  await page.route('**/admin/api/series?*', (route) => {
    const span = new URL(route.request().url()).searchParams.get('span') ?? '';
    return route.fulfill({ json: series(span) });
  });
  await page.route('**/admin/api/overview', (route) => route.fulfill({ json: overview() }));
}

function overview(): Overview {
  const sizes = [61e6, 38e6, 22e6, 17e6, 9e6];
  const largest = sizes.map((bytes, at) => ({
    id: `pad-${`${at * 7_919 + 11}`.padStart(6, '0')}`,
    bytes,
  }));
  return {
    health: [],
    weeks: [
      { people: 71.4, changes: 6_204_118, calls: 2_981_344, errors: 212, storedP95: 7.6 },
      { people: 64.9, changes: 5_730_871, calls: 2_702_960, errors: 455, storedP95: 8.1 },
    ],
    storage: {
      freeDisk: 58e9,
      bytesPerDay: 11e6,
      daysLeft: 5_272,
      pads: { at: Date.now(), texts: 0.9e9, history: 2.9e9, chat: 0.2e9, largest },
    },
  };
}

function series(span: string): Series {
  const { length, width } = SPANS[span] ?? { length: HOUR_MS, width: MINUTE_MS };
  const now = Math.floor(Date.now() / width) * width;
  const from = now - length;
  const times = Array.from({ length: length / width }, (_, at) => from + at * width);
  const line = (name: Name) =>
    times.map((time) => NUMBERS[name](share(THEN + time - now, width), now - time));
  const names = Object.keys(NUMBERS) as Name[];
  const lines = Object.fromEntries(names.map((name) => [name, line(name)]));
  return { from, width, series: lines as Record<Name, number[]> };
}

// Of all people: most of them write by day, and not at weekends.
function share(time: number, width: number): number {
  const days = time / DAY_MS;
  const noise = 0.5 + 0.5 * Math.sin(days * 7_919) * Math.cos(days * 104_729);
  const weekday = (Math.floor(days) + 4) % 7;
  const week = weekday === 0 || weekday === 6 ? 0.2 : 1;
  const hour = (days % 1) * 24;
  const day = width >= DAY_MS ? 0.7 : Math.exp(-(((hour - 13) / 4.5) ** 2));
  return week * day * (0.85 + 0.15 * noise);
}

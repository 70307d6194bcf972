// The list of periods keeps up with a pad that people write in, and asks for it seldom.

import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Periods } from '../src/history/periods.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('what is new is asked for a few times in a while, and not once nobody looks', () => {
  const head = signal(3);
  let asked = 0;
  const periods = new Periods(() => asked++);
  const answer = () =>
    periods.answered({
      periods: [{ first: 0, last: head.peek(), began: 0, ended: 1 }],
      next: null,
    });
  periods.joined();
  answer();
  const stop = periods.follow(head);
  vi.advanceTimersByTime(60_000);
  expect(asked).toBe(1);

  // Ten revisions in a second, for a minute.
  for (let tick = 0; tick < 600; tick++) {
    const before = asked;
    head.value += 1;
    vi.advanceTimersByTime(100);
    if (asked > before) answer();
  }
  expect(asked).toBeGreaterThan(10);
  expect(asked).toBeLessThanOrEqual(14);
  vi.advanceTimersByTime(10_000);
  answer();
  expect(periods.list.value[0]?.last).toBe(head.value);

  stop();
  const before = asked;
  head.value += 1;
  vi.advanceTimersByTime(60_000);
  expect(asked).toBe(before);
});

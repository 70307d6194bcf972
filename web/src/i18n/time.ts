// Times as people say them, in the language of the interface.

import { language } from './text.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

// "now", "5 minutes ago", "yesterday"; after a week the date.
export function relativeTime(time: number, now: number): string {
  const seconds = Math.round((time - now) / 1000);
  const words = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const past = Math.abs(seconds);
  if (past < MINUTE) return words.format(0, 'second');
  if (past < HOUR) return words.format(Math.trunc(seconds / MINUTE), 'minute');
  if (past < DAY) return words.format(Math.trunc(seconds / HOUR), 'hour');
  if (past < 7 * DAY) return words.format(Math.trunc(seconds / DAY), 'day');
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(time);
}

export function absoluteTime(time: number): string {
  const style = { dateStyle: 'full', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(language(), style).format(time);
}

// "10:12 – 10:48", and once if that is the same.
export function timeRange(from: number, to: number): string {
  const format = new Intl.DateTimeFormat(language(), { timeStyle: 'short' });
  return format.formatRange(from, Math.max(from, to));
}

export function dayName(time: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'full' }).format(time);
}

export function clockTime(time: number): string {
  return new Intl.DateTimeFormat(language(), { timeStyle: 'short' }).format(time);
}

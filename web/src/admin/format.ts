// Numbers as people read them, in the language of the page.

import { language } from '../i18n/text.ts';

export function count(number: number): string {
  return new Intl.NumberFormat(language()).format(number);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function bytes(number: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(number, 1)) / 3), UNITS.length - 1);
  const unit = UNITS[power] ?? 'byte';
  const value = number / 1000 ** power;
  return new Intl.NumberFormat(language(), {
    style: 'unit',
    unit,
    unitDisplay: power > 0 ? 'short' : 'long',
    maximumFractionDigits: power > 0 && value < 100 ? 1 : 0,
  }).format(value);
}

export function days(number: number): string {
  const style = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language(), style).format(number);
}

export function milliseconds(number: number): string {
  return new Intl.NumberFormat(language(), {
    style: 'unit',
    unit: 'millisecond',
    maximumSignificantDigits: 2,
  }).format(number);
}

const DAY = 24 * 60 * 60;
const HOUR = 60 * 60;
const MINUTE = 60;

// The two largest parts: "3 days 4 hr".
export function duration(seconds: number): string {
  const part = (number: number, unit: string): string =>
    new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'short' }).format(number);
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (days > 0) return `${part(days, 'day')} ${part(hours, 'hour')}`;
  if (hours > 0) return `${part(hours, 'hour')} ${part(minutes, 'minute')}`;
  if (minutes > 0)
    return `${part(minutes, 'minute')} ${part(Math.floor(seconds % MINUTE), 'second')}`;
  return part(Math.max(0, Math.floor(seconds)), 'second');
}

export function percent(share: number): string {
  return new Intl.NumberFormat(language(), { style: 'percent' }).format(share);
}

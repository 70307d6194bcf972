// How long ago something was, in words: "2 hours ago", "yesterday".

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

export function ago(time: number, now: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  // A clock that was set back does not make it the future.
  const seconds = Math.max(0, (now - time) / 1_000);
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
  if (unit === 'second') return words.format(0, unit);
  // "Yesterday" is the day before, not so many hours ago.
  const passed = unit === 'day' ? daysBetween(time, now) : Math.floor(seconds / length);
  return words.format(-passed, unit);
}

function daysBetween(time: number, now: number): number {
  const [from, to] = [time, now].map((at) => new Date(at).setHours(0, 0, 0, 0)) as [number, number];
  return Math.round((to - from) / 86_400_000);
}

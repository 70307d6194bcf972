// Lines of the log, as the server sends them.

import { type Signal, signal } from '@preact/signals';

// The most important last, as the setting `loglevel` has them.
export const LEVELS = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const;
export type Level = (typeof LEVELS)[number];

export interface Line {
  number: number;
  at: number;
  level: Level;
  from: string;
  text: string;
}

interface Event {
  // It has everything, also what came before.
  first: boolean;
  level: string;
  lines: readonly Line[];
}

// How many are kept of warnings and errors, and of all others. Apart, as the server has them: requests
// do not push out errors.
const KEPT = { problems: 400, others: 1_600 };

export interface Log {
  // The newest first.
  lines: Signal<readonly Line[]>;
  // From which level on the log is written; empty while nothing has come.
  level: Signal<string>;
  broken: Signal<boolean>;
  close: () => void;
}

export function follow(base: string): Log {
  const lines = signal<readonly Line[]>([]);
  const level = signal('');
  const broken = signal(false);
  const stream = new EventSource(`${base}admin/api/log`);
  stream.onmessage = ({ data }) => {
    const event: Event = JSON.parse(data);
    lines.value = addLines(event.first ? [] : lines.value, event.lines);
    level.value = event.level;
    broken.value = false;
  };
  // The browser tries again by itself.
  stream.onerror = () => {
    broken.value = true;
  };
  return { lines, level, broken, close: () => stream.close() };
}

// Those before, the newest first, with those that came, the newest last.
export function addLines(before: readonly Line[], came: readonly Line[]): readonly Line[] {
  const room = { ...KEPT };
  return [...came.toReversed(), ...before].filter(
    ({ level }) => room[isProblem(level) ? 'problems' : 'others']-- > 0,
  );
}

const isProblem = (level: Level): boolean => level === 'ERROR' || level === 'WARN';

// Those of a level or above that have all words of the search.
export function filterLines(lines: readonly Line[], level: Level, search: string): readonly Line[] {
  const words = search.toLowerCase().split(/\s+/);
  const least = LEVELS.indexOf(level);
  return lines.filter((line) => {
    const text = `${line.level} ${line.from} ${line.text}`.toLowerCase();
    return LEVELS.indexOf(line.level) >= least && words.every((word) => text.includes(word));
  });
}

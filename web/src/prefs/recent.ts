// The pads this browser has opened lately, for the start page.
//
// Invariant: newest first, each once, at most a dozen, and none when the visitor wants none. Pads of
// groups and pads inside other pages are never listed: their addresses are not the visitor's own.

import { clearDeletionKeys } from './deletionKeys.ts';
import { read, remove, write } from './storage.ts';

export interface RecentPad {
  id: string;
  time: number;
  // What it was called then; those that an earlier release has listed have none.
  title?: string;
}

const LIST = 'recent';
const OFF = 'recent-off';
const LIMIT = 12;

export function recentPads(): RecentPad[] {
  const list = read(LIST);
  return Array.isArray(list) ? list.filter(isRecentPad).slice(0, LIMIT) : [];
}

export function rememberPad(pad: RecentPad): void {
  if (!recentKept() || pad.id.includes('$')) return;
  const others = recentPads().filter(({ id }) => id !== pad.id);
  write(LIST, [pad, ...others].slice(0, LIMIT));
}

export function forgetPad(id: string): void {
  write(
    LIST,
    recentPads().filter((pad) => pad.id !== id),
  );
}

export function clearRecent(): void {
  remove(LIST);
}

export function recentKept(): boolean {
  return read(OFF) !== true;
}

export function keepRecent(keep: boolean): void {
  if (keep) remove(OFF);
  else {
    write(OFF, true);
    clearRecent();
    // The names of pads are among them.
    clearDeletionKeys();
  }
}

function isRecentPad(value: unknown): value is RecentPad {
  if (typeof value !== 'object' || value === null) return false;
  const { id, time, title = '' } = value as Record<string, unknown>;
  const isNamed = typeof id === 'string' && id !== '' && typeof title === 'string';
  return isNamed && typeof time === 'number';
}

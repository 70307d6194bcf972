// The newest revision of each pad that this browser has shown, to mark what is new at the next visit.
//
// Invariant: newest first, each pad once, a bounded number. Nothing is kept for a visitor who wants no
// list of pads.

import { read, remove, write } from './storage.ts';

interface Seen {
  id: string;
  rev: number;
}

const LIST = 'last-seen';
const LIMIT = 200;

export function lastSeenRevision(padId: string): number | null {
  return list().find(({ id }) => id === padId)?.rev ?? null;
}

export function keepLastSeen(padId: string, rev: number): void {
  const others = list().filter(({ id }) => id !== padId);
  write(LIST, [{ id: padId, rev }, ...others].slice(0, LIMIT));
}

export function clearLastSeen(): void {
  remove(LIST);
}

function list(): Seen[] {
  const kept = read(LIST);
  return Array.isArray(kept) ? kept.filter(isSeen) : [];
}

function isSeen(value: unknown): value is Seen {
  if (typeof value !== 'object' || value === null) return false;
  const { id, rev } = value as Record<string, unknown>;
  return typeof id === 'string' && Number.isInteger(rev);
}

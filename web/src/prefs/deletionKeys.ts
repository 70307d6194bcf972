// The keys for deleting pads that this browser has made, so that they can be looked up again.
//
// Invariant: newest first, each pad once, a bounded number.

import { read, remove, write } from './storage.ts';

interface DeletionKey {
  id: string;
  key: string;
}

const LIST = 'deletion-keys';
const LIMIT = 200;

export function deletionKeyOf(padId: string): string | null {
  return list().find(({ id }) => id === padId)?.key ?? null;
}

export function keepDeletionKey(padId: string, key: string): void {
  write(LIST, [{ id: padId, key }, ...without(padId)].slice(0, LIMIT));
}

export function forgetDeletionKey(padId: string): void {
  if (deletionKeyOf(padId)) write(LIST, without(padId));
}

export function clearDeletionKeys(): void {
  remove(LIST);
}

function without(padId: string): DeletionKey[] {
  return list().filter(({ id }) => id !== padId);
}

function list(): DeletionKey[] {
  const kept = read(LIST);
  return Array.isArray(kept) ? kept.filter(isDeletionKey) : [];
}

function isDeletionKey(value: unknown): value is DeletionKey {
  if (typeof value !== 'object' || value === null) return false;
  const { id, key } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof key === 'string';
}

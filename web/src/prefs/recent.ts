// The pads this browser has opened lately, for the start page.
//
// Invariant: newest first, each once, a bounded number with bounded entries, and none when the visitor
// wants none. Pads of groups and pads inside other pages are never listed: their addresses are not the
// visitor's own.

import { clearDeletionKeys } from './deletionKeys.ts';
import { clearLastSeen } from './lastSeen.ts';
import { read, remove, write } from './storage.ts';

export interface RecentPerson {
  name: string;
  // `#rrggbb`
  colour: string;
}

export interface RecentPad {
  id: string;
  // Of the last visit, or of the last change that was seen there.
  time: number;
  // What it was called then; those that an earlier release has listed have none, nor what follows.
  title?: string;
  // Some of the others who were there, the latest first.
  people?: readonly RecentPerson[];
  pinned?: boolean;
}

const LIST = 'recent';
const OFF = 'recent-off';
const LIMIT = 50;
const MOST_PEOPLE = 4;
const LONGEST_NAME = 60;
// No date is later.
const LATEST_TIME = 8.64e15;

export function recentPads(): RecentPad[] {
  const list = read(LIST);
  return Array.isArray(list) ? list.filter(isRecentPad).slice(0, LIMIT).map(checked) : [];
}

// Whether it is pinned stays, and so do people who are not there now.
export function rememberPad(pad: RecentPad): void {
  if (!recentKept() || pad.id.includes('$')) return;
  const all = recentPads();
  const before = all.find(({ id }) => id === pad.id);
  const others = all.filter((other) => other !== before);
  const people = mostRecent(pad.people, before?.people);
  store([{ ...before, ...pad, people }, ...others]);
}

// The same for a pad that is listed: one that was removed meanwhile stays away.
export function refreshPad(pad: RecentPad): void {
  if (recentPads().some(({ id }) => id === pad.id)) rememberPad(pad);
}

export function pinPad(id: string, pinned: boolean): void {
  store(recentPads().map((pad) => (pad.id === id ? { ...pad, pinned } : pad)));
}

export function forgetPad(id: string): void {
  store(recentPads().filter((pad) => pad.id !== id));
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
    clearLastSeen();
  }
}

// The oldest go first, and pinned ones last.
function store(pads: RecentPad[]): void {
  const unpinned = pads.filter(({ pinned }) => !pinned);
  const room = Math.max(1, LIMIT - (pads.length - unpinned.length));
  const kept = new Set(unpinned.slice(0, room));
  write(LIST, pads.filter((pad) => pad.pinned || kept.has(pad)).slice(0, LIMIT));
}

function mostRecent(
  now: readonly RecentPerson[] = [],
  before: readonly RecentPerson[] = [],
): RecentPerson[] {
  const people = new Map<string, RecentPerson>();
  for (const { name, colour } of [...now, ...before]) {
    const short = name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
    if (!people.has(short)) people.set(short, { name: short, colour });
  }
  return [...people.values()].slice(0, MOST_PEOPLE);
}

function isRecentPad(value: unknown): value is RecentPad {
  if (typeof value !== 'object' || value === null) return false;
  const { id, time, title = '' } = value as Record<string, unknown>;
  const isNamed = typeof id === 'string' && id !== '' && typeof title === 'string';
  return isNamed && typeof time === 'number' && Math.abs(time) <= LATEST_TIME;
}

// What is wrong with the rest of an entry costs only that.
function checked({ id, time, title, people, pinned }: RecentPad): RecentPad {
  const sound = Array.isArray(people) ? people.filter(isPerson) : [];
  return {
    id,
    time,
    ...(title ? { title } : {}),
    ...(sound.length > 0 ? { people: mostRecent(sound) } : {}),
    ...(pinned === true ? { pinned } : {}),
  };
}

function isPerson(value: unknown): value is RecentPerson {
  if (typeof value !== 'object' || value === null) return false;
  const { name, colour } = value as Record<string, unknown>;
  return typeof name === 'string' && name !== '' && typeof colour === 'string';
}

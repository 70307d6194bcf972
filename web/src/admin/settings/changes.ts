// What somebody has changed in the form, and not saved.
//
// Invariant: pure; a key is among the changes only if saving it would change the file. `null` is back
// to the default, `undefined` no change.

import type { Row } from './overview.ts';
import type { Note } from './verdict.ts';

export type Changes = Readonly<Record<string, unknown>>;

// What a field shows before anything is changed: what is written, or else what that comes to.
export function base(row: Row): unknown {
  return row.given && !row.placeholder && row.kind !== 'secret' ? row.written : row.next;
}

export function current(row: Row, changes: Changes): unknown {
  if (!(row.key in changes)) return base(row);
  return changes[row.key] ?? row.default;
}

export function change(changes: Changes, row: Row, value: unknown): Changes {
  const others = Object.fromEntries(Object.entries(changes).filter(([key]) => key !== row.key));
  const asBefore = row.placeholder === null && row.kind !== 'secret' && same(value, base(row));
  const isNone = value === undefined || (value === null && !row.given);
  return asBefore || isNone ? others : { ...others, [row.key]: value };
}

// Those about this key, or about something inside its value.
export function notesOf({ key }: Row, notes: readonly Note[]): Note[] {
  return notes.filter((note) => note.key === key || /^[.[]/.test(tail(note.key, key)));
}

function tail(whole: string, start: string): string {
  return whole.startsWith(start) ? whole.slice(start.length) : '';
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

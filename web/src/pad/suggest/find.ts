// What opens a list of suggestions, in the text before the caret.
//
// Invariant: pure. Paths, addresses, times and mail addresses open nothing.

import type { Found } from '../../editor/suggest.ts';

const COMMAND = /(?:^|\s)\/((?:[\p{L}\p{N}]+ ?){0,3})$/u;
const EMOJI = /(?:^|[\s\p{Ps}\p{Pi}"'!?.,…])(:([a-z\d_+-]{2,30})(:?))$/iu;
const PERSON = /(?:^|[\s\p{Ps}\p{Pi}"'])@([\p{L}\p{N}._-]{0,40}(?: [\p{L}\p{N}._-]{1,40})?)$/u;

export function findCommand(before: string): Found | null {
  const [, query] = COMMAND.exec(before) ?? [];
  return query === undefined ? null : { from: before.length - query.length - 1, query };
}

export function findEmoji(before: string): Found | null {
  const [, typed = '', query, end] = EMOJI.exec(before) ?? [];
  if (query === undefined) return null;
  return { from: before.length - typed.length, query, isComplete: end === ':' };
}

export function findPerson(before: string): Found | null {
  const [, query] = PERSON.exec(before) ?? [];
  return query === undefined ? null : { from: before.length - query.length - 1, query };
}

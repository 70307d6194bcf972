// Names for people who gave none: the same animal for one person on every screen, in the reader's
// language. Only shown: for the server they have no name.

import { type Key, t } from '../i18n/text.ts';

export interface Someone {
  // Null: nobody knows.
  readonly id: string | null;
  readonly name: string | null;
}

export function nameOf({ id, name }: Someone): string {
  if (name) return name;
  const animal = animalOf(id);
  return animal ? t('guest.name', { name: animal }) : t('editor.unnamed');
}

// What the letters in somebody's round are taken from.
export const shortNameOf = ({ id, name }: Someone): string => name || animalOf(id);

const ANIMALS: Key = 'guest.names';

// Nothing before the words are here that come after the first paint.
function animalOf(id: string | null): string {
  const animals = t(ANIMALS);
  if (id === null || animals === ANIMALS) return '';
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) >>> 0;
  const all = animals.split('|');
  return all[hash % all.length] ?? '';
}

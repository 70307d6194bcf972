// The thin line below the text: what happens, how long it is, which revision.

import { t } from '../i18n/text.ts';
import { useFrame } from './frame.ts';
import { nameOf } from './guests.ts';
import type { Length, Person, TextLength } from './live.ts';

// What most people read silently in a minute.
const WORDS_A_MINUTE = 230;

export function StatusLine() {
  const { live, extras } = useFrame();
  const Extra = extras.value?.Status;
  return (
    <footer class="status-line">
      <span class="doing">{doing(live.people.value)}</span>
      {Extra && <Extra />}
      {lengthOf(live.length.value).map((text) => (
        <span key={text}>{text}</span>
      ))}
      <span>{t('status.revision', { revision: live.revision.value })}</span>
    </footer>
  );
}

// What is selected says more than the whole at that moment.
export function lengthOf({ whole, selected }: TextLength): string[] {
  if (whole.characters === 0) return [];
  if (selected) return [t('status.selected', { length: wordsAndCharacters(selected) })];
  const minutes = Math.ceil(whole.words / WORDS_A_MINUTE);
  const reading = minutes > 1 ? [t('status.reading', { count: minutes })] : [];
  return [wordsAndCharacters(whole), ...reading];
}

function wordsAndCharacters({ words, characters }: Length): string {
  return t('status.length', {
    words: t('status.words', { count: words }),
    characters: t('status.characters', { count: characters }),
  });
}

// Never more than two names: a crowd is a number.
export function doing(people: readonly Person[]): string {
  const others = people.filter((person) => !person.self && person.typing);
  const [first, second] = others;
  if (!first) return '';
  if (others.length > 2) return t('status.typingMany', { count: others.length });
  if (second) return t('status.typingTwo', { first: nameOf(first), second: nameOf(second) });
  if (first.line !== null) {
    return t('status.editing', { name: nameOf(first), line: first.line });
  }
  return t('status.typingOne', { name: nameOf(first) });
}

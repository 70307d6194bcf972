// The thin line below the text: what happens, how long it is, which revision.

import { t } from '../i18n/text.ts';
import { nameOf, useFrame } from './frame.ts';
import type { Person } from './live.ts';

export function StatusLine() {
  const { live } = useFrame();
  return (
    <footer class="status-line">
      <span class="doing">{doing(live.people.value)}</span>
      {live.words.value > 0 && <span>{t('status.words', { count: live.words.value })}</span>}
      <span>{t('status.revision', { revision: live.revision.value })}</span>
    </footer>
  );
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

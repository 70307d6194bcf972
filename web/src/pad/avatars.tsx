// People as rounds of their colours; together they are the button that opens the list of them.
//
// Invariant: what is drawn is no part of the button's name, which is all of who is here.

import { listOf } from '../i18n/list.ts';
import { t } from '../i18n/text.ts';
import { initials, tint } from '../theme/colour.ts';
import { useFrame } from './frame.ts';
import { nameOf, shortNameOf } from './guests.ts';
import type { Person } from './live.ts';

const SHOWN = 4;

export function Avatar({ person }: { person: Person }) {
  return (
    <span class="avatar" ref={tint(person.colour)} aria-hidden="true">
      {initials(shortNameOf(person))}
    </span>
  );
}

export function Avatars({ onOpen }: { onOpen: () => void }) {
  const { live, panel, mentions } = useFrame();
  const people = live.people.value;
  if (people.length === 0) return null;
  const names = people.map((person) => (person.self ? t('people.you') : nameOf(person)));
  const label = t('header.people', { count: people.length, names: listOf(names.slice(0, 20)) });
  const called = mentions.value.length;
  const shown = people.length > SHOWN + 1 ? people.slice(0, SHOWN) : people;
  return (
    <button
      type="button"
      class="avatars"
      aria-expanded={panel.value === 'people'}
      data-tip={t('panel.people')}
      onClick={onOpen}
    >
      {shown.map((person) => (
        <Avatar key={person.id} person={person} />
      ))}
      {people.length > 2 && (
        <span class="avatar-rest" data-all={people.length} aria-hidden="true">
          <span class="on-wide">
            {people.length > shown.length && `+${people.length - shown.length}`}
          </span>
          <span class="on-phone">{people.length > 2 && `+${people.length - 2}`}</span>
        </span>
      )}
      {called > 0 && (
        <span class="badge" aria-hidden="true">
          @{called > 1 && called}
        </span>
      )}
      <span class="only-heard">
        {label}
        {called > 0 && `. ${t('people.mentions', { count: called })}`}
      </span>
    </button>
  );
}

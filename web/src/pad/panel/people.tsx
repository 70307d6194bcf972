// Who is here: oneself first, to be named and coloured, then the others, to be found in the text.

import { useSignal } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { longColour, tint } from '../../theme/colour.ts';
import { PEOPLE_COLOURS } from '../../theme/peopleColours.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { isTooLong, TextField } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { Avatar } from '../avatars.tsx';
import { useFrame } from '../frame.ts';
import { nameOf } from '../guests.ts';
import type { Person } from '../live.ts';

const NAME_LENGTH = 80;

export function People({ short = false }: { short?: boolean }) {
  const { live } = useFrame();
  const self = live.self.value;
  const others = live.people.value.filter((person) => !person.self);
  return (
    <div class="people">
      <Mentions />
      {!short && self && <Self self={self} />}
      {!short && <h2>{t('people.here')}</h2>}
      {others.length === 0 && <p class="empty">{t('people.alone')}</p>}
      <ul>
        {others.map((person) => (
          <Other key={person.id} person={person} />
        ))}
      </ul>
    </div>
  );
}

function Mentions() {
  const { mentions } = useFrame();
  const [show, ...others] = mentions.value;
  if (!show) return null;
  const act = () => {
    mentions.value = others;
    show();
  };
  return (
    <NoticeBox
      icon="people"
      actions={[{ label: t('people.showMention'), primary: true, act }]}
      onDismiss={() => (mentions.value = [])}
    >
      {t('people.mentions', { count: mentions.value.length })}
    </NoticeBox>
  );
}

function Self({ self }: { self: Person }) {
  const { live, parameters } = useFrame();
  // Null while nobody types here: the name may change in another window.
  const typed = useSignal<string | null>(null);
  const readOnly = live.info.value?.readOnly === true;
  const wanted = typed.value?.trim();
  const refused = wanted !== undefined && isTooLong(wanted, NAME_LENGTH);
  const take = () => {
    if (refused) return;
    if (wanted !== undefined && wanted !== (self.name ?? '')) live.setName(wanted);
    typed.value = null;
  };
  if (readOnly) return null;
  return (
    <form
      class="self"
      onSubmit={(event) => {
        event.preventDefault();
        take();
        if (!refused) live.focus();
      }}
      onFocusOut={take}
    >
      <div class="self-name">
        <Avatar person={self} />
        <TextField
          label={t('people.yourName')}
          value={typed.value ?? self.name ?? ''}
          longest={refused ? NAME_LENGTH : Infinity}
          autocomplete="nickname"
          disabled={parameters.userName !== undefined}
          onInput={(value) => {
            typed.value = value;
          }}
        />
      </div>
      <Colours self={self} />
    </form>
  );
}

function Colours({ self }: { self: Person }) {
  const { live } = useFrame();
  const chosen = longColour(self.colour);
  const names = t('people.colours').split('|');
  const name = names[PEOPLE_COLOURS.indexOf(chosen)];
  return (
    <fieldset class="colours">
      <legend>
        {t('people.yourColour')}
        {name && <span class="colour-name">{name}</span>}
      </legend>
      <div class="colour-row">
        {PEOPLE_COLOURS.map((colour, index) => (
          <label key={colour} class="colour" ref={tint(colour)}>
            <input
              type="radio"
              name="colour"
              aria-label={names[index]}
              data-tip={names[index]}
              checked={colour === chosen}
              onChange={() => live.setColour(colour)}
            />
          </label>
        ))}
        <label class="colour other" ref={tint(self.colour)}>
          <input
            type="color"
            aria-label={t('people.otherColour')}
            data-tip={t('people.otherColour')}
            value={chosen}
            onChange={(event) => live.setColour(event.currentTarget.value)}
          />
        </label>
      </div>
    </fieldset>
  );
}

function Other({ person }: { person: Person }) {
  const { live } = useFrame();
  const suggesting = useSignal(false);
  const writes = live.info.value?.readOnly === false;
  const name = nameOf(person);
  return (
    <li>
      <div class="person">
        <button
          type="button"
          class="person-button"
          data-tip={t('people.goTo', { name })}
          onClick={() => live.scrollToAuthor(person.id)}
        >
          <Avatar person={person} />
          <span class="person-name">{name}</span>
          <span class="person-does">{does(person)}</span>
        </button>
        <IconButton
          icon="eye"
          label={t('people.follow', { name })}
          pressed={live.following.value === person.id}
          onClick={() => live.follow(live.following.peek() === person.id ? null : person.id)}
        />
        {writes && !person.name && !suggesting.value && (
          <Button onClick={() => (suggesting.value = true)}>{t('people.suggest')}</Button>
        )}
      </div>
      {suggesting.value && !person.name && (
        <Suggestion person={person} onDone={() => (suggesting.value = false)} />
      )}
    </li>
  );
}

function does(person: Person): string {
  if (person.typing) return t('people.typing');
  return person.line === null ? '' : t('people.line', { line: person.line });
}

function Suggestion({ person, onDone }: { person: Person; onDone: () => void }) {
  const { live } = useFrame();
  const name = useSignal('');
  return (
    <form
      class="suggestion"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTooLong(name.value, NAME_LENGTH)) return;
        if (name.value.trim()) live.suggestName(person.id, name.value.trim());
        onDone();
      }}
    >
      <TextField
        label={t('people.suggestFor')}
        value={name.value}
        longest={NAME_LENGTH}
        onInput={(value) => {
          name.value = value;
        }}
      />
      <Button type="submit">{t('people.suggestSend')}</Button>
    </form>
  );
}

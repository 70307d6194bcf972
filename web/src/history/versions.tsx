// List of the history by days: periods of writing with their authors, and what was saved.

import { useEffect } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { clockTime, dayName, timeRange } from '../i18n/time.ts';
import { nameOf } from '../pad/guests.ts';
import type { SavedRevision } from '../pad/live.ts';
import { tint } from '../theme/colour.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Archive } from './archive.ts';
import type { Period } from './periods.ts';
import type { Player } from './player.ts';
import { isNamed } from './savedName.tsx';

interface VersionsProps {
  archive: Archive;
  player: Player;
}

type Entry =
  | { readonly at: number; readonly time: number; readonly period: Period }
  | { readonly at: number; readonly time: number; readonly saved: SavedRevision };

export function Versions({ archive, player }: VersionsProps) {
  const { periods } = archive;
  useEffect(() => periods.follow(archive.head), []);
  const goal = Math.min(archive.goal.value, archive.head.value);
  const shown = periods.periodOf(goal);
  const go = (revision: number): void => {
    player.pause();
    archive.go(revision);
  };
  return (
    <div class="versions">
      {byDay(entriesOf(archive)).map(([day, entries]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ul>
            {entries.map((entry) => (
              <li key={keyOf(entry)}>
                <button
                  type="button"
                  class="version"
                  aria-current={
                    'saved' in entry ? entry.at === goal : entry.period === shown || undefined
                  }
                  onClick={() => go(entry.at)}
                >
                  {'saved' in entry ? (
                    <Saved saved={entry.saved} />
                  ) : (
                    <Written archive={archive} period={entry.period} />
                  )}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {periods.hasOlder.value && (
        <Button onClick={() => periods.loadOlder()}>{t('history.older')}</Button>
      )}
    </div>
  );
}

function Saved({ saved }: { saved: SavedRevision }) {
  const { label, revision, time } = saved;
  return (
    <>
      <strong class="version-name">
        <Icon name="star" />
        <span dir="auto">{isNamed(saved) ? label : t('history.savedItem', { revision })}</span>
      </strong>
      <span class="version-authors">{clockTime(time)}</span>
    </>
  );
}

function Written({ archive, period }: { archive: Archive; period: Period }) {
  const looks = archive.joined.value?.authors;
  const { authors, others, began, ended, last } = period;
  return (
    <>
      <strong>{timeRange(began, ended)}</strong>
      <span class="version-authors">
        {authors.map((id) => {
          const look = looks?.get(id);
          return (
            <span key={id} class="version-author">
              <span class="dot" ref={tint(look?.colour ?? '')} />
              <span dir="auto">{nameOf({ id, name: look?.name ?? null })}</span>
            </span>
          );
        })}
        {others > 0 && <span>+{others}</span>}
        {authors.length === 0 && t('history.savedItem', { revision: last })}
      </span>
    </>
  );
}

// Newest first, as far as the periods are known.
function entriesOf({ periods, joined }: Archive): Entry[] {
  const known = periods.list.value;
  const oldest = periods.hasOlder.value ? (known.at(-1)?.first ?? Infinity) : 0;
  const saved = joined.value?.info.savedRevisions ?? [];
  const entries: Entry[] = [
    ...saved
      .filter(({ revision }) => revision >= oldest)
      .map((saved) => ({ at: saved.revision, time: saved.time, saved })),
    ...known.map((period) => ({ at: period.last, time: period.ended, period })),
  ];
  return entries.sort((a, b) => b.at - a.at || Number('saved' in b) - Number('saved' in a));
}

// A period that goes on stays what it was, and so does the focus in it.
const keyOf = (entry: Entry): string =>
  'saved' in entry ? `saved ${entry.at}` : `written ${entry.period.first}`;

function byDay(entries: readonly Entry[]): [string, Entry[]][] {
  const days: [string, Entry[]][] = [];
  for (const entry of entries) {
    const day = dayName(entry.time);
    const last = days.at(-1);
    if (last?.[0] === day) last[1].push(entry);
    else days.push([day, [entry]]);
  }
  return days;
}

// The log of the service: its last lines, the newest first, searched, by level, live.
//
// Invariant: what is shown is never silently old: when the stream breaks, a notice says so until it
// is back, and while it is paused the button says so.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { absoluteTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import { filterLines, follow, LEVELS, type Level } from './lines.ts';

// More rows than these are found by searching.
const SHOWN = 500;

export function LogPage() {
  const { boot } = useAdmin();
  const log = useMemo(() => follow(boot.base), [boot.base]);
  useEffect(() => log.close, [log]);
  const search = useSignal('');
  const level = useSignal<Level>('DEBUG');
  const held = useSignal<typeof log.lines.value | null>(null);
  const found = filterLines(held.value ?? log.lines.value, level.value, search.value);
  return (
    <>
      <p class="hint">{say('log.hint', { level: log.level.value })}</p>
      {log.broken.value && (
        <NoticeBox tone="warn" icon="cloudOff" urgent>
          {say('dash.broken')}
        </NoticeBox>
      )}
      <search class="wishes">
        <SearchField
          label={say('log.search')}
          value={search.value}
          onSearch={(text) => {
            search.value = text;
          }}
        />
        <SelectField
          label={say('log.level')}
          value={level.value}
          options={LEVELS.map((value) => ({ value, label: value }))}
          onChange={(value) => {
            level.value = value as Level;
          }}
        />
        <Button
          onClick={() => {
            held.value = held.value ? null : log.lines.value;
          }}
        >
          {say(held.value ? 'log.resume' : 'log.pause')}
        </Button>
      </search>
      <ol class="log log-lines" data-settled={log.level.value !== ''} aria-label={say('nav.log')}>
        {found.slice(0, SHOWN).map(({ number, at, level, from, text }) => (
          <li key={number} class={TONES[level] ?? ''}>
            <time dateTime={new Date(at).toISOString()} title={absoluteTime(at)}>
              {clock(at)}
            </time>
            <span class="level">{level}</span>
            <span class="log-text" dir="ltr">
              {text} <span class="from">{from}</span>
            </span>
          </li>
        ))}
      </ol>
      {log.level.value !== '' && found.length === 0 && <p class="hint">{say('log.nothing')}</p>}
    </>
  );
}

const TONES: Readonly<Partial<Record<Level, string>>> = { ERROR: 'bad', WARN: 'warn' };

// As the log itself writes it, in the reader's time zone.
function clock(at: number): string {
  const date = new Date(at);
  const two = (number: number): string => `${number}`.padStart(2, '0');
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

// The overview in three bands: health, activity, storage; and what went wrong lately.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { Icon } from '../../ui/icon.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { bytes, count, duration, milliseconds } from '../format.ts';
import { say, type Word } from '../words.ts';
import { Charts, Weeks } from './activity.tsx';
import { Health } from './health.tsx';
import { type State, watch } from './live.ts';
import { usePolled } from './poll.ts';
import type { Overview } from './series.ts';
import { Storage } from './storage.tsx';
import { Tiles } from './tiles.tsx';

const UNKNOWN = '–';
const OVERVIEW_MS = 30_000;
const SOON_MS = 2_000;

export function DashboardPage() {
  const { boot } = useAdmin();
  const live = useMemo(() => watch(boot.base), [boot.base]);
  useEffect(() => live.close, [live]);
  // What pads weigh comes a moment after it was first asked for.
  const pause = useSignal(SOON_MS);
  const overview = usePolled<Overview>('api/overview', pause.value).value;
  const weighed = Boolean(overview?.storage.pads);
  useEffect(() => {
    if (weighed) pause.value = OVERVIEW_MS;
  }, [weighed, pause]);
  const state = live.state.value;
  return (
    <>
      {live.broken.value && (
        <NoticeBox tone="warn" icon="cloudOff" urgent>
          {say('dash.broken')}
        </NoticeBox>
      )}
      <Health problems={overview?.health} update={state?.update ?? null} />
      <section class="band" aria-labelledby="activity">
        <h2 id="activity">{say('dash.activity')}</h2>
        <Tiles
          settled={state?.changesPerSecond !== undefined}
          tiles={TILES.map(({ label, value }) => [say(label), (state && value(state)) ?? UNKNOWN])}
        />
        <Charts />
        {overview && <Weeks weeks={overview.weeks} />}
      </section>
      {overview && (
        <Storage stored={some(state?.storeBytes, bytes) ?? UNKNOWN} storage={overview.storage} />
      )}
      {state && <Problems errors={state.errors} />}
    </>
  );
}

const some = <T,>(value: T | null | undefined, show: (value: T) => string): string | null =>
  value === null || value === undefined ? null : show(value);

const TILES: readonly { label: Word; value: (state: State) => string | null }[] = [
  { label: 'dash.pads', value: ({ pads }) => some(pads, count) },
  { label: 'dash.activePads', value: ({ activePads }) => some(activePads, count) },
  { label: 'dash.livePads', value: ({ livePads }) => count(livePads) },
  { label: 'dash.authors', value: ({ authors }) => some(authors, count) },
  { label: 'dash.connections', value: ({ connections }) => count(connections) },
  { label: 'dash.members', value: ({ members }) => some(members, count) },
  {
    label: 'dash.changes',
    value: ({ changesPerSecond }) =>
      some(changesPerSecond, (rate) => count(Math.round(rate * 10) / 10)),
  },
  { label: 'dash.stored', value: ({ storedMs }) => some(storedMs, milliseconds) },
  { label: 'dash.delivered', value: ({ deliveredMs }) => some(deliveredMs, milliseconds) },
  { label: 'dash.memory', value: ({ memoryBytes }) => bytes(memoryBytes) },
  { label: 'dash.up', value: ({ upSeconds }) => duration(upSeconds) },
];

function Problems({ errors }: { errors: State['errors'] }) {
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">{say('dash.problems')}</h2>
      {errors.length === 0 ? (
        <p class="hint">{say('dash.noProblems')}</p>
      ) : (
        <ul class="log">
          {errors.map(({ at, error, text }, index) => (
            // Lines may be alike; their order is what tells them apart.
            <li key={`${at} ${index}`} class={error ? 'bad' : 'warn'}>
              <Icon name={error ? 'alert' : 'info'} />
              <span class="only-heard">{say(error ? 'dash.error' : 'dash.warning')}</span>
              <span class="log-text">{text}</span>
              <time dateTime={new Date(at).toISOString()} title={absoluteTime(at)}>
                {relativeTime(at, Date.now())}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

// The dashboard: how many, how fast, how large, and what went wrong lately.

import { useEffect, useMemo } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { Icon } from '../../ui/icon.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { bytes, count, duration, milliseconds } from '../format.ts';
import { isNewer, type Status } from '../update/status.ts';
import { say, type Word } from '../words.ts';
import { type State, watch } from './live.ts';

const UNKNOWN = '–';

export function DashboardPage() {
  const { boot } = useAdmin();
  const live = useMemo(() => watch(boot.base), [boot.base]);
  useEffect(() => live.close, [live]);
  const state = live.state.value;
  return (
    <>
      {live.broken.value && (
        <NoticeBox tone="warn" icon="cloudOff" urgent>
          {say('dash.broken')}
        </NoticeBox>
      )}
      <dl class="tiles" data-settled={state?.changesPerSecond !== undefined}>
        {TILES.map(({ label, value }) => (
          <div key={label} class="tile">
            <dt>{say(label)}</dt>
            <dd>{(state && value(state)) ?? UNKNOWN}</dd>
          </div>
        ))}
        <div class="tile">
          <dt>{say('dash.version')}</dt>
          <dd>{boot.version}</dd>
        </div>
      </dl>
      {state?.update && <UpdateLine status={state.update} />}
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
  { label: 'dash.store', value: ({ storeBytes }) => some(storeBytes, bytes) },
  { label: 'dash.memory', value: ({ memoryBytes }) => bytes(memoryBytes) },
  { label: 'dash.up', value: ({ upSeconds }) => duration(upSeconds) },
];

function UpdateLine({ status }: { status: Status }) {
  const { boot } = useAdmin();
  const words = isNewer(status)
    ? say('update.available', { version: status.latest?.version ?? '' })
    : say('update.current');
  return (
    <section aria-labelledby="updates">
      <h2 id="updates">{say('nav.update')}</h2>
      <p>
        {words} <a href={`${boot.base}admin/update`}>{say('dash.more')}</a>
      </p>
    </section>
  );
}

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

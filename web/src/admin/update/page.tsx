// Updates: what runs, what is newer, what is about to happen, and what can be done about it.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { absoluteTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { ApiError } from '../api.ts';
import { useAdmin } from '../context.ts';
import { watch } from '../dashboard/live.ts';
import { duration } from '../format.ts';
import { say } from '../words.ts';
import { type Deed, deadline, deeds, isNewer, type Status } from './status.ts';

export function UpdatePage() {
  const { boot } = useAdmin();
  return boot.updates ? <Updates /> : <NoticeBox>{say('update.off')}</NoticeBox>;
}

function Updates() {
  const { boot } = useAdmin();
  const live = useMemo(() => watch(boot.base), [boot.base]);
  useEffect(() => live.close, [live]);
  const status = live.state.value?.update;
  return (
    <div class="updates" data-settled={status !== undefined}>
      {live.broken.value && (
        <NoticeBox tone="warn" icon="cloudOff" urgent>
          {say('dash.broken')}
        </NoticeBox>
      )}
      {status && (
        <>
          <Execution status={status} />
          <Facts status={status} />
          {status.latest?.body && (
            <section aria-labelledby="notes">
              <h2 id="notes">{say('update.notes', { version: status.latest.version })}</h2>
              <FileText text={status.latest.body} />
            </section>
          )}
          {status.tier !== 'notify' && <Log status={status} />}
        </>
      )}
    </div>
  );
}

function Execution({ status }: { status: Status }) {
  const { api } = useAdmin();
  const problem = useSignal('');
  const busy = useSignal(false);

  const act = async (deed: Deed): Promise<void> => {
    busy.value = true;
    problem.value = '';
    try {
      await api.post(`update/${deed}`, {});
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
    busy.value = false;
  };

  const { execution } = status;
  const tag = execution.targetTag ?? status.latest?.tag ?? '';
  return (
    <section class="card" aria-labelledby="state">
      <h2 id="state">{headline(status)}</h2>
      <p role="status">{say(`update.state.${execution.status}`, { tag })}</p>
      {execution.reason && <p class="hint">{execution.reason}</p>}
      <Countdown until={deadline(status)} />
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      <div class="dialog-actions">
        {deeds(status).map((deed) => (
          <Button
            key={deed}
            kind={deed === 'apply' ? 'primary' : 'plain'}
            disabled={busy.value}
            onClick={() => void act(deed)}
          >
            {say(`update.${deed}`)}
          </Button>
        ))}
      </div>
    </section>
  );
}

function headline(status: Status): string {
  if (!isNewer(status)) return say('update.current');
  return say('update.available', { version: status.latest?.version ?? '' });
}

function Countdown({ until }: { until: number | null }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  if (until === null) return null;
  const seconds = Math.max(0, (until - now.value) / 1000);
  return (
    <p class="countdown" role="timer">
      {say('update.in', { time: duration(seconds) })}
    </p>
  );
}

function Facts({ status }: { status: Status }) {
  const { maintenanceWindow: window, nextWindowOpensAt, lastResult, policy } = status;
  const time = (text: string | null): string => (text ? absoluteTime(Date.parse(text)) : '–');
  const facts: [string, string][] = [
    [say('update.running'), status.currentVersion],
    [say('update.latest'), status.latest?.version ?? '–'],
    [say('update.checked'), time(status.lastCheckAt)],
    [say('update.tier'), status.tier],
    [say('update.method'), status.installMethod],
    [say('update.policy'), policy?.reason ?? '–'],
    [say('update.window'), window ? `${window.start}–${window.end} (${window.tz})` : '–'],
    [say('update.opens'), time(nextWindowOpensAt)],
    [say('update.last'), lastResult ? `${lastResult.outcome}, ${time(lastResult.at)}` : '–'],
  ];
  return (
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">{say('update.facts')}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Log({ status }: { status: Status }) {
  const { api } = useAdmin();
  const text = useSignal('');
  // Asked for anew whenever something has happened.
  const state = JSON.stringify([status.execution, status.lastCheckAt]);
  useEffect(() => {
    api
      .text('update/log')
      .then((log) => {
        text.value = log;
      })
      // It is asked for again when something happens.
      .catch((error) => {
        if (!(error instanceof ApiError)) throw error;
      });
  }, [state]);
  return (
    <section aria-labelledby="log">
      <h2 id="log">{say('update.log')}</h2>
      {text.value ? <FileText text={text.value} /> : <p class="hint">{say('update.noLog')}</p>}
    </section>
  );
}

function FileText({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
    <pre class="file" tabIndex={0}>
      {text}
    </pre>
  );
}

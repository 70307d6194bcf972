// Alerts: which have begun and not ended, what became of the last message, and a test.

import { useSignal } from '@preact/signals';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { sentence } from './health.tsx';
import { usePolled } from './poll.ts';
import type { Problem } from './series.ts';

interface Outcome {
  at: number;
  problem: string | null;
}

interface Channel {
  on: boolean;
  last: Outcome | null;
}

const CHANNELS = ['mail', 'webhook'] as const;
type Name = (typeof CHANNELS)[number];

interface Answer extends Record<Name, Channel> {
  active: readonly (Problem & { since: number; sent: number })[];
}

const POLL_MS = 30_000;

export function Alerts() {
  const { api } = useAdmin();
  const answer = usePolled<Answer>('api/alerts', POLL_MS).value;
  // What became of a test is known before the next look.
  const tested = useSignal<Partial<Record<Name, Outcome | null>>>({});
  const sending = useSignal(false);
  const problem = useSignal('');

  const test = async (): Promise<void> => {
    problem.value = '';
    sending.value = true;
    try {
      tested.value = await api.post<Record<Name, Outcome | null>>('api/alerts/test', {});
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
    sending.value = false;
  };

  if (!answer) return null;
  const isOn = CHANNELS.some((name) => answer[name].on);
  return (
    <section class="jobs" aria-labelledby="alerts" aria-busy={sending.value ? 'true' : undefined}>
      <h3 id="alerts">{say('alert.title')}</h3>
      {!isOn && <p class="hint">{say('alert.off')}</p>}
      {isOn && answer.active.length === 0 && <p>{say('alert.quiet')}</p>}
      {answer.active.map((alert, index) => (
        // Several plugins may have failed; their order is what tells them apart.
        <p key={`${alert.kind} ${index}`}>
          {sentence(alert)}{' '}
          {say('alert.since', { since: absoluteTime(alert.since), sent: ago(alert.sent) })}
        </p>
      ))}
      {CHANNELS.filter((name) => answer[name].on).map((name) => (
        <Delivery key={name} name={name} last={newest(tested.value[name], answer[name].last)} />
      ))}
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {isOn && (
        <div class="job-actions">
          <Button disabled={sending.value} onClick={() => void test()}>
            {say('alert.test')}
          </Button>
          <span role="status">{sending.value && say('alert.testing')}</span>
        </div>
      )}
    </section>
  );
}

function Delivery({ name, last }: { name: Name; last: Outcome | null }) {
  const channel = say(`alert.${name}`);
  if (!last) return <p class="hint">{say('alert.none', { channel })}</p>;
  const time = ago(last.at);
  if (last.problem === null) return <p class="hint">{say('alert.sent', { channel, time })}</p>;
  return (
    <NoticeBox tone="warn" icon="alert">
      {say('alert.failed', { channel, time, reason: last.problem })}
    </NoticeBox>
  );
}

const ago = (at: number): string => relativeTime(at, Date.now());

const newest = (one: Outcome | null | undefined, other: Outcome | null): Outcome | null =>
  one && (!other || one.at >= other.at) ? one : other;

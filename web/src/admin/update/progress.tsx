// What is being done about a newer version, and what can be asked for.

import { useSignal } from '@preact/signals';
import { absoluteTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { ApiError } from '../api.ts';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { Countdown } from './countdown.tsx';
import type { Followed } from './follow.ts';
import { type Reason, reason, refusal } from './reasons.ts';
import {
  type Action,
  actions,
  deadline,
  isDeferred,
  otherNode,
  STEPS,
  type Status,
} from './status.ts';
import { aboutVersions } from './versions.ts';

export function Progress({ status, followed }: { status: Status; followed: Followed }) {
  const { api } = useAdmin();
  const problem = useSignal<Reason | null>(null);
  const busy = useSignal(false);

  const act = async (action: Action): Promise<void> => {
    busy.value = true;
    problem.value = null;
    try {
      await api.post(`update/${action}`, {});
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problem.value = refusal(error.body) ?? { word: null, detail: error.message };
    } finally {
      await followed.look();
      busy.value = false;
    }
  };

  const { execution } = status;
  const tag = execution.targetTag ?? status.latest?.tag ?? '';
  const until = deadline(status);
  const other = otherNode(status);
  const offered = followed.signedOut.value ? [] : actions(status);
  return (
    <section class="card" aria-labelledby="state">
      <h2 id="state">{aboutVersions(status)}</h2>
      <p role="status">
        {other === null
          ? say(`update.state.${execution.status}`, { tag })
          : say('update.rolling', { node: other })}
      </p>
      {execution.reason && !problem.value && <Why reason={reason(execution.reason)} />}
      {until !== null && (
        <p>
          <Countdown until={until} onOver={() => void followed.look()} />{' '}
          {execution.scheduledFor && <span class="hint">{absoluteTime(until)}</span>}
        </p>
      )}
      {isDeferred(status) && <p class="hint">{say('update.deferred')}</p>}
      <Steps status={status} />
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          <Why reason={problem.value} />
        </NoticeBox>
      )}
      {offered.length > 0 && (
        <div class="dialog-actions">
          {offered.map((action) => (
            <Button
              key={action}
              kind={action === 'apply' ? 'primary' : 'plain'}
              disabled={busy.value && action !== 'cancel'}
              onClick={() => void act(action)}
            >
              {say(`update.${action}`)}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}

function Why({ reason: { word, detail } }: { reason: Reason }) {
  return (
    <>
      {word && <p>{say(word)}</p>}
      {detail && (
        <p class="hint" lang="en">
          {detail}
        </p>
      )}
    </>
  );
}

// Where an update is on its way.
function Steps({ status: { execution } }: { status: Status }) {
  const now = (STEPS as readonly string[]).indexOf(execution.status);
  if (now < 0) return null;
  return (
    <ol class="progress">
      {STEPS.map((step, at) => (
        <li
          key={step}
          class={at < now ? 'done' : ''}
          aria-current={at === now ? 'step' : undefined}
        >
          {say(`update.step.${step}`)}
        </li>
      ))}
    </ol>
  );
}

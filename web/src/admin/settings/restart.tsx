// Restart of the service, followed until it is back.
//
// Invariant: it is said to be back only when another start of it answers than the one that was asked
// to go.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';

const ASK_MS = 500;
const SLOW_MS = 30_000;

type Stage = 'running' | 'going' | 'slow' | 'back' | 'signedOut';

interface Start {
  // Which start of the service answers.
  start: string;
}

export function Restart() {
  const { api, boot } = useAdmin();
  const stage = useSignal<Stage>('running');
  const asked = useSignal<{ start: string; at: number } | null>(null);
  const trouble = useSignal('');

  const go = async (): Promise<void> => {
    trouble.value = '';
    stage.value = 'going';
    try {
      const { start } = await api.post<Start>('api/restart', {});
      asked.value = { start, at: Date.now() };
    } catch (error) {
      stage.value = 'running';
      trouble.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  useEffect(() => {
    if (!asked.value) return;
    const { start, at } = asked.value;
    const look = async (): Promise<void> => {
      const found = await whoAnswers(boot.base, start);
      if (found) {
        stage.value = found;
        clearInterval(timer);
      } else if (Date.now() - at > SLOW_MS) stage.value = 'slow';
    };
    const timer = setInterval(() => void look(), ASK_MS);
    return () => clearInterval(timer);
  }, [asked.value]);

  const here = `admin/${boot.page}`;
  return (
    <div class="restart" data-stage={stage.value}>
      {trouble.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          <span lang="en">{trouble.value}</span>
        </NoticeBox>
      )}
      {stage.value === 'running' && (
        <>
          <p class="hint">{say('restart.hint')}</p>
          <div>
            <Button icon="refresh" onClick={() => void go()}>
              {say('restart.now')}
            </Button>
          </div>
        </>
      )}
      <div role="status">
        {stage.value === 'going' && <NoticeBox icon="refresh">{say('restart.going')}</NoticeBox>}
        {stage.value === 'slow' && (
          <NoticeBox tone="warn" icon="alert">
            {say('restart.slow')}
          </NoticeBox>
        )}
        {(stage.value === 'back' || stage.value === 'signedOut') && (
          <NoticeBox tone="good" icon="check">
            {say('restart.back')}{' '}
            {stage.value === 'back' ? (
              <a href={`${boot.base}${here}`}>{say('restart.reload')}</a>
            ) : (
              <a href={`${boot.base}sign-in?next=${encodeURIComponent(here)}`}>
                {say('restart.signIn')}
              </a>
            )}
          </NoticeBox>
        )}
      </div>
    </div>
  );
}

// A login ends with a restart only if the new settings end it, such as another password.
async function whoAnswers(base: string, before: string): Promise<'back' | 'signedOut' | null> {
  const options: RequestInit = { cache: 'no-store' };
  const answer = await fetch(`${base}admin/api/restart`, options).catch(() => null);
  if (answer?.status === 401) return 'signedOut';
  if (!answer?.ok) return null;
  const body: unknown = await answer.json().catch(() => null);
  const start = typeof body === 'object' && body && 'start' in body ? body.start : before;
  return start === before ? null : 'back';
}

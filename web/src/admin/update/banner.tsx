// What every page says about updates, if there is something to say.

import { useEffect, useMemo } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { Countdown } from './countdown.tsx';
import { follow } from './follow.ts';
import { deadline, hasFailed, isNewer, isUnderWay, type Status } from './status.ts';

const CALM_MS = 30_000;

export function UpdateBanner() {
  const { boot } = useAdmin();
  return boot.updates ? <Banner /> : null;
}

function Banner() {
  const { boot } = useAdmin();
  const followed = useMemo(
    () => follow(boot.base, { calmMs: CALM_MS, withLog: false }),
    [boot.base],
  );
  useEffect(() => followed.close, [followed]);
  const status = followed.status.value;
  const words = status && sentence(status);
  if (!words) return null;
  const terrible = status.execution.status === 'rollback-failed';
  const tone = terrible ? 'bad' : hasFailed(status) ? 'warn' : 'calm';
  const until = deadline(status);
  return (
    <NoticeBox tone={tone} icon={tone === 'calm' ? 'info' : 'alert'} urgent={terrible}>
      {words} {until !== null && <Countdown until={until} onOver={() => void followed.look()} />}{' '}
      <a href={`${boot.base}admin/update`}>{say('dash.more')}</a>
    </NoticeBox>
  );
}

function sentence(status: Status): string | null {
  const { execution, policy, latest } = status;
  const tag = execution.targetTag ?? latest?.tag ?? '';
  if (hasFailed(status) || isUnderWay(status)) {
    return say(`update.state.${execution.status}`, { tag });
  }
  if (policy?.reason === 'maintenance-window-missing') return say('update.windowMissing');
  if (policy?.reason === 'maintenance-window-invalid') return say('update.windowInvalid');
  if (execution.status === 'scheduled') return say('update.state.scheduled', { tag });
  return isNewer(status) ? say('update.available', { version: latest?.version ?? '' }) : null;
}

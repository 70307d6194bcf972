// What every page says about updates, if there is something to say.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { ApiError } from '../api.ts';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { isNewer, type Status } from './status.ts';

export function UpdateBanner() {
  const { api, boot } = useAdmin();
  const status = useSignal<Status | null>(null);

  useEffect(() => {
    if (!boot.updates) return;
    api
      .get<Status>('update/status')
      .then((answer) => {
        status.value = answer;
      })
      // Then there is nothing to say; the page of updates tells more.
      .catch((error) => {
        if (!(error instanceof ApiError)) throw error;
      });
  }, []);

  const words = status.value && sentence(status.value);
  if (!words) return null;
  const failed = status.value?.execution.status === 'rollback-failed';
  return (
    <NoticeBox tone={failed ? 'bad' : 'calm'} icon={failed ? 'alert' : 'info'} urgent={failed}>
      {words} <a href={`${boot.base}admin/update`}>{say('dash.more')}</a>
    </NoticeBox>
  );
}

function sentence(status: Status): string | null {
  const { execution, policy, latest } = status;
  const tag = execution.targetTag ?? '';
  if (execution.status === 'rollback-failed' || execution.status === 'scheduled') {
    return say(`update.state.${execution.status}`, { tag });
  }
  if (policy?.reason === 'maintenance-window-missing') return say('update.windowMissing');
  if (policy?.reason === 'maintenance-window-invalid') return say('update.windowInvalid');
  return isNewer(status) ? say('update.available', { version: latest?.version ?? '' }) : null;
}

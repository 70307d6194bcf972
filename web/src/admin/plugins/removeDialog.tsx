// Asks whether a plugin and what it has stored are really meant to go.

import { useSignal } from '@preact/signals';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import type { Installed } from './installed.ts';

interface RemoveDialogProps {
  plugin: Installed;
  // Whether it is removed.
  onClose: (removed: boolean) => void;
}

export function RemoveDialog({ plugin: { name, title }, onClose }: RemoveDialogProps) {
  const { api } = useAdmin();
  const problem = useSignal('');

  const remove = async (): Promise<void> => {
    try {
      await api.post('api/plugins/remove', { name });
      onClose(true);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  return (
    <Dialog title={say('plugins.removeTitle', { title })} onClose={() => onClose(false)}>
      <div class="form">
        {problem.value && (
          <NoticeBox tone="bad" icon="alert" urgent>
            {problem.value}
          </NoticeBox>
        )}
        <p>{say('plugins.removeHint')}</p>
        <div class="dialog-actions">
          <Button kind="danger" onClick={() => void remove()}>
            {say('plugins.removeDo')}
          </Button>
          <Button onClick={() => onClose(false)}>{say('cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

// Dialogs for a draft and for a rejected change.

import { t } from '../../i18n/text.ts';
import { absoluteTime } from '../../i18n/time.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

export function DraftDialog({ onClose }: DialogProps) {
  const { live } = useFrame();
  const draft = live.draft.value;
  if (!draft) return null;
  const title = t('notice.draftTitle', { time: absoluteTime(draft.time) });
  return (
    <Dialog title={title} onClose={onClose}>
      <CopyField label={t('notice.draftText')} value={draft.text} rows={12} />
      <div class="dialog-actions">
        <Button kind="danger" onClick={() => end(onClose, () => draft.discard())}>
          {t('notice.draftDiscard')}
        </Button>
        <span class="grow" />
        <Button onClick={onClose}>{t('common.close')}</Button>
        {draft.mergeable && (
          <Button kind="primary" onClick={() => end(onClose, () => draft.merge())}>
            {t('notice.draftMerge')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

export function RejectedDialog({ onClose }: DialogProps) {
  const { live } = useFrame();
  const rejected = live.rejected.value;
  if (!rejected) return null;
  return (
    <Dialog title={t('notice.rejectedTitle')} onClose={onClose}>
      <CopyField label={t('notice.rejectedInserted')} value={rejected.inserted} rows={4} />
      <CopyField label={t('notice.rejectedText')} value={rejected.text} rows={8} />
      <div class="dialog-actions">
        <Button kind="danger" onClick={() => end(onClose, () => rejected.discard())}>
          {t('notice.rejectedDiscard')}
        </Button>
        <span class="grow" />
        <Button onClick={onClose}>{t('common.close')}</Button>
        <Button kind="primary" onClick={() => end(onClose, () => rejected.retry())}>
          {t('notice.rejectedRetry')}
        </Button>
      </div>
    </Dialog>
  );
}

function end(onClose: () => void, act: () => void): void {
  onClose();
  act();
}

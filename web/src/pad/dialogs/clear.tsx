// Asks before the colours of the whole pad go.

import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

export function ClearDialog({ onClose }: DialogProps) {
  const { live } = useFrame();
  const clear = () => {
    onClose();
    live.clearAuthorship(true);
  };
  return (
    <Dialog title={t('clear.title')} onClose={onClose}>
      <p>{t('clear.whole')}</p>
      <div class="dialog-actions">
        <span class="grow" />
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button kind="danger" onClick={clear}>
          {t('clear.confirm')}
        </Button>
      </div>
    </Dialog>
  );
}

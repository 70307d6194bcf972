// The key by which the pad can be deleted from any browser.

import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

export function KeyDialog({ onClose }: DialogProps) {
  const { boot, deletionKey } = useFrame();
  const key = deletionKey.value ?? '';
  return (
    <Dialog title={t('token.title')} onClose={onClose}>
      <div class="form">
        <p>{t('token.text')}</p>
        <CopyField label={t('token.key')} value={key} primary />
        <div class="dialog-actions">
          <Button icon="download" onClick={() => saveFile(`${boot.padId}.txt`, `${key}\n`)}>
            {t('common.download')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function saveFile(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name.replaceAll(/[^\p{L}\p{N}._-]/gu, '_');
  link.click();
  // The browser has begun by then, and the bytes are not needed any more.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

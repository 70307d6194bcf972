// Pads as files: out of the pad for everybody, into it for those who may write.

import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import type { DialogProps } from '../dialogs/dialogs.tsx';
import { useFrame } from '../frame.ts';
import { ExportLinks } from './export.tsx';
import { ImportForm } from './import.tsx';

export function FilesDialog({ onClose }: DialogProps) {
  const { live, boot } = useFrame();
  const writes = live.info.value?.readOnly === false;
  const print = () => {
    onClose();
    // Not before the dialog has gone.
    requestAnimationFrame(() => window.print());
  };
  return (
    <Dialog title={writes ? t('more.files') : t('more.export')} onClose={onClose}>
      <FieldGroup title={t('files.export')}>
        <ExportLinks boot={boot} />
        <div>
          <Button onClick={print}>{t('files.print')}</Button>
        </div>
      </FieldGroup>
      {writes && (
        <FieldGroup title={t('files.import')}>
          <ImportForm onClose={onClose} />
        </FieldGroup>
      )}
    </Dialog>
  );
}

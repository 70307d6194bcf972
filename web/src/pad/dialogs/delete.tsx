// Deleting the pad: what goes, and the key if one is needed.

import { useSignal } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

export function DeleteDialog({ onClose }: DialogProps) {
  const { live, toast } = useFrame();
  const token = useSignal('');
  const free = live.info.value?.canDeleteWithoutToken === true;
  const ready = free || token.value.trim() !== '';
  const remove = () => {
    live.deletePad(token.value.trim() || undefined);
    onClose();
  };
  const copy = async () => {
    if (await copyText(live.text())) toast({ text: t('common.copied'), tone: 'good' });
  };
  return (
    <Dialog title={t('delete.title')} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) remove();
        }}
      >
        <p>{t('delete.warning')}</p>
        <p>{t('delete.keep')}</p>
        {free ? (
          <p class="hint">{t('delete.tokenOptional')}</p>
        ) : (
          <TextField
            label={t('delete.token')}
            hint={t('delete.tokenHint')}
            value={token.value}
            autocomplete="off"
            monospace
            onInput={(value) => {
              token.value = value;
            }}
          />
        )}
        <div class="dialog-actions">
          <Button icon="copy" onClick={() => void copy()}>
            {t('delete.copyText')}
          </Button>
          <span class="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" kind="danger" icon="trash" disabled={!ready}>
            {t('delete.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

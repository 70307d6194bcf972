// Deleting the pad: what goes, and the key if one is needed.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

export function DeleteDialog({ onClose }: DialogProps) {
  const { live, toast, deletionKey, refusal } = useFrame();
  const token = useSignal(deletionKey.value ?? '');
  const free = live.info.value?.canDeleteWithoutToken === true;
  const ready = free || token.value.trim() !== '';
  const remove = () => {
    refusal.value = null;
    live.deletePad(token.value.trim() || undefined);
  };
  // The page says that the pad is gone, or the dialog why it is not.
  const gone = live.state.value.kind === 'stopped';
  useEffect(() => {
    if (gone) onClose();
  }, [gone]);
  useEffect(
    () => () => {
      refusal.value = null;
    },
    [],
  );
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
            invalid={refusal.value !== null}
            onInput={(value) => {
              token.value = value;
              refusal.value = null;
            }}
          />
        )}
        {refusal.value && (
          <p class="hint" role="alert">
            {refusal.value}
          </p>
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

// What the saved revision that is shown is called, to be named by those who may write.

import { useSignal } from '@preact/signals';
import { t } from '../i18n/text.ts';
import type { SavedRevision } from '../pad/live.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { isTooLong, TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Archive } from './archive.ts';

// As the server has it.
const LONGEST = 255;

// Whether somebody has named it; the server has a label for each, in English.
export function isNamed({ label, revision }: SavedRevision): boolean {
  return !['', `Revision ${revision}`, 'Saved through API call'].includes(label);
}

export function SavedName({ archive }: { archive: Archive }) {
  const naming = useSignal(false);
  const shown = archive.shown.value?.revision;
  const info = archive.joined.value?.info;
  const saved = info?.savedRevisions.find(({ revision }) => revision === shown);
  if (!saved) return null;
  const { revision, label } = saved;
  const name = isNamed(saved) ? label : t('history.savedItem', { revision });
  const close = (): void => {
    naming.value = false;
  };
  if (info?.readOnly !== false) {
    return (
      <span class="saved-name">
        <Icon name="star" />
        <span dir="auto">{name}</span>
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        class="button plain saved-name"
        aria-label={t('history.savedName', { name })}
        data-tip={t('history.nameSaved')}
        onClick={() => {
          naming.value = true;
        }}
      >
        <Icon name="star" />
        <span dir="auto">{name}</span>
      </button>
      {naming.value && <NameDialog archive={archive} saved={saved} onClose={close} />}
    </>
  );
}

interface NameDialogProps {
  archive: Archive;
  saved: SavedRevision;
  onClose: () => void;
}

function NameDialog({ archive, saved, onClose }: NameDialogProps) {
  const name = useSignal(isNamed(saved) ? saved.label : '');
  const failed = useSignal(false);
  const store = async (): Promise<void> => {
    if (isTooLong(name.peek(), LONGEST)) return;
    failed.value = !(await archive.nameSaved(saved.revision, name.peek()));
    if (!failed.peek()) onClose();
  };
  return (
    <Dialog title={t('history.nameSaved')} onClose={onClose}>
      <form
        class="group"
        onSubmit={(event) => {
          event.preventDefault();
          void store();
        }}
      >
        <TextField
          label={t('history.savedLabel', { revision: saved.revision })}
          hint={failed.value ? t('history.nameFailed') : undefined}
          invalid={failed.value}
          value={name.value}
          autocomplete="off"
          autofocus
          longest={LONGEST}
          onInput={(value) => {
            name.value = value;
          }}
        />
        <div class="dialog-actions">
          <span class="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('history.nameStore')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

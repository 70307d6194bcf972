// Making a link, or changing the one at the caret.
//
// Invariant: an address that the page would not follow is not stored; the field says what is missing.

import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { completeUrl } from '../../document/links.ts';
import type { LinkDraft } from '../../editor/namedLinks.ts';
import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

// As `links.ts` has it.
const LONGEST = 2_000;

export function LinkDialog({ onClose }: DialogProps) {
  const { live } = useFrame();
  const draft = useSignal<LinkDraft | null>(null);
  useEffect(() => {
    const read = async () => {
      const found = await live.linkDraft().catch(() => null);
      if (found) draft.value = found;
      else onClose();
    };
    void read();
  }, []);
  return draft.value && <LinkForm draft={draft.value} onClose={onClose} />;
}

function LinkForm({ draft, onClose }: DialogProps & { draft: LinkDraft }) {
  const { live } = useFrame();
  const text = useSignal(draft.text);
  const url = useSignal(draft.url);
  const refused = useSignal(false);
  const id = useId();
  const finish = (act: () => void) => {
    onClose();
    act();
    live.focus();
  };
  const apply = () => {
    const complete = completeUrl(url.value);
    refused.value = !complete;
    if (!complete) document.getElementById(id)?.focus();
    else finish(() => live.setLink(text.value, complete));
  };
  return (
    <Dialog title={draft.exists ? t('link.change') : t('link.add')} onClose={onClose}>
      <form
        class="group"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {text.value !== null && (
          <TextField
            label={t('link.text')}
            value={text.value}
            autocomplete="off"
            onInput={(value) => {
              text.value = value;
            }}
          />
        )}
        <TextField
          id={id}
          inputMode="url"
          label={t('link.address')}
          hint={refused.value ? t('link.refused') : undefined}
          invalid={refused.value}
          value={url.value}
          autocomplete="off"
          autofocus
          longest={LONGEST}
          onInput={(value) => {
            url.value = value;
            refused.value = false;
          }}
        />
        <div class="dialog-actions">
          {draft.exists && (
            <Button onClick={() => finish(() => live.removeLink())}>
              {t('editor.removeLink')}
            </Button>
          )}
          <span class="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit">
            {t('link.apply')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

// A new pad that starts with the text of this one.
//
// Invariant: a pad of a group leads to a pad of the same group, so that nothing leaves it by this.

import { useSignal } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { isTooLong, TextField } from '../../ui/field.tsx';
import { padAddress, useFrame } from '../frame.ts';
import type { DialogProps } from './dialogs.tsx';

const NAME_LENGTH = 50;

export function TemplateDialog({ onClose }: DialogProps) {
  const { boot } = useFrame();
  const [group, own] = splitGroup(boot.padId);
  const name = useSignal(suggestion(own));
  const chosen = name.value.trim();
  const usable = chosen !== '' && !isTooLong(chosen, NAME_LENGTH);
  const make = () => {
    if (!usable) return;
    const address = new URL(padAddress(boot, group + chosen));
    address.searchParams.set('template', boot.padId);
    location.assign(address);
  };
  return (
    <Dialog title={t('template.title')} onClose={onClose}>
      <form
        class="group"
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <p>{t('template.about')}</p>
        <TextField
          label={t('template.name')}
          hint={t('template.nameHint')}
          value={name.value}
          autocomplete="off"
          autofocus
          longest={NAME_LENGTH}
          onInput={(value) => {
            name.value = value;
          }}
        />
        <div class="dialog-actions">
          <span class="grow" />
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" disabled={!usable}>
            {t('template.make')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

// `g.…$` and the name behind it; a pad without a group is all name.
function splitGroup(padId: string): [string, string] {
  const at = padId.indexOf('$') + 1;
  return [padId.slice(0, at), padId.slice(at)];
}

// A read-only id is no name for anybody.
function suggestion(own: string): string {
  return own.startsWith('r.') ? '' : `${own}-2`.slice(-NAME_LENGTH);
}

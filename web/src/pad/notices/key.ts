// The key of a new pad stands in the panel. A phone has no room for that beside the text.

import { effect } from '@preact/signals';
import { t } from '../../i18n/text.ts';
import { isWide } from '../breakpoints.ts';
import type { Frame } from '../frame.ts';

export function showKey({ live, view, panel, toast, tokenSeen }: Frame): void {
  let told = false;
  effect(() => {
    if (!live.info.value?.deletionToken || told || !view.value.controls) return;
    told = true;
    const open = () => {
      panel.value = panel.peek() ?? 'people';
    };
    if (isWide()) open();
    else toast({ text: t('token.title'), actions: [{ label: t('notice.draftShow'), act: open }] });
    tokenSeen.value = false;
  });
}

// Says what a pad could not take of something that was pasted.

import { PASTED, type PasteDetail } from '../../editor/pasted.ts';
import { t } from '../../i18n/text.ts';
import type { Frame } from '../frame.ts';

export function listenToPastes({ toast }: Frame): void {
  document.addEventListener(PASTED, (event) => {
    const { pictures: count = 0 } = (event as CustomEvent<PasteDetail>).detail;
    if (count > 0) toast({ text: t('paste.pictures', { count }), tone: 'warn' });
  });
}

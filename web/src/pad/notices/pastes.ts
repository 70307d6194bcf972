// Says what a pad could not take of something that was pasted, and offers to format Markdown.

import { PASTED, type PasteDetail } from '../../editor/pasted.ts';
import { t } from '../../i18n/text.ts';
import { choose, type PASTED_MARKDOWN, prefs } from '../../prefs/prefs.ts';
import type { Frame } from '../frame.ts';

export function listenToPastes({ toast }: Frame): void {
  document.addEventListener(PASTED, (event) => {
    const { pictures: count = 0, copied, markdown } = (event as CustomEvent<PasteDetail>).detail;
    if (copied) toast({ text: t('common.copied'), tone: 'good' });
    if (count > 0) toast({ text: t('paste.pictures', { count }), tone: 'warn' });
    const wish = prefs.peek().pastedMarkdown;
    if (!markdown || wish === 'never') return;
    if (wish === 'always') {
      markdown();
      return;
    }
    const decide = (pastedMarkdown: (typeof PASTED_MARKDOWN)[number]) => () => {
      choose({ pastedMarkdown });
      if (pastedMarkdown === 'always') markdown();
    };
    const actions = [
      { label: t('paste.never'), act: decide('never') },
      { label: t('paste.always'), act: decide('always') },
      { label: t('paste.once'), primary: true, act: () => markdown() },
    ];
    toast({ text: t('paste.markdown'), actions });
  });
}

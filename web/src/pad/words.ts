// The words the editor itself shows, in the language of the page.

import { t } from '../i18n/text.ts';
import { later } from '../load/later.ts';
import { nameOf } from './guests.ts';
import { withSentences } from './latePart.ts';
import type { EditorWords } from './live.ts';

const late = later(withSentences(() => import('./lateWords.ts')));

export function editorWords(padId: string): EditorWords {
  return {
    label: t('editor.label', { pad: padId }),
    placeholder: t('editor.placeholder'),
    unnamed: (author) => nameOf({ id: author, name: null }),
    task: t('editor.task'),
    openLink: t('editor.openLink'),
    editLink: t('editor.editLink'),
    removeLink: t('editor.removeLink'),
    copy: t('common.copy'),
    copied: t('common.copied'),
    sections: async () => (await late.load()).sectionTools(padId),
    search: async () => (await late.load()).searchTools(),
  };
}

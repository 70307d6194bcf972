// The words the editor itself shows, in the language of the page.

import { t } from '../i18n/text.ts';
import type { EditorWords } from './live.ts';

export function editorWords(padId: string): EditorWords {
  return {
    label: t('editor.label', { pad: padId }),
    placeholder: t('editor.placeholder'),
    unnamed: t('editor.unnamed'),
    search: {
      Find: t('search.find'),
      Replace: t('search.replace'),
      next: t('search.next'),
      previous: t('search.previous'),
      all: t('search.all'),
      'match case': t('search.matchCase'),
      regexp: t('search.regexp'),
      'by word': t('search.byWord'),
      replace: t('search.replaceOne'),
      'replace all': t('search.replaceAll'),
      close: t('search.close'),
      'current match': t('search.currentMatch'),
      'on line': t('search.onLine'),
      'replaced match on line $': t('search.replacedMatch'),
      'replaced $ matches': t('search.replacedMatches'),
      'Go to line': t('search.goToLine'),
      go: t('search.go'),
    },
  };
}

// The words of finding and replacing, by the English originals that CodeMirror names them by.

import { t } from '../i18n/text.ts';

export function searchWords(): Record<string, string> {
  return {
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
  };
}

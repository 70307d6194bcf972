// What the editor needs of the page to find and replace.

import type { SearchTools } from '../../editor/search.ts';
import { t } from '../../i18n/text.ts';
import { findBox } from './box.tsx';

export function searchTools(): SearchTools {
  return {
    phrases: {
      'current match': t('search.currentMatch'),
      'on line': t('search.onLine'),
      'replaced match on line $': t('search.replacedMatch'),
      'replaced $ matches': t('search.replacedMatches'),
      'Go to line': t('search.goToLine'),
      go: t('search.go'),
    },
    box: findBox,
  };
}

// Words of sections and code blocks, and what this browser remembers of them.
//
// Invariant: bounded. Of so many pads so many folded sections are remembered, the newest first.

import type { SectionTools } from '../editor/sectionTools.ts';
import { t } from '../i18n/text.ts';
import { read, write } from '../prefs/storage.ts';

const FOLDS = 'folds';
const MOST_PADS = 30;
const MOST_FOLDS = 100;

type Kept = readonly (readonly [pad: string, slugs: readonly string[]])[];

function kept(): Kept {
  const list = read(FOLDS);
  if (!Array.isArray(list)) return [];
  return list.filter((row): row is [string, string[]] => {
    const [pad, slugs] = Array.isArray(row) ? row : [];
    return typeof pad === 'string' && Array.isArray(slugs) && slugs.every(isText);
  });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function sectionTools(padId: string): SectionTools {
  return {
    section: (heading) => t('outline.section', { heading: heading || t('outline.untitled') }),
    folded: (count) => t('outline.folded', { count }),
    copyLink: (heading) => t('outline.copy', { heading: heading || t('outline.untitled') }),
    copied: t('outline.copied'),
    language: t('outline.language'),
    noLanguage: t('outline.noLanguage'),
    address: (slug) => {
      const address = new URL(location.href);
      address.search = '';
      address.hash = slug;
      return address.href;
    },
    readFolds: () => kept().find(([pad]) => pad === padId)?.[1] ?? [],
    writeFolds: (slugs) => {
      const others = kept().filter(([pad]) => pad !== padId);
      const own = slugs.length > 0 ? [[padId, slugs.slice(0, MOST_FOLDS)]] : [];
      write(FOLDS, [...own, ...others].slice(0, MOST_PADS));
    },
  };
}

// The languages of the interface, and which of them a visitor gets. Those are there that have a
// file in `locales`.
//
// Invariant: English is always there, and is what every missing sentence falls back to.

import type { Sentences } from './text.ts';

export const FILES = import.meta.glob<Sentences>(
  ['../../locales/*.json', '!../../locales/en.json'],
  {
    import: 'default',
  },
);

export const CODES: readonly string[] = [
  'en',
  ...Object.keys(FILES).map((path) => path.replace(/.*\/|\.json$/g, '')),
].sort();

// In its own words, because who looks for it may read nothing else.
export function nameOfLanguage(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

// The first wish that can be met: `fr-CA` by `fr`, `pt` by `pt-BR`, `zh-CN` by `zh-Hans`.
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): string {
  for (const wish of wishes) {
    const form = wish && written(wish.trim().replaceAll('_', '-'));
    const known = form && CODES.find((code) => written(code) === form);
    if (known) return known;
  }
  return 'en';
}

// The language with its script, which is what one can read or not.
function written(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language}-${script}`;
  } catch {
    return '';
  }
}

export function direction(language: string): 'ltr' | 'rtl' {
  return /^(?:ar|he)\b/.test(language) ? 'rtl' : 'ltr';
}

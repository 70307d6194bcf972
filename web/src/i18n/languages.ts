// The languages of the interface, and which of them a visitor gets.
//
// Invariant: English is always there, and is what every missing sentence falls back to.

export interface Language {
  code: string;
  // In its own words, because who looks for it may read nothing else.
  name: string;
}

export const LANGUAGES: readonly Language[] = [
  { code: 'ar', name: 'العربية' },
  { code: 'de', name: 'Deutsch' },
  { code: 'en', name: 'English' },
  { code: 'es', name: 'Español' },
  { code: 'fr', name: 'Français' },
  { code: 'ja', name: '日本語' },
];

const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ks', 'ku', 'ps', 'sd', 'ur']);

// The first wish that can be met, be it only by its first part: `fr-CA` is met by `fr`.
export function chooseLanguage(wishes: readonly (string | null | undefined)[]): string {
  for (const wish of wishes) {
    const tag = wish?.trim().toLowerCase().replaceAll('_', '-');
    if (!tag) continue;
    const known = LANGUAGES.find(({ code }) => tag === code || tag.startsWith(`${code}-`));
    if (known) return known.code;
  }
  return 'en';
}

export function direction(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language.split('-')[0] ?? '') ? 'rtl' : 'ltr';
}

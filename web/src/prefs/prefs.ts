// How this visitor wants pads to look. What is not chosen is absent, and the pad decides.
//
// Invariant: what is read back is checked member by member, so that an old or foreign record can
// spoil one choice at most.

import { signal } from '@preact/signals';
import { read, write } from './storage.ts';

export const AUTHORSHIP = ['stripe', 'background', 'off'] as const;
export const DIRECTIONS = ['auto', 'ltr', 'rtl'] as const;
export const THEMES = ['auto', 'light', 'dark'] as const;
export const SIZES = [14, 16, 18, 20, 24] as const;
// Characters in a line; 0 is the whole window.
export const WIDTHS = [56, 74, 96, 0] as const;

// Whether Markdown that is pasted is formatted.
export const PASTED_MARKDOWN = ['ask', 'always', 'never'] as const;

export interface Prefs {
  authorship?: (typeof AUTHORSHIP)[number];
  fade?: boolean;
  lineNumbers?: boolean;
  font?: string;
  size?: number;
  width?: number;
  direction?: (typeof DIRECTIONS)[number];
  theme?: (typeof THEMES)[number];
  language?: string;
  chatShown?: boolean;
  chatOpen?: boolean;
  chatAndUsers?: boolean;
  // Whether the author of what is under the pointer is shown.
  whoWrote?: boolean;
  // Whether screen readers announce people who come and go.
  joins?: boolean;
  // Whether all of a short text is in the page, for screen readers.
  wholeText?: boolean;
  // Whether pads are kept in this browser, for when there is no network.
  offline?: boolean;
  // Whether characters of Markdown become formatting while one types.
  markdown?: boolean;
  // Whether typing suggests commands (`/`), and emoji and people (`:`, `@`).
  slash?: boolean;
  suggest?: boolean;
  pastedMarkdown?: (typeof PASTED_MARKDOWN)[number];
}

type Check = (value: unknown) => boolean;
const isBoolean: Check = (value) => typeof value === 'boolean';
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
// Becomes a font-family, which cannot end the declaration it stands in, and a file name's part.
const isPlainName: Check = (value) => typeof value === 'string' && /^[\w ,'"-]{0,80}$/.test(value);

const CHECKS: Record<keyof Prefs, Check> = {
  authorship: oneOf(AUTHORSHIP),
  fade: isBoolean,
  lineNumbers: isBoolean,
  font: isPlainName,
  size: oneOf(SIZES),
  width: oneOf(WIDTHS),
  direction: oneOf(DIRECTIONS),
  theme: oneOf(THEMES),
  language: isPlainName,
  chatShown: isBoolean,
  chatOpen: isBoolean,
  chatAndUsers: isBoolean,
  whoWrote: isBoolean,
  joins: isBoolean,
  wholeText: isBoolean,
  offline: isBoolean,
  markdown: isBoolean,
  slash: isBoolean,
  suggest: isBoolean,
  pastedMarkdown: oneOf(PASTED_MARKDOWN),
};

export function checkPrefs(record: unknown): Prefs {
  if (typeof record !== 'object' || record === null) return {};
  const sound = Object.entries(record).filter(([name, value]) =>
    CHECKS[name as keyof Prefs]?.(value),
  );
  return Object.fromEntries(sound);
}

export const prefs = signal<Prefs>(checkPrefs(read('prefs')));

export function choose(change: Prefs): void {
  prefs.value = { ...prefs.value, ...change };
  write('prefs', prefs.value);
}

export function forgetChoices(): void {
  prefs.value = {};
  write('prefs', prefs.value);
}

// The server writes its pages in this language too; it cannot see what the browser keeps for us.
export function keepLanguageCookie(name: string, language: string | undefined): void {
  const age = language ? 365 * 24 * 60 * 60 : 0;
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has another way.
  document.cookie = `${name}=${language ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
}

// The sentences of the interface in the visitor's language.
//
//   await useLanguage('de');
//   t('chat.unread', { count: 3 });
//
// Invariant: keys are those of en.json, checked by the compiler. What a language lacks is said in
// English, key by key. Reading `t` inside a component redraws it when the language changes.

import { signal } from '@preact/signals';
import en from '../../locales/en.json';
import { direction } from './languages.ts';
import { type Arguments, format } from './message.ts';

export type Key = keyof typeof en;
type Sentences = Partial<Record<Key, string>>;

const chunks = import.meta.glob<Sentences>(['../../locales/*.json', '!../../locales/en.json'], {
  import: 'default',
});

const current = signal<{ language: string; sentences: Sentences }>({
  language: 'en',
  sentences: en,
});

// For texts that the server names.
export function isKey(name: string): name is Key {
  return Object.hasOwn(en, name);
}

export function language(): string {
  return current.value.language;
}

export function t(key: Key, values: Arguments = {}): string {
  const { language, sentences } = current.value;
  const own = sentences[key];
  return own === undefined ? format(en[key], values, 'en') : format(own, values, language);
}

// A language that cannot be loaded leaves the page as it is: in words one can read.
export async function useLanguage(code: string): Promise<void> {
  const load = code === 'en' ? async () => en : chunks[`../../locales/${code}.json`];
  const sentences = await load?.().catch(() => undefined);
  if (!sentences) return;
  current.value = { language: code, sentences };
  const root = document.documentElement;
  root.lang = code;
  root.dir = direction(code);
}

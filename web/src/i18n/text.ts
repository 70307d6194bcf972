// The sentences of the interface in the visitor's language.
//
//   await useLanguage('de');
//   t('chat.unread', { count: 3 });
//
// Invariant: keys are those of en.json, checked by the compiler. What a language lacks is said in
// English, key by key. Reading `t` inside a component redraws it when the language changes.

import { signal } from '@preact/signals';
import en from '../../locales/en.json';
import { direction, FILES } from './languages.ts';
import { type Arguments, format } from './message.ts';

export type Key = keyof typeof en;
export type Sentences = Partial<Record<Key, string>>;

const current = signal<{ language: string; sentences: Sentences }>({
  language: 'en',
  sentences: en,
});

// What parts that are loaded later say, by language.
const late = signal<Readonly<Record<string, Sentences>>>({});

export function addSentences(code: string, sentences: Sentences): void {
  late.value = { ...late.peek(), [code]: sentences };
}

// What the operator says in words of their own, by language.
let own: Readonly<Record<string, Sentences>> = {};

export function useOwnSentences(sentences: typeof own): void {
  own = sentences;
}

// For texts that the server names.
export function isKey(name: string): name is Key {
  return Object.hasOwn(en, name) || Object.hasOwn(late.peek().en ?? {}, name);
}

export function language(): string {
  return current.value.language;
}

export function t(key: Key, values: Arguments = {}): string {
  const { language, sentences } = current.value;
  const said = own[language]?.[key] ?? sentences[key] ?? late.value[language]?.[key];
  if (said !== undefined) return format(said, values, language);
  return format(en[key] ?? late.value.en?.[key] ?? key, values, 'en');
}

// A language that cannot be loaded leaves the page as it is: in words one can read.
export async function useLanguage(code: string): Promise<void> {
  const load = code === 'en' ? async () => en : FILES[`../../locales/${code}.json`];
  const sentences = await load?.().catch(() => undefined);
  if (!sentences) return;
  current.value = { language: code, sentences };
  const root = document.documentElement;
  root.lang = code;
  root.dir = direction(code);
}

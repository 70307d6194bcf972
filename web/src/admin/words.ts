// The sentences of the admin area. They are apart from those of the pads, which nobody should have
// to wait longer for because of them.
//
// Invariant: keys are those of texts/en.json. What a language lacks is said in English.

import { signal } from '@preact/signals';
import { type Arguments, format } from '../i18n/message.ts';
import { language } from '../i18n/text.ts';
import en from './texts/en.json';

export type Word = keyof typeof en;
type Words = Partial<Record<Word, string>>;

const chunks = import.meta.glob<Words>(['./texts/*.json', '!./texts/en.json'], {
  import: 'default',
});
const own = signal<Words>({});

export async function loadWords(code: string): Promise<void> {
  const words = await chunks[`./texts/${code}.json`]?.().catch(() => undefined);
  own.value = words ?? {};
}

export function say(key: Word, values: Arguments = {}): string {
  const words = own.value[key];
  return words === undefined ? format(en[key], values, 'en') : format(words, values, language());
}

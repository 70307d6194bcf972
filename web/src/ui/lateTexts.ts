// Texts and icons of components that load after the first paint.
//
// Invariant: code that uses one of them waits for `lateSentences` before. Afterwards they follow the
// language of the page; what does not come is said in English.

// Code that uses them may show an icon as well.
import './moreIcons.ts';
import { effect } from '@preact/signals';
import { addSentences, language, type Sentences } from '../i18n/text.ts';

const chunks = import.meta.glob<Sentences>('../../locales/*.json', {
  query: '?late',
  import: 'default',
});
const asked = new Map<string, Promise<void>>();

function ask(code: string): Promise<void> {
  const load = async () => {
    const sentences = await chunks[`../../locales/${code}.json`]?.();
    if (sentences) addSentences(code, sentences);
  };
  const answer = asked.get(code) ?? load();
  asked.set(code, answer);
  answer.catch(() => asked.delete(code));
  return answer;
}

export async function lateSentences(): Promise<void> {
  await Promise.all([ask('en'), ask(language()).catch(() => {})]);
}

effect(() => {
  void ask(language()).catch(() => {});
});

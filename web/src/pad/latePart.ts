// Parts of the page that come with sentences of their own.

import { lazy } from '../ui/lazy.ts';

export function withSentences<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    const [part, { lateSentences }] = await Promise.all([load(), import('../ui/lateTexts.ts')]);
    await lateSentences();
    return part;
  };
}

export const latePart: typeof lazy = (load) => lazy(withSentences(load));

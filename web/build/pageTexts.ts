// A Vite plugin that leaves out of the scripts what only the server's own pages say.
//
// Invariant: a text is in the folder of languages once. Which side uses it is told by the first
// word of its key.

import type { Plugin } from 'vite';

const SERVERS_OWN = /^(?:shell|home|notFound|signIn|signOut)\./;
// Said by both.
const SHARED = new Set(['home.keepList']);

export function pageTexts(): Plugin {
  return {
    name: 'page-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/locales\/[\w-]+\.json$/.test(id)) return null;
      const texts: Record<string, string> = JSON.parse(code);
      const kept = Object.entries(texts).filter(
        ([key]) => SHARED.has(key) || !SERVERS_OWN.test(key),
      );
      return { code: JSON.stringify(Object.fromEntries(kept)), map: null };
    },
  };
}

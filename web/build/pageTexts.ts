// A Vite plugin that leaves out of the scripts what only the server's own pages say, and gives
// what only parts loaded later say in files of its own, asked for by `?late`.
//
// Invariant: a text is in the folder of languages once. The first word of its key
// says who uses it.

import type { Plugin } from 'vite';

// The history page, the dialogs, the panel, the notices, finding.
const LATE =
  /^(?:files|history|link|share|settings|shortcuts|connection|delete|clear|panel|palette|suggest|chat|people|token|title|notice|stopped|update|pad|paste|search|outline|guest|template|colour|font|align|authorship)\./;
const SERVERS_OWN = /^(?:shell|read|home|notFound|tooManyPads|denied|signIn|signOut)\./;
// Said by the server and by scripts.
const SHARED = new Set(['home.keepList', 'home.admin']);
// Said by the header as well.
const EARLY = new Set(['panel.people', 'people.you']);

export function pageTexts(): Plugin {
  return {
    name: 'page-texts',
    enforce: 'pre',
    transform(code, id) {
      const asked = /\/locales\/[\w-]+\.json(\?late)?$/.exec(id);
      if (!asked) return null;
      const late = asked[1] !== undefined;
      const texts: Record<string, string> = JSON.parse(code);
      const isLate = (key: string) => LATE.test(key) && !EARLY.has(key);
      const kept = Object.entries(texts).filter(
        ([key]) => isLate(key) === late && (SHARED.has(key) || !SERVERS_OWN.test(key)),
      );
      const json = JSON.stringify(Object.fromEntries(kept));
      // With a question behind its name a file is no JSON to the bundler.
      if (late) return { code: `export default ${json}`, map: null, moduleType: 'js' };
      return { code: json, map: null };
    },
  };
}

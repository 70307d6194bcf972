// A Vite plugin that leaves CodeMirror's own undo out: the pad has one that knows of others' changes.
//
// Invariant: it takes away one assignment, for which the bundler would keep all of it (1.1 kB packed).
// A version of the package without that line stops the build.

import type { Plugin } from 'vite';

const KEEPS_ALL = 'HistoryState.empty = /*@__PURE__*/new HistoryState(none, none);';

export function noHistory(): Plugin {
  return {
    name: 'no-history',
    enforce: 'pre',
    transform: {
      filter: { id: /\/@codemirror\/commands\/dist\/index\.js$/ },
      handler(code) {
        if (!code.includes(KEEPS_ALL)) this.error('the line to leave out is not there');
        return { code: code.replace(KEEPS_ALL, ''), map: null };
      },
    },
  };
}

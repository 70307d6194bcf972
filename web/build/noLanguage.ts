// A Vite plugin that keeps the editor's parts for programming languages out of the first load.
//
// Invariant: only what CodeMirror's own packages import is replaced. The colours of code blocks, which
// are loaded when such a block is on the screen, get the real parsers.

import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const EMPTY = fileURLToPath(new URL('../src/editor/noLanguage.ts', import.meta.url));

export function noLanguage(): Plugin {
  return {
    name: 'no-language',
    enforce: 'pre',
    resolveId(source, importer) {
      const named = source === '@codemirror/language' || source === '@lezer/common';
      return named && importer?.includes('/@codemirror/') ? EMPTY : null;
    },
  };
}

// The browser build: hashed files in `dist/assets/` and a manifest from which the server takes
// their names. The pages themselves are written by the server, so no HTML is built here.

import { defineConfig } from 'vite';

import { noHistory } from './build/noHistory.ts';
import { noLanguage } from './build/noLanguage.ts';
import { ownBundle } from './build/ownBundle.ts';
import { pageTexts } from './build/pageTexts.ts';
import { plainImports } from './build/plainImports.ts';
import { precompress } from './build/precompress.ts';

export default defineConfig({
  // Relative, because a proxy may serve the whole service below a path.
  base: './',
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    manifest: true,
    // Browsers that know light-dark() and relative colours, so that neither is rewritten.
    target: ['chrome125', 'firefox128', 'safari18'],
    // The policy of our pages has no data: for scripts and styles.
    assetsInlineLimit: 0,
    // The server names what the first load needs, and the rest is small.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        pad: 'src/pad/main.ts',
        'api-docs': 'src/api-docs/main.ts',
        'sign-in': 'src/sign-in/main.ts',
        offline: 'src/offline/worker.ts',
        // What plugins import as `padsvc`.
        plugin: 'src/plugin/main.ts',
      },
      preserveEntrySignatures: 'exports-only',
      output: {
        // What the pad page needs to be written in is one file, with everything below it: that
        // packs better and takes fewer requests than a file for each set of modules that parts
        // loaded later use as well.
        codeSplitting: {
          groups: [{ name: 'pad', test: /src\/pad\/(?:main\.ts|start\.tsx|live\.ts)$/ }],
        },
      },
    },
  },
  plugins: [
    noLanguage(),
    noHistory(),
    pageTexts(),
    plainImports(),
    ownBundle({ name: 'home', input: 'src/home/main.ts' }),
    ownBundle({ name: 'admin', input: 'src/admin/main.ts' }),
    ownBundle({ name: 'early', input: 'src/early/main.ts', isPlain: true }),
    precompress(),
  ],
});

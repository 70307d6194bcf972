// Command-line tools, each bundled into one file that Node starts without a loader.

import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    outDir: 'dist-tools',
    ssr: true,
    target: 'node20',
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        'admin-screenshots': 'tools/admin-screenshots.ts',
        'contact-sheet': 'tools/contact-sheet.ts',
        differential: 'tools/differential.ts',
        'page-bench': 'tools/page-bench.ts',
        screenshots: 'tools/screenshots.ts',
        'size-gate': 'tools/size-gate.ts',
      },
      // All in one folder, so that places beside it are found from everywhere.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
  },
});

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
        differential: 'tools/differential.ts',
        'page-bench': 'tools/page-bench.ts',
        screenshots: 'tools/screenshots.ts',
        'size-gate': 'tools/size-gate.ts',
      },
      output: { entryFileNames: '[name].js' },
    },
  },
});

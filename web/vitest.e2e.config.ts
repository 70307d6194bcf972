// Tests in a real browser, against the server whose address is in PADSVC_URL.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    environment: 'node',
    reporters: ['default', './e2e/reporter.ts'],
    // One browser at a time: figures and screenshots are worth nothing on a crowded machine.
    fileParallelism: false,
    // A browser on a crowded machine may be late once; what is wrong is wrong twice. The report
    // names the tests that were tried again.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

// Tests in a real browser, against the server whose address is in PADSVC_URL.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    environment: 'node',
    reporters: ['default', './e2e/reporter.ts'],
    // One browser at a time: figures and screenshots are worth nothing on a crowded machine.
    fileParallelism: false,
    // Nothing is tried twice: a test that fails now and then has a cause.
    retry: 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A page on a crowded machine needs more than the usual second to render what it received.
    expect: { poll: { timeout: 15_000, interval: 100 } },
  },
});

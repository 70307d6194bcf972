// Tests in a real browser, against the server whose address is in PADSVC_URL.

import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './e2e/patience.ts';

export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    environment: 'node',
    reporters: ['default', './e2e/reporter.ts'],
    // Two browsers keep two processors busy; figures are taken by the bench, which runs alone.
    maxWorkers: 2,
    // Nothing is tried twice: a test that fails now and then has a cause.
    retry: 0,
    // What is there passes at once; these limits are for a machine ten times slower and busy. A step
    // has less time than its test, so that a failure names the step.
    testTimeout: 10 * 60_000,
    hookTimeout: 10 * 60_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: 100 } },
    // With such limits a broken server would take hours.
    bail: 10,
  },
});

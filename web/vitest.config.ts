// Unit and law tests. They run in Node: nothing they cover touches the page.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 5 * 60_000,
  },
});

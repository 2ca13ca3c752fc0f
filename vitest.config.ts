import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Suites of their own: npm run test:designs, test:stability, test:figures and test:applications.
    exclude: [
      'test/designs/**',
      'test/stability/**',
      'test/audit/large-sets.test.ts',
      'test/applications/**',
      'test/prove/**',
    ],
    globalSetup: ['test/support/shared-replica-set.ts'],
    // Else a style sheet is empty.
    css: true,
    pool: 'forks',
    // Each worker drives a real server, which needs the processor too.
    maxWorkers: 2,
    // Ten times what the longest take, for machines that are busy with others.
    testTimeout: 300_000,
    // The first use on a machine downloads a server.
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
  },
});

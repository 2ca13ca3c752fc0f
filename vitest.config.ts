import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/shared-replica-set.ts'],
    pool: 'forks',
    // Each worker drives a real server, which needs the processor too.
    maxWorkers: 2,
    testTimeout: 60_000,
    // The first use on a machine downloads a server.
    hookTimeout: 180_000,
    teardownTimeout: 30_000,
  },
});

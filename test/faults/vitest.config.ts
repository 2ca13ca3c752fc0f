import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

const { globalSetup: _, ...test } = settings;

/**
 * `npm run test:faults`. Each file has a server of its own, and runs several cases at once on it: most of them wait. The
 * longest, a million documents, took eight minutes on a machine with ten times as much to do as it has processors.
 */
export default defineConfig({
  test: {
    ...test,
    include: ['test/faults/**/*.faults.ts'],
    maxWorkers: 3,
    maxConcurrency: 12,
    testTimeout: 1_800_000,
  },
});

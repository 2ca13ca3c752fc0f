import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** Remedies held against recorded workloads on a real server: `npm run prove`, some ten minutes. */
export default defineConfig({
  test: {
    ...settings,
    globalSetup: [],
    include: ['test/prove/*.suite.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 7_200_000,
    hookTimeout: 7_200_000,
  },
});

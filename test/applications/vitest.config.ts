import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** Real applications, installed from their packages: `npm run test:applications`, some minutes. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/applications/*.suite.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});

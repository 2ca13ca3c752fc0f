import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

/** Real applications, installed from their packages: `npm run test:applications`, some minutes. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['test/applications/*.suite.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});

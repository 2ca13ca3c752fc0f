import { defineConfig } from 'vitest/config';
import { settings } from '../../../vitest.config.js';

/** Published packages, installed and driven: `npm run test:code`, some minutes. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/code/{packages,gate}/*.suite.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
  },
});

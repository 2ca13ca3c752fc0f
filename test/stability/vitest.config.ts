import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** `npm run test:stability`. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/stability/**/*.test.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});

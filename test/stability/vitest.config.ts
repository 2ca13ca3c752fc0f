import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

/** `npm run test:stability`. */
export default defineConfig({
  test: {
    ...shared.test,
    include: ['test/stability/**/*.test.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});

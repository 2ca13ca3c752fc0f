import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** Troubles that people told of in public: `npm run test:incidents`, five minutes. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/incidents/*.suite.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

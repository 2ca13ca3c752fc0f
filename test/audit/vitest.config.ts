import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** `npm run test:figures`. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/audit/**/*.test.ts', 'test/demo/seeded-cluster.live.test.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 1_800_000,
  },
});

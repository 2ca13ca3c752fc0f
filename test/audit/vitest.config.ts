import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

/** `npm run test:figures`. */
export default defineConfig({
  test: { ...shared.test, include: ['test/audit/**/*.test.ts'], exclude: [], maxWorkers: 1 },
});

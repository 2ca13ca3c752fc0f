import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

const { globalSetup: _, ...test } = settings;

/** `npm run test:faults`. Each file has a server of its own, and runs several cases at once on it: most of them wait. */
export default defineConfig({
  test: { ...test, include: ['test/faults/**/*.faults.ts'], maxWorkers: 3, maxConcurrency: 12 },
});

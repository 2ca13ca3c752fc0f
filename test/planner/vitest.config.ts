import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** The planner's model beside a server, many pairs: `npm run test:planner`, some minutes. */
export default defineConfig({
  test: {
    ...settings,
    globalSetup: [],
    include: ['test/planner/*.suite.ts'],
    exclude: [],
    testTimeout: 7_200_000,
  },
});

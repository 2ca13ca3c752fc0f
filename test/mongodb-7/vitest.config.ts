import { configDefaults, defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** The live tests on MongoDB 7.0.28: `npm run test:mongodb-7`, with parts of paths for some of them. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/**/*.live.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      // Resharding ends this build for Windows, and the tests would wait for it.
      'test/checks/sharding-remedies.live.test.ts',
      // Windows has no limit of open files, and the test sets one.
      'test/checks/open-files.live.test.ts',
    ],
    globalSetup: ['test/mongodb-7/use-mongodb-7.ts', 'test/support/shared-replica-set.ts'],
  },
});

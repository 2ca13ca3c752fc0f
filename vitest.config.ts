import { defineConfig, type ViteUserConfig } from 'vitest/config';

const LIVE = 'test/**/*.live.test.ts';
/** Suites of their own, such as `npm run test:designs`; that of the language is a step of `npm run lint`. */
const SUITES = [
  'test/designs/**',
  'test/language/**',
  'test/stability/**',
  'test/audit/large-sets.test.ts',
  'test/applications/**',
  'test/prove/**',
];

/** Of these tests and of the suites, each of which has a configuration of its own. */
export const settings = {
  globalSetup: ['test/support/shared-replica-set.ts'],
  // Else a style sheet is empty.
  css: true,
  pool: 'forks',
  // For two cores: a third of the time, a test waits for a server or for a process that it started.
  maxWorkers: 3,
  // Ten times what the longest take, for machines that are busy with others.
  testTimeout: 300_000,
  // The first use on a machine downloads a server.
  hookTimeout: 600_000,
  teardownTimeout: 60_000,
  // What is waited for comes, however late.
  expect: { poll: { timeout: 60_000 } },
} satisfies ViteUserConfig['test'];

export default defineConfig({
  test: {
    projects: [
      // No module holds a state between files: loading all of them again for each file took longer than the tests themselves.
      {
        extends: true,
        test: { name: 'plain', include: ['test/**/*.test.ts'], exclude: [LIVE, ...SUITES], isolate: false },
      },
      { extends: true, test: { name: 'live', include: [LIVE], exclude: SUITES, isolate: false } },
    ],
    ...settings,
  },
});

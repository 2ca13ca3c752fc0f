import { defineConfig } from 'vitest/config';

/** On FerretDB 1, which Go builds from its module: `npm run test:ferretdb`. */
export default defineConfig({
  test: { include: ['test/ferretdb/*.suite.ts'], testTimeout: 300_000, hookTimeout: 900_000 },
});

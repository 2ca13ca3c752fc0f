import { defineConfig } from 'vitest/config';

/** By pnpm and Yarn, which npm fetches, and beside another driver: `npm run test:package`. */
export default defineConfig({
  test: { include: ['test/package/*.suite.ts'], testTimeout: 300_000, hookTimeout: 900_000 },
});

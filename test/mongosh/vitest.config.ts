import { defineConfig } from 'vitest/config';

/** In mongosh, which npm installs: `npm run test:mongosh`. */
export default defineConfig({
  test: { include: ['test/mongosh/*.suite.ts'], testTimeout: 300_000, hookTimeout: 900_000 },
});

import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

const { globalSetup: _, projects: __, ...test } = shared.test ?? {};

/** The oracle alone, without a server: `npm run oracle`. */
export default defineConfig({ test: { ...test, include: ['test/oracle/*.test.ts'] } });

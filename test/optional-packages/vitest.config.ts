import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

/** The driver's optional packages, installed from the registry: `npx vitest run --config test/optional-packages/vitest.config.ts`. */
export default defineConfig({ test: { ...settings, include: ['test/optional-packages/**/*.test.ts'] } });

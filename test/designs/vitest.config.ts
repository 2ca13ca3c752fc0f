import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

const { globalSetup: _, exclude: __, ...test } = shared.test ?? {};

/** The labelled designs alone, on a server of their own. */
export default defineConfig({ test: { ...test, include: ['test/designs/**/*.test.ts'] } });

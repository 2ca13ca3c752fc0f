import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

const { globalSetup: _, ...test } = settings;

/** The labelled designs alone, on a server of their own. */
export default defineConfig({ test: { ...test, include: ['test/designs/**/*.test.ts'] } });

import { defineConfig } from 'vitest/config';
import { settings } from '../../vitest.config.js';

export default defineConfig({ test: { ...settings, include: ['test/docs/images.suite.ts'] } });

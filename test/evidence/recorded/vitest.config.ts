import { defineConfig } from 'vitest/config';
import shared from '../../../vitest.config.js';

const { globalSetup: _, ...test } = shared.test ?? {};

export default defineConfig({ test: { ...test, include: ['test/evidence/recorded/record-evidence.ts'] } });

import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/language/language.test.ts'], reporters: ['dot'] } });

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { defineConfig } from 'rolldown';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'peerDependencies',
  Record<string, string>
>;
const outside = new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...builtinModules]);

/**
 * Bundles mongolint's own modules, since loading hundreds of small files takes longer than linting a small cluster.
 * The packages that it depends on stay outside, so that they can be updated on their own; helpers that the bundler adds
 * go in, since nobody installs them.
 */
export default defineConfig({
  input: { cli: 'dist/src/cli.js', index: 'dist/src/index.js' },
  platform: 'node',
  external: (module) => module.startsWith('node:') || outside.has(packageOf(module)),
  output: { dir: 'dist/bundle', format: 'esm', cleanDir: true },
  logLevel: 'warn',
});

function packageOf(module: string): string {
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'peerDependencies',
  Record<string, string>
>;
const RAW = '?raw';
const outside = new Set([...Object.keys({ ...dependencies, ...peerDependencies }), ...builtinModules]);

/** Puts a file into the bundle that is imported as text. It lies in the sources, since the compiler copies none. */
const rawText: Plugin = {
  name: 'raw-text',
  resolveId: (id, importer) =>
    id.endsWith(RAW) && importer !== undefined
      ? join('src', relative('dist/src', join(dirname(importer), id)))
      : undefined,
  load: (id) =>
    id.endsWith(RAW) ? `export default ${JSON.stringify(readFileSync(id.slice(0, -RAW.length), 'utf8'))};` : undefined,
};

/**
 * Bundles mongolint's own modules, since loading hundreds of small files takes longer than linting a small cluster.
 * The packages that it depends on stay outside, so that they can be updated on their own; helpers that the bundler adds
 * go in, since nobody installs them.
 */
export default defineConfig({
  input: { cli: 'dist/src/cli.js', index: 'dist/src/index.js' },
  platform: 'node',
  external: (module) => module.startsWith('node:') || outside.has(packageOf(module)),
  plugins: [rawText],
  output: { dir: 'dist/bundle', format: 'esm', cleanDir: true },
  logLevel: 'warn',
});

function packageOf(module: string): string {
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

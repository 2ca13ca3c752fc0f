import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const packageJson = (folder: string) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const { name, version, dependencies, peerDependencies } = packageJson('.');
const packages = Object.keys({ ...dependencies, ...peerDependencies });

/** Whatever the user's package manager installs is left to it. */
const external = packages.map((one) => new RegExp(`^${one}(/|$)`));
const resolve = { extensionAlias: { '.js': ['.ts', '.js'] } };
const dir = 'dist/bundle';

/** Ends the script with the licenses of the packages in it, and gzips it: it is only printed. */
const licensedAndGzipped: Plugin = {
  name: 'licensed-and-gzipped',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const folders = file.moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []);
      const licenses = [...new Set(folders)].sort().flatMap(licenseOf);
      const source = gzipSync([file.code.trimEnd(), ...licenses, ''].join('\n'));
      this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source });
      delete bundle[file.fileName];
    }
  },
};

function licenseOf(folder: string): string[] {
  const info = packageJson(folder);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? info.license : readFileSync(`${folder}/${file}`, 'utf8');
  return [`${info.name} ${info.version}`, '', ...text.trim().split(/\r?\n/), ''].map((line) => `// ${line}`.trimEnd());
}

/** Puts mongolint's own modules into a few files: hundreds take half a second more to load. Packages stay as they are. */
await build([
  {
    // The last one is the image's alone: docker-compose.yml seeds its servers with it.
    input: {
      anchor: 'src/anchor.ts',
      cli: 'src/cli.ts',
      index: 'src/index.ts',
      'seed-cluster': 'test/exhibits/seed-cluster.ts',
    },
    platform: 'node',
    external,
    resolve,
    output: { dir, chunkFileNames: '[name]-[hash].js', sourcemap: true, sourcemapExcludeSources: true, cleanDir: true },
    logLevel: 'warn',
  },
  {
    // One file, packages included: `mongolint collect --script` prints it, and somebody else runs it in a shell.
    input: 'src/cli/collect-in-shell.ts',
    platform: 'node',
    external: Object.keys(packageJson('node_modules/mongodb').peerDependencies),
    resolve,
    transform: { define: { TOOL_IN_SHELL: JSON.stringify({ name, version }) } },
    plugins: [licensedAndGzipped],
    output: { dir, entryFileNames: '[name].cjs', format: 'cjs', codeSplitting: false, comments: false },
    logLevel: 'warn',
  },
  {
    input: { index: 'dist/src/index.d.ts' },
    external,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
    output: { dir },
    checks: { pluginTimings: false },
    logLevel: 'warn',
  },
]);

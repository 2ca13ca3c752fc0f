import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type ChunkingContext, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

const packageJson = (folder: string) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
const { name, version, dependencies, peerDependencies } = packageJson('.');
const packages = Object.keys({ ...dependencies, ...peerDependencies });

/** Whatever the user's package manager installs is left to it. */
const external = packages.map((one) => new RegExp(`^${one}(/|$)`));
const resolve = { extensionAlias: { '.js': ['.ts', '.js'] } };
const dir = 'dist/bundle';

/** The catalogue as plain data: who only lists the checks does not load them. */
const evaluated: Plugin = {
  name: 'evaluated',
  load: {
    filter: { id: /cli\/check-catalogue\.ts$/ },
    async handler() {
      const { catalogue } = await import('../src/cli/check-catalogue.js');
      return `export const catalogue = ${JSON.stringify(catalogue)};`;
    },
  },
};

/** Ends the script with the licenses of the packages in it, and gzips it: it is only printed. */
const licensedAndGzipped: Plugin = {
  name: 'licensed-and-gzipped',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const source = gzipSync(
        [file.code.trimEnd(), ...licensesOf(file.moduleIds).map((line) => `// ${line}`.trimEnd()), ''].join('\n'),
      );
      this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source });
      delete bundle[file.fileName];
    }
  },
};

/** Puts the licenses of the packages in the bundle beside it. */
const licensed: Plugin = {
  name: 'licensed',
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: [...licensesOf(ids), ''].join('\n') });
  },
};

/** What zod ignores holds for the line below the comment. */
const ignoringAsWritten: Plugin = {
  name: 'ignoring-as-written',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = file.code.replaceAll(/(?<=\/\*\* @ts-ignore [^*]*\*\/)(?!\n)/g, '\n');
  },
};

function licensesOf(moduleIds: readonly string[]): string[] {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []);
  return [...new Set(folders)].sort().flatMap(licenseOf);
}

function licenseOf(folder: string): string[] {
  const info = packageJson(folder);
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? info.license : readFileSync(`${folder}/${file}`, 'utf8');
  return [`${info.name} ${info.version}`, '', ...text.trim().split(/\r?\n/), ''];
}

/** What is loaded together is one file: what every command line needs; what the catalogue, and what a lint needs beside it. */
const LOADED_TOGETHER = {
  'command-line': ['run-process', 'program', 'run-news', 'module-loading', 'supervisor'],
  'catalogue-commands': ['catalogue-commands'],
  lint: ['lint-command', 'lint-targets', 'run-settings', 'run-policy', '../report/table'],
};

let together: ReadonlyMap<string, string> | null = null;

function chunkOf(module: string, bundle: ChunkingContext): string | null {
  together ??= new Map(
    Object.entries(LOADED_TOGETHER)
      .toReversed()
      .flatMap(([chunk, names]) => loadedWith(names, bundle).map((one) => [one, chunk])),
  );
  return together.get(module) ?? null;
}

function loadedWith(names: readonly string[], bundle: ChunkingContext): string[] {
  const loaded = new Set(names.map((one) => resolvePath(`src/cli/${one}.ts`)));
  for (const module of loaded) for (const each of bundle.getModuleInfo(module)?.importedIds ?? []) loaded.add(each);
  return [...loaded];
}

/**
 * Puts mongolint's own modules into a few files: hundreds take half a second more to load. Packages stay as they are, but for
 * zod: mongolint uses a fortieth of its 8 MB.
 */
await build({
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
  // Chunks may import each other's parts; what an entry exports to users stays, as the tests of the package hold.
  preserveEntrySignatures: 'allow-extension',
  plugins: [evaluated, licensed],
  output: {
    dir,
    chunkFileNames: '[name]-[hash].js',
    // Each further file takes half a millisecond to load.
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkOf, debugName: 'loaded together' }],
    },
    sourcemap: true,
    sourcemapExcludeSources: true,
    cleanDir: true,
  },
  // A lint loads at once what other commands load only when they need it.
  checks: { ineffectiveDynamicImport: false },
  logLevel: 'warn',
});

// npm makes it executable only when it installs: the command of a linked clone must outlive the next build.
chmodSync(`${dir}/cli.js`, 0o755);

// Later: the first one empties the folder.
await build([
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
    input: { anchor: 'dist/src/anchor.d.ts', index: 'dist/src/index.d.ts' },
    external,
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), ignoringAsWritten],
    output: { dir },
    checks: { pluginTimings: false },
    logLevel: 'warn',
  },
]);

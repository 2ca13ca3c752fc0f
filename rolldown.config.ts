import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules, isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type ChunkingContext, type Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { dts } from 'rolldown-plugin-dts';
import { SHORTCUTS } from './.ci/package-shortcuts.js';

/** Packages that a user may install beside this one, and those that the driver asks for if a connection string does. */
const peersOf = (folder: string) =>
  Object.keys(
    (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { peerDependencies: object }).peerDependencies,
  );
const RAW = '?raw';
const outside = new Set([...peersOf('.'), ...peersOf('node_modules/mongodb'), ...builtinModules]);
const external = (module: string) => module.startsWith('node:') || outside.has(packageOf(module));

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

const NO_LOCALES = '\0no-locales';

/** Leaves out the messages of zod in 50 languages, which nothing asks for: the schemas of evidence are given all of zod. */
const withoutLocales: Plugin = {
  name: 'without-locales',
  resolveId: (id, importer) =>
    id.endsWith('/locales/index.js') && importer?.includes('/zod/') === true ? NO_LOCALES : undefined,
  load: (id) => (id === NO_LOCALES ? 'export {};' : undefined),
};

/** Leaves gzipped what is only printed: it is half as long as all the rest. */
const gzipped: Plugin = {
  name: 'gzipped',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(file.code) });
      delete bundle[file.fileName];
    }
  },
};

const NODE_URL = '\0node-url';

/** Replaces a URL parser, which takes 30 ms to load, by that of Node: the parser of connection strings wants no more. */
const nodeUrl: Plugin = {
  name: 'node-url',
  resolveId: (id) => (id === 'whatwg-url' ? NODE_URL : undefined),
  load: (id) => (id === NODE_URL ? 'export const { URL, URLSearchParams } = globalThis;' : undefined),
};

/** Replaces the search for package.json, which is not there where a shell runs. */
const packageData: Plugin = {
  name: 'package-data',
  load(id) {
    if (!id.endsWith('/src/package-root.js')) return undefined;
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
    return `export const packageInfo = () => (${JSON.stringify({ name, version })});`;
  },
};

/** Code that a shell compiles can't import on demand, nor can code that was kept. */
const requireOnDemand: Plugin = {
  name: 'require-on-demand',
  renderChunk: (code) =>
    code.replaceAll(/\bimport\((["'`])([\w:/-]+)\1\)/g, (text, quote, module) =>
      isBuiltin(module) ? `Promise.resolve(require(${quote}${module}${quote}))` : text,
    ),
};

/** Gives modules of the package to whoever imports them: the code is CommonJS. Nobody imports a command. */
const moduleEntries: Plugin = {
  name: 'module-entries',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.isEntry || file.code.startsWith('#!')) continue;
      const imported = file.exports.length === 0 ? '' : 'code from ';
      const lines = [`import ${imported}'./${file.fileName}';`];
      if (file.exports.length > 0) lines.push(`export const { ${file.exports.join(', ')} } = code;`);
      this.emitFile({ type: 'asset', fileName: `${file.name}.js`, source: `${lines.join('\n')}\n` });
    }
  },
};

/** Escapes what is not ASCII in the file that each run loads: V8 takes a byte for each character of it then, and not two. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.name !== KEPT) continue;
      const visitor = new Visitor({
        TaggedTemplateExpression: ({ start, end }) => {
          if (BEYOND_ASCII.test(file.code.slice(start, end)))
            this.error(`${file.code.slice(start, end)} can't be escaped.`);
        },
      });
      visitor.visit(parseSync(file.fileName, file.code).program);
      file.code = file.code.replaceAll(
        new RegExp(BEYOND_ASCII, 'g'),
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};
const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Has packages do later, otherwise, or not at all what takes long. */
const shortcuts: Plugin = {
  name: 'shortcuts',
  transform(code, id) {
    const [, changes = []] = Object.entries(SHORTCUTS).find(([file]) => id === resolve('node_modules', file)) ?? [];
    return changes.reduce((changed, [text, replacement]) => {
      if (!changed.includes(text)) this.error(`${id} has no longer: ${text}`);
      return changed.replace(text, replacement);
    }, code);
  },
};

/** The driver's types that the library's own name: all of them would be twice the size of the others. */
const DRIVER_TYPES: Readonly<Record<string, string>> = {
  Document: '/** A BSON document. */\ninterface Document { [field: string]: any }',
  MongoClient:
    '/** The client of the package `mongodb`, version 7. */\ninterface MongoClient { on(event: string, listener: (event: any) => void): this }',
};

/** The file whose compiled code is kept. */
const KEPT = 'run';

type Graph = Pick<ChunkingContext, 'getModuleInfo'>;

/**
 * Puts all that each run loads into one file: ninety files took a fifth more time of the processor until a run began. What
 * the main thread loads to watch it stays apart, or that would load all of it too.
 */
function nameInRun(module: string, graph: Graph): string | null {
  const entries = (...files: string[]) =>
    loadedWith(
      files.map((file) => resolve('dist/src', file)),
      graph,
    );
  chunks ??= { watching: entries('cli.js'), run: entries('cli/run-process.js') };
  return chunks.run.has(module) && !chunks.watching.has(module) ? KEPT : null;
}
let chunks: { readonly watching: ReadonlySet<string>; readonly run: ReadonlySet<string> } | undefined;

/** The modules themselves, and those that they import at once. */
function loadedWith(modules: readonly string[], graph: Graph, loaded = new Set<string>()): ReadonlySet<string> {
  for (const module of modules) {
    if (loaded.has(module)) continue;
    loaded.add(module);
    loadedWith(graph.getModuleInfo(module)?.importedIds ?? [], graph, loaded);
  }
  return loaded;
}

/** Less to parse at each start. Functions and classes keep their names, for the stack traces of `--verbose`. */
const MINIFIED = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } } as const;

/**
 * Bundles mongolint's own modules and its packages: loading hundreds of small files takes longer than linting a small
 * cluster. The packages are `devDependencies`, and their licenses lie beside the bundle.
 */
export default defineConfig([
  {
    // The last one is the image's alone: docker-compose.yml seeds its servers with it.
    input: {
      cli: 'dist/src/cli.js',
      index: 'dist/src/index.js',
      'seed-cluster': 'dist/src/demo/seed-cluster.js',
    },
    platform: 'node',
    external,
    plugins: [rawText, withoutLocales, nodeUrl, shortcuts, requireOnDemand, inAscii, moduleEntries, licenses()],
    // Those of packages are longer than their code, and the licenses lie in a file of their own.
    output: {
      dir: 'dist/bundle',
      // V8 keeps compiled code of scripts, and of modules only before they have run.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: ({ name }) => (name === KEPT ? '[name].cjs' : '[name]-[hash].cjs'),
      cleanDir: true,
      comments: false,
      minify: MINIFIED,
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: nameInRun }] },
    },
    logLevel: 'warn',
  },
  {
    // One file, and readable: `mongolint collect --script` prints it, and somebody else runs it in a shell.
    input: { 'collect-in-shell': 'dist/src/cli/collect-in-shell.js' },
    platform: 'node',
    external,
    plugins: [rawText, withoutLocales, nodeUrl, shortcuts, packageData, requireOnDemand, gzipped],
    output: { dir: 'dist/bundle', entryFileNames: '[name].cjs', format: 'cjs', codeSplitting: false, comments: false },
    logLevel: 'warn',
  },
  {
    input: { index: 'dist/src/index.d.ts' },
    external: (module) => module === 'mongodb' || external(module),
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false }), withDriverTypes(), withoutVariance()],
    output: { dir: 'dist/bundle', format: 'esm' },
    checks: { pluginTimings: false },
    logLevel: 'warn',
  },
]);

function packageOf(module: string): string {
  return module.split('/', module.startsWith('@') ? 2 : 1).join('/');
}

/** Replaces the import of the driver's types. */
function withDriverTypes(): Plugin {
  return {
    name: 'with-driver-types',
    generateBundle(_, bundle) {
      const typesOf = (names: string) =>
        names
          .split(',')
          .map((name) => DRIVER_TYPES[name.trim()] ?? this.error(`The types have none of the driver's ${name}.`))
          .join('\n');
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code.replace(/^import \{([^}]*)\} from "mongodb";$/m, (...[, names]) => typesOf(names));
    },
  };
}

/** zod states variances that do not hold, each under a comment to the compiler that holds only at the end of its line. */
function withoutVariance(): Plugin {
  return {
    name: 'without-variance',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = file.code.replaceAll(/\/\*\* @ts-ignore Cast variance \*\/\s*out /g, '');
    },
  };
}

/** Writes the licenses of the packages that are bundled, as those ask for. */
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? []);
      const source = [...new Set(folders)].sort().map(licenseOf).join('\n');
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source });
    },
  };
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text =
    file !== undefined && existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : license;
  return `${name} ${version}\n\n${text?.trim()}\n\n${'-'.repeat(80)}\n`;
}

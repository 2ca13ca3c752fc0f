import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { packageInfo, packageRoot } from '../../src/files/package-root.js';
import * as library from '../../src/index.js';
import { importedModules, modulesOnDemand, packagesAmong } from '../support/module-imports.js';
import { richReport } from '../support/report/rich-report.js';

const run = promisify(execFile);
const BUNDLE = 'dist/bundle';
/** Optional packages of single commands, imported on demand. */
const OF_COMMANDS = [
  '@modelcontextprotocol/sdk',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  'mongodb-memory-server-core',
  'oxc-parser',
  'vscode-languageserver-protocol',
];

interface PackageInfo {
  readonly dependencies: Record<string, string>;
  readonly peerDependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, object>;
}

const readJson = (file: string) => JSON.parse(readFileSync(join(packageRoot(), file), 'utf8')) as PackageInfo;
const readBundled = (file: string) => readFileSync(join(packageRoot(), BUNDLE, file), 'utf8');
const bundled = () => readdirSync(join(packageRoot(), BUNDLE)).filter((file) => file.endsWith('.js'));

/** The modules that are loaded with one of the bundle's; with those that are imported on demand, if wanted. */
function loadedWith(file: string, onDemand: boolean, seen = new Set<string>()): Set<string> {
  seen.add(file);
  const text = readBundled(file);
  for (const module of [...importedModules(text), ...(onDemand ? modulesOnDemand(text) : [])]) {
    if (!module.startsWith('./')) seen.add(module);
    else if (!seen.has(posix.normalize(module))) loadedWith(posix.normalize(module), onDemand, seen);
  }
  return seen;
}

describe('the package that is published', () => {
  it('holds every file that its command and its library load, and no other', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: packageRoot() });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const packed = new Set(files.map(({ path }) => path));
    const own = ['cli.js', 'index.js', 'anchor.js']
      .flatMap((entry) => [...loadedWith(entry, true)])
      .filter((module) => module.endsWith('.js') && !module.includes('/'));
    expect(own.length).toBeGreaterThan(10);
    expect(own.filter((file) => !packed.has(`${BUNDLE}/${file}`))).toEqual([]);
    const others = ['index.d.ts', 'anchor.d.ts', 'collect-in-shell.cjs.gz', 'LICENSES.txt'].map(
      (name) => `${BUNDLE}/${name}`,
    );
    for (const path of [...others, 'checks/unbounded-array.md']) expect(packed).toContain(path);
    expect([...packed].filter((path) => path.endsWith('.map'))).toEqual([]);
    const ofSources = [...packed].filter((path) => /^(test|bench|site|examples|src|dist\/(?!bundle\/))/.test(path));
    expect(ofSources.sort()).toEqual(['src/report/html/page.css', 'src/report/html/page.js']);
  });

  it('has a command that starts, and loads packages only where they have something to do', async () => {
    const { stdout } = await run(process.execPath, [join(packageRoot(), BUNDLE, 'cli.js'), '--version']);
    expect(stdout).toBe(`${packageInfo().version}\n`);
    // Node's own are all that watches a run.
    expect(packagesAmong([...loadedWith('cli.js', false)].filter((module) => !module.endsWith('.js')))).toEqual([]);
    const ofLibrary = packagesAmong([...loadedWith('index.js', false)].filter((module) => !module.endsWith('.js')));
    expect(ofLibrary).toContain('mongodb');
    for (const onDemand of ['yaml', ...OF_COMMANDS]) expect(ofLibrary).not.toContain(onDemand);
  });

  it('prints what it knows by itself without the driver, the schemas and the code of checks', () => {
    const chunks = bundled().filter((file) => /^(?:command-line|catalogue-commands)-/.test(file));
    expect(chunks).toHaveLength(2);
    const loaded = chunks.flatMap((file) => [...loadedWith(file, false)]);
    expect(packagesAmong(loaded.filter((module) => !module.endsWith('.js')))).toEqual(['commander', 'leven']);
    const sources = loaded
      .filter((module) => existsSync(join(packageRoot(), BUNDLE, `${module}.map`)))
      .flatMap((file) => (JSON.parse(readBundled(`${file}.map`)) as { sources: string[] }).sources);
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.filter((source) => source.startsWith('../../checks/'))).toEqual([]);
  });

  it('names the packages that it imports as dependencies, each with its reason, and the driver’s options as peers', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta } = readJson('package.json');
    const imported = packagesAmong(
      bundled()
        .map(readBundled)
        .flatMap((text) => [...importedModules(text), ...modulesOnDemand(text)]),
    );
    expect(imported).toEqual([...Object.keys(dependencies), ...OF_COMMANDS].sort());
    const reasons = readFileSync(join(packageRoot(), 'docs/development.md'), 'utf8').matchAll(
      /^\| `([^`]+)` \| [^|]+ \|$/gm,
    );
    expect(Array.from(reasons, ([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    const ofDriver = Object.fromEntries(
      Object.entries(peerDependencies).filter(([name]) => !OF_COMMANDS.includes(name)),
    );
    expect(ofDriver).toEqual(readJson('node_modules/mongodb/package.json').peerDependencies);
    expect(peerDependenciesMeta).toEqual(
      Object.fromEntries(Object.keys(peerDependencies).map((name) => [name, { optional: true }])),
    );
  });

  it('holds no code of a package but zod, and the script that runs in mongosh', () => {
    // What only exports what others hold has no map; what seeds servers is not published.
    const mapped = bundled().filter(
      (file) => file !== 'seed-cluster.js' && existsSync(join(packageRoot(), BUNDLE, `${file}.map`)),
    );
    expect(mapped.length).toBeGreaterThan(50);
    for (const file of mapped) {
      const { sources } = JSON.parse(readBundled(`${file}.map`)) as { sources: string[] };
      expect(sources.filter((source) => !/^(\.\.\/){2}(src|checks)\/|\/node_modules\/zod\//.test(source))).toEqual([]);
    }
  });

  it('exports what its sources export', async () => {
    const name = 'mongolint';
    const published = (await import(name)) as typeof library;
    expect(Object.keys(published).sort()).toEqual(Object.keys(library).sort());
    const [report, format] = [richReport(), 'html'];
    expect(await published.renderReport(report, format)).toBe(await library.renderReport(report, format));
  });
});

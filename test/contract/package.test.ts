import { importedModules, modulesOnDemand } from '../support/module-imports.js';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.js';
import { packageInfo, packageRoot } from '../../src/package-root.js';
import { richReport } from '../support/report/rich-report.js';

const run = promisify(execFile);
const BUNDLE = 'dist/bundle';

/** What the command loads for a run; its first process only watches. */
const RUN = 'run.cjs';

const readBundled = (file: string) => readFileSync(join(packageRoot(), BUNDLE, file), 'utf8');

/** The modules that are loaded with one of the bundle's, packages by name. Modules that are imported on demand are not among them. */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  const text = readBundled(file);
  for (const module of importedModules(text)) {
    if (!module.startsWith('./')) seen.add(module);
    else if (!seen.has(posix.normalize(module))) loadedWith(posix.normalize(module), seen);
  }
  return seen;
}

/** Names of the packages that any of the bundle's modules import, at once or on demand. */
function importedPackages(): string[] {
  const folder = join(packageRoot(), BUNDLE);
  const modules = readdirSync(folder)
    .filter((file) => file.endsWith('.cjs'))
    .map(readBundled)
    .flatMap((text) => [...importedModules(text), ...modulesOnDemand(text)])
    .filter((module) => !module.startsWith('.'));
  const packages = modules
    .filter((module) => !isBuiltin(module))
    .map((module) => module.split('/', module.startsWith('@') ? 2 : 1).join('/'));
  return [...new Set(packages)].sort();
}

describe('the package that is published', () => {
  it('holds every file that its command and its library load', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: packageRoot() });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const packed = new Set(files.map(({ path }) => path));
    const own = ['cli.cjs', RUN, 'index.cjs']
      .flatMap((entry) => [...loadedWith(entry)])
      .filter((module) => module.endsWith('.cjs'));
    expect(own.length).toBeGreaterThan(2);
    expect(own.filter((file) => !packed.has(`${BUNDLE}/${file}`))).toEqual([]);
    for (const path of ['cli.cjs', 'index.js', 'index.d.ts', 'licenses.txt', 'collect-in-shell.cjs.gz'])
      expect(packed).toContain(`${BUNDLE}/${path}`);
    expect(packed).toContain('checks/unbounded-array.md');
    expect([...packed].filter((path) => /^(test|bench|src|dist\/(?!bundle\/))/.test(path))).toEqual([]);
  });

  it('has a command that starts, and loads validation only where there is something to validate', async () => {
    const { stdout } = await run(process.execPath, [join(packageRoot(), BUNDLE, 'cli.cjs'), '--version']);
    expect(stdout).toBe(`${packageInfo().version}\n`);
    const watching = [...loadedWith('cli.cjs')].filter((module) => !module.endsWith('.cjs'));
    expect(watching.filter((module) => !isBuiltin(module))).toEqual([]);
    const loaded = loadedWith(RUN);
    expect(loaded).not.toContain('mongodb-memory-server-core');
    const texts = [...loaded].filter((module) => module.endsWith('.cjs')).map(readBundled);
    const all = readdirSync(join(packageRoot(), BUNDLE)).map(readBundled);
    expect(texts.filter((text) => text.includes('MongoServerError')).length).toBeGreaterThan(0);
    // Words of zod, ora and yaml, and a part that the JUnit writer brings.
    for (const onDemand of ['_zod', 'isSilent', 'YAMLParseError', 'lodash']) {
      expect(all.some((text) => text.includes(onDemand))).toBe(true);
      expect(texts.filter((text) => text.includes(onDemand))).toEqual([]);
    }
  });

  it('needs no package, and the one that the demo asks for is left to the user', () => {
    const info = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as Record<string, object>;
    expect(info).not.toHaveProperty('dependencies');
    expect(importedPackages()).toEqual(['mongodb-memory-server-core']);
    expect(Object.keys(info['peerDependencies'] ?? {})).toEqual(importedPackages());
    expect(info['peerDependenciesMeta']).toEqual({ 'mongodb-memory-server-core': { optional: true } });
  });

  it('names the license of each package that it holds', () => {
    const licenses = readBundled('licenses.txt');
    for (const name of ['mongodb', 'bson', 'commander', 'cli-table3', 'zod'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+`, 'm'));
  });

  it('exports what its sources export', async () => {
    const name = 'mongolint';
    const published = (await import(name)) as typeof library;
    expect(Object.keys(published).sort()).toEqual(Object.keys(library).sort());
    const [report, format] = [richReport(), 'html'];
    expect(await published.renderReport(report, format)).toBe(await library.renderReport(report, format));
  });
});

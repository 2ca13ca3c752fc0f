import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { packageInfo, packageRoot } from '../../src/files/package-root.js';
import { bytesOf, packed, run } from '../support/packed-package.js';

/** What a person who installs a linter does not wonder about. */
const MOST_PACKAGES = 45;
const MOST_BYTES = 25 * 1024 * 1024;

const USE = `
import { defineCheck, lint, LintError, type Finding, type Report } from 'mongolint';

type IsAny<T> = 0 extends 1 & T ? true : false;
const known: [IsAny<Report>, IsAny<Finding>, IsAny<Report['findings']>, IsAny<Report['cluster']>] = [false, false, false, false];
const severities: readonly Finding['severity'][] = ['error', 'warning', 'info'];
// @ts-expect-error -- a report has no such key
type Missing = Report['nonsense'];
export async function worst(uri: string): Promise<string | null> {
  const report: Report = await lint({ uri });
  return report.findings[0]?.message ?? null;
}
console.log(typeof lint, typeof defineCheck, new LintError('x') instanceof Error, known.length, severities.length);
`;

describe('the package, packed and installed in an empty folder', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let command: string;
  beforeAll(async () => {
    const { file, ...project } = await packed();
    ({ folder, remove } = project);
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', file], {
      cwd: folder,
    });
    command = join(folder, 'node_modules', '.bin', 'mongolint');
  });
  afterAll(() => remove());

  it('brings few packages, the driver among them, and little to store', async () => {
    const modules = join(folder, 'node_modules');
    const { packages } = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    expect(Object.keys(packages)).toEqual(expect.arrayContaining(['node_modules/mongolint', 'node_modules/mongodb']));
    expect(Object.keys(packages).length).toBeLessThanOrEqual(MOST_PACKAGES);
    expect(bytesOf(modules)).toBeLessThan(MOST_BYTES);
  });

  it('names functions and lines in the stack traces of --verbose', async () => {
    const uri = 'mongodb://127.0.0.1:1';
    const { stderr } = (await run(command, [uri, '--timeout', '300ms', '--verbose']).catch(
      (error: unknown) => error,
    )) as {
      stderr: string;
    };
    expect(stderr).toMatch(/at connect .*\bdist\/bundle\/lint-[^/]+\.js:\d+:\d+/);
  });

  it('tells its version', async () => {
    expect((await run(command, ['--version'])).stdout).toBe(`${packageInfo().version}\n`);
  });

  it('lints a real server', async () => {
    const shared = inject('sharedReplicaSet');
    if ('failure' in shared) throw new Error(shared.failure);
    const client = await new MongoClient(shared.uri).connect();
    const database = client.db('installed_package');
    try {
      await database.collection('orders').insertOne({ total: 1 });
      const formats = ['--format', 'json', '--format', `junit=${join(folder, 'report.xml')}`];
      const { stdout } = await run(command, [shared.uri, '--include', 'installed_package.*', ...formats]);
      expect(JSON.parse(stdout)).toMatchObject({ collections: [{ namespace: 'installed_package.orders' }] });
      expect(await readFile(join(folder, 'report.xml'), 'utf8')).toMatch(/^<\?xml/);
    } finally {
      await database.dropDatabase();
      await client.close();
    }
  });

  it.each([
    { module: 'node16', moduleResolution: 'node16' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('is imported from TypeScript, with types, in mode $moduleResolution', async (options) => {
    const project = join(folder, options.moduleResolution);
    await mkdir(join(project, 'node_modules', '@types'), { recursive: true });
    await symlink(
      join(packageRoot(), 'node_modules', '@types', 'node'),
      join(project, 'node_modules', '@types', 'node'),
    );
    await writeFile(join(project, 'use.ts'), USE);
    const compilerOptions = { ...options, target: 'es2022', strict: true, skipLibCheck: false, types: ['node'] };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const compiler = join(packageRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout: string }) => error);
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, [join(project, 'use.js')]);
    expect(stdout).toBe('function function true 4 3\n');
  });

  it('says what to install for the demo, in one line', async () => {
    const { code, stdout, stderr } = (await run(command, ['demo']).catch((error: unknown) => error)) as Record<
      'code' | 'stdout' | 'stderr',
      unknown
    >;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*needs the package mongodb-memory-server-core[^\n]*: npm install [^\n]+\n$/);
  });
});

// The registry is real, and so are the package managers; the package is that of the last build.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageInfo, packageRoot } from '../../src/files/package-root.js';
import { packed, run } from '../support/packed-package.js';

const PNPM = ['exec', '--yes', '--package=pnpm@9', '--', 'pnpm'];
const YARN = ['exec', '--yes', '--package=@yarnpkg/cli-dist@4', '--', 'yarn'];
const PLUGIN = "export default { meta: { name: 'own', version: '1.0.0' }, checks: [] };";
const USE = `
import { lint, builtInChecks, reportSchema } from 'mongolint';
console.log(typeof lint, builtInChecks.length > 0, typeof reportSchema.parse);
`;

interface Manager {
  readonly name: string;
  /** Installs the package in its folder. */
  install(folder: string, file: string): Promise<unknown>;
  /** The call of npm that runs the command, or Node. */
  runs(command: 'mongolint' | 'node'): readonly string[];
}

const MANAGERS: readonly Manager[] = [
  {
    name: 'pnpm',
    install: (cwd, file) => run('npm', [...PNPM, 'add', file], { cwd }),
    runs: (command) => [...PNPM, 'exec', command],
  },
  {
    name: 'Yarn Plug’n’Play',
    async install(cwd, file) {
      await writeFile(join(cwd, '.yarnrc.yml'), 'enableTelemetry: false\nenableGlobalCache: false\n');
      await writeFile(join(cwd, 'yarn.lock'), '');
      await run('npm', [...YARN, 'add', `mongolint@file:${file}`], { cwd });
    },
    runs: (command) => [...YARN, command],
  },
];

interface Ended {
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe.each(MANAGERS)('installed by $name', ({ install, runs }) => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const { file, ...project } = await packed();
    ({ folder, remove } = project);
    await install(folder, file);
  });
  afterAll(() => remove());
  const call = (command: 'mongolint' | 'node', ...argv: string[]): Promise<Ended> =>
    run('npm', [...runs(command), ...argv], { cwd: folder }).catch((error: Ended) => error);

  it('starts', async () => {
    expect((await call('mongolint', '--version')).stdout).toBe(`${packageInfo().version}\n`);
  });

  it('lists its checks, with a plugin of the project', async () => {
    await writeFile(join(folder, 'own.mjs'), PLUGIN);
    await writeFile(join(folder, 'mongolint.config.yaml'), 'plugins: [./own.mjs]\n');
    expect((await call('mongolint', 'checks')).stdout).toMatch(/^unbounded-array /);
  });

  it('runs in a process of its own, and finds no server', async () => {
    const { code, stderr } = await call('mongolint', 'mongodb://127.0.0.1:1', '--timeout', '300ms');
    expect(code).toBe(2);
    expect(stderr).toContain('No usable server at 127.0.0.1:1 within 300 ms');
  });

  it('is imported', async () => {
    await writeFile(join(folder, 'use.js'), USE);
    expect((await call('node', 'use.js')).stdout).toBe('function true function\n');
  });

  it('says what to install for the demo', async () => {
    const { code, stderr } = await call('mongolint', 'demo');
    expect(code).not.toBe(0);
    expect(stderr).toContain('needs the package mongodb-memory-server-core');
  });
});

describe('beside version 6 of the driver', () => {
  it('uses its own, and is typed by its own', async () => {
    const { folder, file, remove } = await packed();
    onTestFinished(remove);
    await run('npm', ['install', '--no-audit', '--no-fund', file, 'mongodb@6', 'typescript@5.9'], { cwd: folder });
    const types = join(folder, 'node_modules', '@types');
    await mkdir(types, { recursive: true });
    await symlink(join(packageRoot(), 'node_modules/@types/node'), join(types, 'node'));
    const compilerOptions = { module: 'node16', target: 'es2022', lib: ['es2023'], strict: true, skipLibCheck: false };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    await writeFile(
      join(folder, 'use.ts'),
      `import { createRequire } from 'node:module';
import { MongoClient } from 'mongodb';
import { lint, type Report } from 'mongolint';
const require = createRequire(import.meta.url);
const client = new MongoClient('mongodb://127.0.0.1:1');
export const report = (): Promise<Report> => lint({ uri: 'mongodb://127.0.0.1:1', timeout: 300 });
console.log(require('mongodb/package.json').version.split('.')[0], typeof client.db);
await report().catch((error: Error) => console.log(error.message.slice(0, 32)));
`,
    );
    const compiled: Ended = await run('npx', ['tsc', '-p', '.'], { cwd: folder }).catch((error: Ended) => error);
    expect(compiled.stdout).toBe('');
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder });
    expect(stdout).toBe('6 function\nNo usable server at 127.0.0.1:1 \n');
  });
});

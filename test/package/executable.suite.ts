/** `npm run build:executable`, run where there is no Node, against a real server; macOS and Windows only build it in a release. */
import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

let folder: string;
let server: LoggingServer;

beforeAll(async () => {
  execFileSync('npm', ['run', 'build:executable'], { cwd: packageRoot(), stdio: 'pipe' });
  folder = await mkdtemp(join(tmpdir(), 'mongolint-executable-'));
  await copyFile(join(packageRoot(), 'dist/executable/mongolint'), join(folder, 'mongolint'));
  server = await startLoggingServer(await findMongod(), []);
  const deep = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as object;
  await server.client.db('shop').collection('deep').insertOne({ deep });
});

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Done {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a folder that has nothing else, with a PATH that leads nowhere. */
function run(...argv: string[]): Promise<Done> {
  return new Promise((resolve) => {
    const env = { HOME: folder, PATH: join(folder, 'nothing') };
    execFile(join(folder, 'mongolint'), argv, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('the executable', () => {
  it('lints a server, with the exit code of the command, and writes a page', async () => {
    const { exitCode, stdout, stderr } = await run(server.uri, '--format', 'json', '--format', 'html=page.html');
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ findings: [{ check: 'deep-nesting', namespace: 'shop.deep' }] });
    expect(await readFile(join(folder, 'page.html'), 'utf8')).toContain('<style');
  });

  it('has the pages of the checks and the script for mongosh', async () => {
    expect((await run('explain', 'deep-nesting')).stdout).toMatch(/^# deep-nesting/);
    expect((await run('collect', '--script')).stdout).toMatch(/^\/\/ mongolint /);
  });

  it('loads a configuration and a plugin, and names the package that a command needs', async () => {
    const plugin = `export default { meta: { name: 'p', version: '1.0.0' }, formats: [{ name: 'f', description: 'x', extension: 'txt', render: () => 'theirs' }] };`;
    await writeFile(join(folder, 'p.mjs'), plugin);
    await writeFile(join(folder, 'c.mjs'), `export default { failOn: 'never', plugins: ['./p.mjs'] };`);
    const { exitCode, stdout } = await run(server.uri, '--config', 'c.mjs', '--format', 'p/f');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'theirs' });
    expect(await run('code', '.')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^Reading source code needs .*npm install oxc-parser.*\n$/),
    });
  });
});

describe('the formula', () => {
  it('has the address and the hash of each file', async () => {
    await writeFile(join(folder, 'mongolint-linux-x64'), 'x');
    const argv = ['dist/.ci/formula.js', 'homebrew', '1.2.3', 'owner/mongolint', join(folder, 'mongolint-linux-x64')];
    const formula = execFileSync(process.execPath, argv, { cwd: packageRoot(), encoding: 'utf8' });
    expect(formula).toContain('url "https://github.com/owner/mongolint/releases/download/v1.2.3/mongolint-linux-x64"');
    // Of "x", by sha256sum.
    expect(formula).toContain('sha256 "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"');
    expect(formula).toContain('  on_linux do\n    on_intel do\n');
  });
});

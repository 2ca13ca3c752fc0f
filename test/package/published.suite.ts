/**
 * The package as if it were published: by npx, as a library, in the action, the template, the image and the hook, on each Node.
 * The registry stands in for itself; all else is real: npm, pre-commit, the servers.
 */
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/files/package-root.js';
import { startRegistry, type LocalRegistry } from '../support/local-registry.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { packed, run } from '../support/packed-package.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';

const EVIDENCE = join(packageRoot(), 'test/oracle/evidence/demo.evidence.jsonl.gz');
const read = (path: string) => readFile(join(packageRoot(), path), 'utf8');

interface Ended {
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

let project: Awaited<ReturnType<typeof packed>>;
let registry: LocalRegistry;
let server: LoggingServer;

beforeAll(async () => {
  project = await packed();
  registry = await startRegistry(project.file);
  server = await startLoggingServer(await findMongod(), []);
  const deep = JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) as object;
  await server.client.db('shop').collection('deep').insertOne({ deep });
});
afterAll(async () => {
  await server?.stop();
  await registry?.stop();
  await project?.remove();
});

it.each([
  ['publint', ['--package=publint@0.3', '--', 'publint', '--strict']],
  ['attw', ['--package=@arethetypeswrong/cli@0.18', '--', 'attw', '--profile', 'esm-only']],
])('%s finds no fault', async (_, argv) => {
  const ended: Ended = await run('npm', ['exec', '--yes', ...argv, project.file]).catch((error: Ended) => error);
  expect(ended).not.toHaveProperty('code');
});

describe.each(['20', '22', '24'])('on Node %s', (node) => {
  let folder: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mongolint-published-'));
    // The user of the image reads in it.
    await chmod(folder, 0o755);
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', join(folder, 'node'), `node@${node}`]);
    const path = `${join(folder, 'node/node_modules/.bin')}${delimiter}${process.env['PATH']}`;
    const { PATH: _, ...others } = process.env;
    // Else npx would take what another version has installed.
    env = { ...others, ...registry.env, PATH: path, npm_config_cache: join(folder, 'cache') };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const inFolder = async (name: string) => {
    const cwd = join(folder, name);
    await mkdir(cwd, { recursive: true });
    return cwd;
  };
  const call = (command: string, argv: readonly string[], cwd: string, more = {}): Promise<Ended> =>
    run(command, [...argv], { cwd, env: { ...env, ...more }, maxBuffer: 1e9 }).catch((error: Ended) => error);
  const bash = (script: string, cwd: string, more = {}) =>
    call('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], cwd, more);

  it('is run by npx in an empty folder', async () => {
    expect((await run('node', ['--version'], { env })).stdout).toContain(`v${node}.`);
    const cwd = await inFolder('npx');
    const { stdout } = await call('npx', ['--yes', 'mongolint', 'judge', EVIDENCE, '--format', 'json'], cwd);
    const here = await call(
      process.execPath,
      [join(packageRoot(), 'dist/bundle/cli.js'), 'judge', EVIDENCE, '--format', 'json'],
      cwd,
    );
    expect(stdout).toBe(here.stdout);
  });

  it('is imported, and answers as a server of the Model Context Protocol', async () => {
    const cwd = await inFolder('library');
    await writeFile(join(cwd, 'package.json'), '{"private":true,"type":"module"}');
    await call('npm', ['install', '--no-audit', '--no-fund', 'mongolint', '@modelcontextprotocol/sdk@1'], cwd);
    await writeFile(
      join(cwd, 'use.js'),
      `import { lint } from 'mongolint';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
console.log((await lint({ uri: process.argv[2], include: ['shop.*'] })).findings.map(({ check }) => check).join());
const client = new Client({ name: 'test', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'npx', args: ['mongolint', 'mcp'], env: { ...process.env, MONGODB_URI: process.argv[2] } }));
const { tools } = await client.listTools();
console.log(tools.length > 3, JSON.stringify(tools).includes('"description":"Only these."'));
await client.close();`,
    );
    expect(await call('node', ['use.js', server.uri], cwd)).toMatchObject({ stdout: 'deep-nesting\ntrue true\n' });
  });

  it('is a step of GitHub Actions', async () => {
    const cwd = await inFolder('action');
    const steps = parse(await read('action.yml')).runs.steps.slice(1) as { run: string; env: object }[];
    const inputs = { INPUT_URI: server.uri, INPUT_SARIF: 'mongolint.sarif', INPUT_ARGUMENTS: '--include\nshop.*' };
    const github = { RUNNER_TEMP: join(cwd, 'temp'), GITHUB_OUTPUT: join(cwd, 'output'), ACTION_PATH: packageRoot() };
    await mkdir(github.RUNNER_TEMP);
    const ended: Ended[] = [];
    for (const { run: script } of steps) ended.push(await bash(script, cwd, { ...github, ...inputs }));
    expect(ended.map(({ code }) => code)).toEqual([undefined, 1]);
    expect(await readFile(github.GITHUB_OUTPUT, 'utf8')).toBe('exit-code=1\n');
    expect(await readFile(join(cwd, 'mongolint.sarif'), 'utf8')).toContain('deep-nesting');
  });

  it('is a job of GitLab', async () => {
    const cwd = await inFolder('gitlab');
    const { mongolint: job } = parse(await read('deploy/gitlab-ci.yml'));
    const more = { ...job.variables, MONGODB_URI: server.uri, npm_config_prefix: join(cwd, 'global') };
    const script = [`export PATH="${join(cwd, 'global/bin')}:$PATH"`, ...job.before_script, ...job.script].join('\n');
    expect((await bash(script, cwd, more)).code).toBe(1);
    expect(await readFile(join(cwd, 'gl-code-quality-report.json'), 'utf8')).toContain('deep-nesting');
  });

  it('is a hook of pre-commit, which judges the source against evidence', async () => {
    const [hooks, cwd] = [await inFolder('hooks'), await inFolder('hooked')];
    await cp(join(packageRoot(), '.pre-commit-hooks.yaml'), join(hooks, '.pre-commit-hooks.yaml'));
    await cp(EVIDENCE, join(cwd, 'production.evidence.jsonl.gz'));
    await writeFile(join(cwd, 'payments.mjs'), source('nickname'));
    for (const each of [hooks, cwd]) {
      git(each, 'init', '--quiet');
      git(each, 'add', '.');
      git(each, 'commit', '--quiet', '--message', 'first');
    }
    const args =
      '[--code, ., --check, unindexed-query, --skip-check, uncapped-write, --skip-check, missing-lookup-index, --fail-on, info, production.evidence.jsonl.gz]';
    await writeFile(
      join(cwd, '.pre-commit-config.yaml'),
      `repos:\n  - repo: ${hooks}\n    rev: ${git(hooks, 'rev-parse', 'HEAD').trim()}\n    hooks: [{ id: mongolint, args: ${args} }]\n`,
    );
    git(cwd, 'add', '.');
    const home = { PRE_COMMIT_HOME: join(folder, 'pre-commit') };
    const hooked = () => call('pre-commit', ['run', '--all-files'], cwd, home);
    const failed = await hooked();
    expect(failed.stdout).toContain('payments.mjs:3');
    expect(failed.code).toBe(1);
    await writeFile(join(cwd, 'payments.mjs'), source('_id'));
    git(cwd, 'add', '.');
    expect(await hooked()).toMatchObject({ stdout: expect.stringMatching(/^mongolint\.+Passed\n$/) });
  });

  // Only root may mount, and run as somebody else. CI builds and runs the image itself.
  it.skipIf(process.getuid?.() !== 0)(
    'is the image, which runs as another user on a file system that can not be written',
    async () => {
      const root = await inFolder('image');
      await buildImage(root, (script, cwd) => bash(script, cwd));
      const user = /^USER (\d+)$/m.exec(await read('Dockerfile'))?.[1] ?? '';
      const mount = 'mount --make-rprivate / && mount -o remount,bind,ro / && ';
      const command = `node ${join(root, 'opt/mongolint/dist/bundle/cli.js')} ${server.uri} --include 'shop.*' --format compact`;
      const asUser = `exec setpriv --reuid ${user} --regid ${user} --clear-groups ${command}`;
      const ended = await call('unshare', ['--mount', 'bash', '-c', `${mount}${asUser}`], '/');
      expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining('(deep-nesting'), stderr: '' });
    },
  );
});

const git = (at: string, ...argv: string[]) =>
  execFileSync('git', ['-C', at, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...argv], {
    encoding: 'utf8',
  });

const source = (field: string) =>
  `import { MongoClient } from 'mongodb';
const shop = new MongoClient('mongodb://localhost').db('demo');
export const found = () => shop.collection('payments').find({ ${field}: 'x' }).toArray();
`;

/** Carries out the steps of the Dockerfile in a folder that stands for the root of its file systems. */
async function buildImage(root: string, shell: (script: string, cwd: string) => Promise<Ended>): Promise<void> {
  const kept = (await read('.dockerignore')).split('\n').flatMap((line) => /^!(.+)/.exec(line)?.[1] ?? []);
  const context = join(root, 'context');
  for (const path of kept) await cp(join(packageRoot(), path), join(context, path), { recursive: true });
  const inRoot = (path: string, workdir: string) => join(root, path.startsWith('/') ? path : join(workdir, path));
  let workdir = '/';
  for (const [, step = '', rest = ''] of (await read('Dockerfile')).matchAll(/^([A-Z]+) (.+)$/gm)) {
    if (step === 'WORKDIR') {
      workdir = rest;
      await mkdir(inRoot(rest, '/'), { recursive: true });
    }
    if (step === 'COPY') {
      const words = rest.split(' ');
      const from = words[0] === '--from=build' ? root : context;
      const [to = '', ...paths] = words.filter((word) => !word.startsWith('--')).toReversed();
      for (const path of paths) {
        const target = path.includes('.') && path !== '.' ? join(to, path.split('/').at(-1) ?? '') : to;
        await mkdir(dirname(inRoot(target, workdir)), { recursive: true });
        await cp(join(from, path), inRoot(target, workdir), { recursive: true });
      }
    }
    if (step === 'RUN') {
      await mkdir(join(root, 'usr/local/bin'), { recursive: true });
      const ended = await shell(rest.replaceAll(/(?<= )\/(?=opt|usr)/g, `${root}/`), inRoot('.', workdir));
      if (ended.code !== undefined) throw new Error(`${rest} failed: ${ended.stdout}${ended.stderr}`);
    }
  }
}

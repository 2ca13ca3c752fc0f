import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runBuilt } from '../support/faults/built-command.js';
import { useCaseFolders } from '../support/faults/case-folders.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { leavesOrphan } from '../support/faults/processes.js';

// Class 4 of "Each input costs only itself": a command ends, whatever runs in it, and nothing of it outlives its parent.
const folderWith = useCaseFolders();
const faulty = useFaultyShop();
/** Without taking the processor from others. */
const FOREVER = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';
const BUSY = 'for (;;) {}';
const plugin = (judge: string, beginning = '') => `${beginning};
export default { meta: { name: 'odd', version: '1.0.0' }, checks: [{ id: 'odd', title: 'T', summary: 's', docs: 'https://example.com/',
  appliesTo: ['collection'], needs: ['documents'], thresholds: {}, judge() { ${judge}; return []; } }] };`;
const WITH_PLUGIN = ['--plugin', './odd.mjs', '--max-time', '20000'];

async function run(argv: readonly string[], files: Record<string, string>, env: Record<string, string> = {}) {
  const cwd = await folderWith(files);
  return runBuilt(argv, { cwd, env: { MONGODB_URI: faulty.shop.uri, ...env } });
}

describe('user code that never ends, before a target is begun, ends the command with 2, and says what took so long', () => {
  it.concurrent.each([
    ['a configuration', ['--max-time', '1000'], { 'mongolint.config.mjs': BUSY }],
    ['a plugin', ['--max-time', '1000', '--plugin', './odd.mjs'], { 'odd.mjs': plugin('', FOREVER) }],
    ['a configuration, of a command that only prints', ['checks'], { 'mongolint.config.mjs': FOREVER }],
    ['a configuration, of role', ['role'], { 'mongolint.config.mjs': FOREVER }],
    ['a configuration, of judge', ['judge', 'x.jsonl', '--max-time', '1000'], { 'mongolint.config.mjs': FOREVER }],
    [
      'a configuration, of collect',
      ['collect', '--output', 'x', '--max-time', '1000'],
      { 'mongolint.config.mjs': FOREVER },
    ],
  ] as const)('%s', async (_, argv, files) => {
    const { code, stderr, wasKilled } = await run(argv, files);
    expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
    expect(stderr).toMatch(/because it took longer than 1 min\./);
  });

  it('a promise that nothing settles, which Node ends with a code of its own', async () => {
    const { code } = await run([], { 'mongolint.config.mjs': 'await new Promise(() => {}); export default {}' });
    expect(code).toBe(2);
  });
});

describe('a check of a plugin that never ends', () => {
  it.concurrent.each([
    ['lint', [...WITH_PLUGIN, '--format', 'json']],
    ['collect and judge', ['judge', 'x.jsonl', ...WITH_PLUGIN]],
  ])('ends %s after --max-time, with 2', async (_, argv) => {
    const cwd = await folderWith({ 'odd.mjs': plugin(FOREVER) });
    const env = { MONGODB_URI: faulty.shop.uri };
    if (argv[0] === 'judge') await runBuilt(['collect', '--output', 'x.jsonl'], { cwd, env });
    const { code, stderr, wasKilled } = await runBuilt(argv, { cwd, env, patience: 1_800_000 });
    expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
    expect(stderr).toContain('--max-time');
  });
});

const ask = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });

it('a question to mcp that never ends, ends the server after --max-time, with 2', async () => {
  const about = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const lines = [ask(1, 'initialize', about), ask(2, 'tools/call', { name: 'lint', arguments: { target: 'default' } })];
  const cwd = await folderWith({
    'odd.mjs': plugin(FOREVER),
    'mongolint.config.yaml': 'plugins: [./odd.mjs]\nmaxTime: 5000\n',
    'asked.jsonl': `${lines.join('\n')}\n`,
  });
  const env = { MONGODB_URI: faulty.shop.uri };
  const shell = 'mkfifo in; (cat asked.jsonl; sleep 600) > in 2> /dev/null & exec < in';
  const { code, stderr, wasKilled } = await runBuilt(['mcp'], { cwd, env, shell });
  expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
  expect(stderr).toMatch(/because lint did not end after --max-time\./);
});

/** Has each process write its id, and the second one do something before its first own instruction. */
const preload = (what: string) => `
import { readdirSync, writeFileSync } from 'node:fs';
const pids = process.env.PIDS;
const isSecond = readdirSync(pids).length > 0;
writeFileSync(pids + '/' + process.pid, '');
if (isSecond) { ${what} }
`;

async function preloaded(argv: readonly string[], what: string) {
  const cwd = await folderWith({ 'preload.mjs': preload(what) });
  const env = { MONGODB_URI: faulty.shop.uri, PIDS: join(cwd, 'pids') };
  await mkdir(env.PIDS);
  const result = await runBuilt(argv, { cwd, env, node: ['--import', './preload.mjs'] });
  return { ...result, processes: (await readdir(env.PIDS)).length };
}

describe('a worker that', () => {
  it.concurrent.each([
    ['is stopped before its first instruction', "process.kill(process.pid, 'SIGSTOP')", /could not finish the run/],
    ['is blocked before its first instruction', FOREVER, /could not finish the run/],
    ['is killed before its first instruction', "process.kill(process.pid, 'SIGKILL')", /SIGKILL/],
    ['ends as if it had passed', 'process.exit(0)', /could not finish the run/],
  ])('%s ends the command with 2, and says so', async (_, what, text) => {
    const { code, stderr, wasKilled } = await preloaded([], what);
    expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
    expect(stderr).toMatch(text);
  });
});

describe('a command that only prints starts no second process', () => {
  it.concurrent.each([
    [['--version']],
    [['--help']],
    [['checks']],
    [['explain', 'redundant-index']],
    [['role']],
    [['init']],
    [['collect', '--help']],
  ])('%s', async (argv) => {
    expect(await preloaded(argv, '')).toMatchObject({ code: 0, processes: 1, stderr: '' });
  });
});

describe('SIGKILL of the process that watches leaves nobody at work after five seconds', () => {
  it.each([
    ['a plugin that never ends', BUSY],
    ['a plugin that waits', FOREVER],
    ['a run as others', ''],
  ])('%s', async (_, what) => {
    const mark = `MARK=${randomUUID()}`;
    const marker =
      "if (globalThis.was === undefined) { globalThis.was = true; writeFileSync('reached', ''); return []; }";
    const cwd = await folderWith({ 'odd.mjs': plugin(`${marker} ${what}`, "import { writeFileSync } from 'node:fs'") });
    await runBuilt(['--plugin', './odd.mjs'], {
      cwd,
      env: { MONGODB_URI: faulty.shop.uri, MARK: mark.slice('MARK='.length) },
      meanwhile: async (command) => {
        await vi.waitUntil(async () => (await readdir(cwd)).includes('reached'), { timeout: 600_000, interval: 20 });
        process.kill(command.pid as number, 'SIGKILL');
      },
    });
    expect(await leavesOrphan(mark)).toBe(false);
  });
});

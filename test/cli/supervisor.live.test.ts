import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { PHASES } from '../support/wire/phases.js';
import type { WireFault } from '../support/wire/wire-fault.js';
import { replyDocumentOffset } from '../support/wire/wire-message.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

const COLLECTIONS = 4;

const client = sharedClient();
const database = freshDatabase(client);

const posts = (thread: number) => Array.from({ length: Math.ceil(2_000 / (thread + 1)) }, () => ({ text: 'words' }));

beforeAll(async () => {
  const threads = Array.from({ length: 100 }, (_, thread) => ({ posts: posts(thread) }));
  for (let index = 0; index < COLLECTIONS; index += 1) {
    const copies = threads.map((thread) => ({ ...thread }));
    await database.collection(`threads_${index}`).insertMany(copies);
  }
});

/** A plugin whose check does this to its process, once so many collections are judged, or all others. */
const plugin = (what: string, at = COLLECTIONS) => `
import { writeFileSync } from 'node:fs';
let judged = 0;
const judge = ({ collection }) => {
  judged += 1;
  writeFileSync('judged.txt', String(judged));
  if (judged !== ${at}) return [];
  writeFileSync('reached.txt', 'reached');
  ${what};
  return [];
};
export default {
  meta: { name: 'breaking', version: '1.0.0' },
  checks: [{ id: 'breaker', title: 'T', summary: 's', docs: 'https://example.com/', appliesTo: ['collection'], needs: ['documents'], thresholds: {}, judge }],
};`;
/** Blocks its thread without taking the processor from other tests. */
const BLOCK = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

const COMMAND = join(packageRoot(), 'dist/bundle/cli.js');

async function startRun(
  what: string,
  argv: readonly string[],
  { uri = sharedReplicaSetUri(), at = COLLECTIONS, finished = onTestFinished } = {},
) {
  const folder = await folderWith({ 'breaking.mjs': plugin(what, at) }, finished);
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  const given = ['--plugin', './breaking.mjs', '--include', `${database.databaseName}.*`, '--concurrency', '1'];
  const outputs = ['--format', 'json', '--format', 'junit=report.xml'];
  const run = spawn(process.execPath, [COMMAND, ...given, ...outputs, ...argv], {
    cwd: folder,
    env: { ...process.env, MONGODB_URI: uri, TMPDIR: temporary, NODE_OPTIONS: '--max-old-space-size=256' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => run.on('exit', resolve));
  const written = Promise.all([text(run.stdout), text(run.stderr)]);
  const end = async () => {
    const [stdout, stderr] = await written;
    return { code: await ended, stdout, stderr };
  };
  /** Resolves once the plugin does it. */
  const reached = async () => {
    const file = join(folder, 'reached.txt');
    await vi.waitUntil(async () => (await textOf(file)) !== '', { timeout: 60_000, interval: 50 });
  };
  return { run, end, reached, folder, temporary };
}

function expectFound(stdout: string): Report {
  const report = reportSchema.parse(JSON.parse(stdout));
  expect(report.findings.filter(({ check }) => check === 'unbounded-array')).toHaveLength(COLLECTIONS - 1);
  expect(report.failures).toMatchObject([{ reason: 'fault' }]);
  const missing = report.skipped.filter(({ check, namespace }) => check === '*' && namespace !== undefined);
  expect(missing).toMatchObject([{ reason: 'fault' }]);
  return report;
}

// At once: two of them wait for limits of many seconds.
describe.concurrent('a run that blocks its process', () => {
  it('is ended after --max-time, and what was found is reported', async ({ onTestFinished: finished }) => {
    const { end, folder, temporary } = await startRun(BLOCK, ['--max-time', '20000'], { finished });
    const { code, stdout, stderr } = await end();
    expect(code).toBe(2);
    expect(stderr).toBe(
      'mongolint could not finish the run, because it did not end after --max-time. The report holds what was found until then.\n',
    );
    const report = expectFound(stdout);
    expect(report.skipped).toContainEqual({
      check: '*',
      reason: 'fault',
      detail: 'the run did not finish, because it did not end after --max-time.',
    });
    expect(await readFile(join(folder, 'report.xml'), 'utf8')).toContain('unbounded-array');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('is ended after a signal', async ({ onTestFinished: finished }) => {
    const { run, end, reached } = await startRun(BLOCK, [], { finished });
    await reached();
    run.kill('SIGTERM');
    const { code, stdout, stderr } = await end();
    expect(code).toBe(2);
    expect(stderr).toContain('because it had not ended 8 s after SIGTERM.');
    expectFound(stdout);
  });

  it('is ended at once by a second signal', async ({ onTestFinished: finished }) => {
    const { run, end, reached } = await startRun(BLOCK, [], { finished });
    await reached();
    run.kill('SIGHUP');
    run.kill('SIGINT');
    const { code, stdout, stderr } = await end();
    expect([129, 130]).toContain(code);
    expect(stdout).toBe('');
    expect(stderr).toBe('');
  });
});

/** A length by which the driver goes back in the message, and reads it again without end. */
const BACKWARDS = -2_000_000_000;

it('a run that a corrupted reply blocks is ended, and what was found is reported', async () => {
  const blocking: WireFault = {
    on: PHASES.sample,
    from: COLLECTIONS,
    reply: async ({ reply, client: road }) => {
      // Until then, nothing that was found could be reported.
      await vi.waitUntil(async () => Number(await textOf(judged)) >= COLLECTIONS - 1, {
        timeout: 60_000,
        interval: 50,
      });
      const corrupted = Buffer.from(reply);
      corrupted.writeInt32LE(BACKWARDS, replyDocumentOffset(reply));
      await road.send(corrupted);
      isSent = true;
    },
  };
  let isSent = false;
  let judged = '';
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults: [blocking] });
  onTestFinished(() => proxy.stop());
  const { run, end, folder } = await startRun('', [], { uri: proxy.uri });
  judged = join(folder, 'judged.txt');
  await vi.waitUntil(() => isSent, { timeout: 60_000 });
  // If the driver has not come to it yet, the run ends by itself.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  run.kill('SIGTERM');
  const { code, stdout } = await end();
  expect(code).toBe(2);
  const { findings, failures } = reportSchema.parse(JSON.parse(stdout));
  expect(findings.some(({ check }) => check === 'unbounded-array')).toBe(true);
  expect(failures?.length).toBeGreaterThan(0);
});

describe('a run that loses its process', () => {
  it.each([
    ['uses up its memory', 'const kept = []; for (;;) kept.push({ length: kept.length })', 'it used up its memory'],
    ['ends itself as if it had passed', 'process.exit(0)', 'it ended early'],
    ['is killed', `process.kill(process.pid, 'SIGKILL'); ${BLOCK}`, 'it was killed (SIGKILL)'],
  ])('as it %s, is no pass, and what was found is reported', async (_, what, why) => {
    const { end } = await startRun(what, []);
    const { code, stdout, stderr } = await end();
    expect(code).toBe(2);
    expect(stderr).toContain(`mongolint could not finish the run, because ${why}`);
    expectFound(stdout);
  });

  it('as a plugin throws where nothing waits for it, names its file and the kind of error', async () => {
    const { end, folder } = await startRun("queueMicrotask(() => { throw new TypeError('secret') })", []);
    const { code, stdout, stderr } = await end();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `mongolint could not finish the run, because of an error in ${join(await realpath(folder), 'breaking.mjs')} (TypeError). The report holds what was found until then.\n`,
    });
    expect(stdout).not.toContain('secret');
    expect(reportSchema.parse(JSON.parse(stdout)).findings.length).toBeGreaterThanOrEqual(COLLECTIONS - 1);
  });
});

it('a run that is blocked ends if the process that watches it is killed', async () => {
  const { run, end, reached } = await startRun(BLOCK, []);
  await reached();
  run.kill('SIGKILL');
  // It holds their other ends, so that these end with it.
  expect(await end()).toEqual({ code: null, stdout: '', stderr: '' });
});

it('a run leaves nothing in the folder for temporary files', async () => {
  const { end, temporary } = await startRun('', []);
  expect(await end()).toMatchObject({ code: 1, stderr: '' });
  expect(await readdir(temporary)).toEqual([]);
});

import { spawn } from 'node:child_process';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { lookupTypeMismatch } from '../../checks/lookup-type-mismatch/check.js';
import { packageRoot } from '../../src/files/package-root.js';
import { collectEvidence } from '../../src/lint/collect-evidence.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { exitCode } from '../../src/policy/exit-code.js';
import { reportSchema } from '../../src/report/report.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** More than those that are read ahead, while the oplog is read. */
const COLLECTIONS = 60;
/** What the road to the server adds to each answer, in ms, so that a run lasts long enough to be interrupted. */
const DELAY = 40;

const client = sharedClient();
const database = freshDatabase(client);
const include = `${database.databaseName}.*`;
/** Long arrays stand in few documents, so that many collections are quickly written. */
const posts = (index: number) => Array.from({ length: Math.ceil(4_000 / (index + 1)) }, () => ({ text: 'words' }));

beforeAll(async () => {
  const threads = Array.from({ length: 100 }, (_, index) => ({ posts: posts(index) }));
  for (let index = 0; index < COLLECTIONS; index += 1) {
    await database.collection(`threads_${index}`).insertMany(threads.map((thread) => ({ ...thread })));
  }
});

it('a run that is interrupted keeps what it found, skips the rest as interrupted, and is no pass', async () => {
  const controller = new AbortController();
  const report = await lintShared({
    include: [include],
    concurrency: 2,
    interruption: controller.signal,
    onProgress: ({ done }) => void (done === 4 && controller.abort()),
  });
  expect(report.findings.filter(({ check }) => check === 'unbounded-array').length).toBeGreaterThanOrEqual(4);
  const interrupted = report.skipped.filter(({ reason }) => reason === 'interrupted');
  expect(interrupted.length).toBeGreaterThan(0);
  for (const { detail } of interrupted) expect(detail).toMatch(/: the run was interrupted before this; run again\.$/);
  expect(exitCode(report, { failOn: 'never', maxWarnings: null, strict: false })).toBe(2);
});

it('evidence that is interrupted is written with what was read, and judged as such', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'interrupted.jsonl.gz');
  const controller = new AbortController();
  const { unread } = await collectEvidence({
    uri: sharedReplicaSetUri(),
    include: [include],
    concurrency: 2,
    interruption: controller.signal,
    output: file,
    onProgress: ({ done }) => void (done === 4 && controller.abort()),
  });
  expect(unread.map(({ reason }) => reason)).toContain('interrupted');
  const { report } = await judgeEvidence({ file });
  expect(report.findings.filter(({ check }) => check === 'unbounded-array').length).toBeGreaterThanOrEqual(4);
  expect(report.failures?.map(({ reason }) => reason)).toContain('interrupted');
  expect(exitCode(report, { failOn: 'never', maxWarnings: null, strict: false })).toBe(2);
});

it('says of joins which side was not sampled in time', async () => {
  const joined = database.collection('joined');
  await joined.insertMany(Array.from({ length: 100 }, (_, index) => ({ thread: String(index) })));
  const pipeline = [{ $lookup: { from: 'threads_0', localField: 'thread', foreignField: '_id', as: 'threads' } }];
  await database.createCollection('joined_threads', { viewOn: 'joined', pipeline });
  const controller = new AbortController();
  const report = await lintShared({
    include: ['joined', 'joined_threads', 'threads_0'].map((name) => `${database.databaseName}.${name}`),
    checks: [lookupTypeMismatch],
    concurrency: 1,
    interruption: controller.signal,
    onProgress: () => controller.abort(),
  });
  const unsampled = report.collections
    .filter(({ kind, sampled }) => kind === 'collection' && sampled === null)
    .map(({ namespace }) => namespace);
  const skipped = report.skipped.filter(
    ({ check, reason }) => check === 'lookup-type-mismatch' && reason === 'interrupted',
  );
  expect(unsampled.length).toBeGreaterThan(0);
  // A finding would be on the side that refers to the other, also if only the other was not sampled.
  expect(skipped.flatMap(({ namespace }) => namespace ?? [])).toEqual([`${database.databaseName}.joined`]);
});

describe('the command', () => {
  /** A road to the real server on which answers take their time. */
  let road: Server;
  let uri: string;
  let answers = 0;
  /** Resolves once answers may go on; until then the reads under way do not end. */
  let passable: Promise<unknown> = Promise.resolve();

  beforeAll(async () => {
    const { hostname, port } = new URL(sharedReplicaSetUri().replace('mongodb:', 'http:'));
    road = createServer((incoming) => {
      const outgoing = createConnection(Number(port), hostname);
      for (const socket of [incoming, outgoing]) socket.on('error', () => {});
      incoming.pipe(outgoing);
      outgoing.on('data', (bytes) => {
        answers += 1;
        setTimeout(() => void passable.then(() => incoming.write(bytes)), DELAY);
      });
      incoming.on('close', () => outgoing.destroy());
      outgoing.on('close', () => incoming.destroy());
    });
    await new Promise<void>((resolve) => road.listen(0, '127.0.0.1', resolve));
    uri = `mongodb://127.0.0.1:${(road.address() as { port: number }).port}/?directConnection=true`;
  });
  afterAll(() => void road.close());

  /** Runs the built command, and sends a signal once it reads from the server, and again if that is wanted. */
  async function interrupted(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', times: 1 | 2) {
    answers = 0;
    const argv = [
      join(packageRoot(), 'dist/bundle/cli.js'),
      '--include',
      include,
      '--concurrency',
      '1',
      '--format',
      'json',
    ];
    const run = spawn(process.execPath, argv, {
      env: { ...process.env, MONGODB_URI: uri },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => run.on('exit', resolve));
    const written = Promise.all([text(run.stdout), text(run.stderr)]);
    await readsBegin();
    if (times === 2) {
      // A run whose reads have ended may be done before a second signal, on a busy machine.
      passable = written;
      run.stderr.once('data', () => run.kill(signal));
    }
    run.kill(signal);
    const [stdout, stderr] = await written;
    return { code: await ended, stdout, stderr };
  }

  /** Well behind the handshakes, and long before the end. */
  async function readsBegin(): Promise<void> {
    await vi.waitUntil(() => answers >= 25, { timeout: 30_000, interval: 10 });
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('reports on %s, with exit code 2', async (signal) => {
    const { code, stdout, stderr } = await interrupted(signal, 1);
    expect(stderr).toMatch(/^Interrupted: ending the current reads, then reporting what was found/);
    expect(code).toBe(2);
    expect(reportSchema.parse(JSON.parse(stdout)).skipped.map(({ reason }) => reason)).toContain('interrupted');
  });

  it('ends at once on a second signal, with the exit code that shells expect', async () => {
    expect(await interrupted('SIGTERM', 2)).toMatchObject({ code: 143, stdout: '' });
  });
});

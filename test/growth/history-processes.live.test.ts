import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { packageRoot } from '../../src/files/package-root.js';
import type { HistoryRecord } from '../../src/growth/history-file.js';
import { recordsIn } from '../support/growth/history-files.js';
import { elements, pause, times } from '../support/growth/planted-growth.js';
import { startStandalone } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = packageRoot();
/** Moments at which a run is killed. */
const MOMENTS = 4;

/** A finished process. */
interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Older records lose their sketches, one after the other, as newer ones come. */
const withoutSketches = (records: readonly HistoryRecord[]) =>
  records.map((record) => ({
    ...record,
    collections: record.collections.map(({ sketch: _sketch, ...collection }) => collection),
  }));

describe('processes of the command that keep a history', () => {
  let server: EmbeddedMongod;
  let command: string;
  let file: string;
  beforeAll(async () => {
    const { bin } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { bin: { mongolint: string } };
    command = join(ROOT, bin.mongolint);
    if (!existsSync(command)) throw new Error('This test runs the built command: first run "npm run build".');
    server = await startStandalone();
    const client = await new MongoClient(server.uri).connect();
    await client
      .db('shop')
      .collection('products')
      .insertMany(times(300, (index) => ({ reviews: elements(index % 20) })));
    await client.close();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    file = join(await temporaryFolder(), 'history.jsonl');
  });

  function start(uri = server.uri): { child: ChildProcess; ended: Promise<Ended> } {
    const child = spawn(
      process.execPath,
      [command, uri, '--history', file, '--fail-on', 'never', '--timeout', '120000'],
      // A group of its own, so that the process that watches is killed with the run.
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const written = { stdout: '', stderr: '' };
    child.stdout.on('data', (data: Buffer) => (written.stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (written.stderr += data.toString()));
    return { child, ended: new Promise((done) => child.on('close', (exitCode) => done({ exitCode, ...written }))) };
  }

  it(`lose at most the record of a run that is killed, at any of ${MOMENTS} moments`, async () => {
    await start().ended;
    const began = performance.now();
    await start().ended;
    const whole = performance.now() - began;
    let kept = await recordsIn(file);
    expect(kept).toHaveLength(2);
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const { child, ended } = start();
      await pause((whole * (moment + 0.5)) / MOMENTS);
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await ended;
      const next = await start().ended;
      expect({ exitCode: next.exitCode, stderr: next.stderr }).toEqual({ exitCode: 0, stderr: '' });
      const records = await recordsIn(file);
      expect(withoutSketches(records.slice(0, kept.length))).toEqual(withoutSketches(kept));
      // That of the run after it, and that of the one that was killed, if it was written already.
      expect([1, 2]).toContain(records.length - kept.length);
      kept = records;
    }
  });

  it('at once leave a record each', async () => {
    const ended = await Promise.all([start().ended, start().ended, start().ended]);
    expect(ended.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      ended.map(() => ({ exitCode: 0, stderr: '' })),
    );
    expect(await recordsIn(file)).toHaveLength(3);
  });
});

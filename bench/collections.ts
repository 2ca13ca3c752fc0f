/**
 * `npm run bench:collections`: what collect, judge and compare take beside lint, on a real server with 10,000 collections in 100 databases.
 * Whole processes, with those that they start. The limit of open files must be 20,000 or more (`ulimit -n`).
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { median } from 'simple-statistics';
import { LAUNCH_LIMIT_MS, MONGOD_ARGUMENTS, startMemoryServer } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { formatBytes, formatCount } from '../src/format.js';
import { FEW_OPEN_FILES, plantSmallCollections } from './bench-data.js';
import { measureProcess, type MeasuredProcess } from './measured-process.js';

const COLLECTIONS = Number(process.argv[2] ?? 10_000);
const DATABASES = 100;
const ROUNDS = 3;
const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);

const server = await startMemoryServer(
  (_library, dbPath) =>
    new MongoMemoryReplSet({
      instanceOpts: [{ dbPath, launchTimeout: LAUNCH_LIMIT_MS }],
      replSet: { storageEngine: 'wiredTiger', ip: '127.0.0.1', args: [...MONGOD_ARGUMENTS, FEW_OPEN_FILES] },
    }),
);
const folder = await mkdtemp(join(tmpdir(), 'mongolint-collections-'));
const client = new MongoClient(server.uri);
try {
  for (let number = 0; number < DATABASES; number += 1)
    await plantSmallCollections(client.db(`small_${number}`), COLLECTIONS / DATABASES);
  const [older, newer] = ['older', 'newer'].map((name) => join(folder, `${name}.evidence.jsonl.gz`)) as [
    string,
    string,
  ];
  const report = join(folder, 'report.json');
  const reading = [server.uri, '--include', 'small_*.*', '--max-time', '1h', '--no-config', '--quiet'];
  const judging = ['--no-config', '--quiet', '--format', `json=${report}`];
  await measureProcess(COMMAND, ['collect', ...reading, '--output', older]);
  const commands = {
    lint: [...reading, '--format', `json=${report}`],
    collect: ['collect', ...reading, '--output', newer],
    judge: ['judge', newer, ...judging],
    compare: ['compare', older, newer, ...judging],
  };
  const measured = new Map<string, MeasuredProcess[]>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, argv] of Object.entries(commands)) {
      const one = await measureProcess(COMMAND, argv);
      measured.set(name, [...(measured.get(name) ?? []), one]);
    }
  const linted = measured.get('lint') ?? [];
  for (const [name, runs] of measured) {
    const ratioOf = (figure: keyof MeasuredProcess) =>
      median(runs.map((run, round) => run[figure] / (linted[round]?.[figure] ?? NaN))).toFixed(2);
    const [wall, peak] = [median(runs.map(({ wall: ms }) => ms)), median(runs.map(({ peakBytes }) => peakBytes))];
    print(
      `${name} of ${formatCount(COLLECTIONS)} collections: ${(wall / 1_000).toFixed(1)} s, ${formatBytes(peak)} at peak; / lint: time ${ratioOf('wall')}, memory ${ratioOf('peakBytes')}`,
    );
  }
  print(`evidence, gzipped: ${formatBytes((await stat(newer)).size / COLLECTIONS)} a collection`);
} finally {
  await client.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

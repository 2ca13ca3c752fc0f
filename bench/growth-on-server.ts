/** `npm run bench:growth:server`: growth on a real server whose oplog holds half a million entries of seven days, made by hand. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastGrowingArray } from '../checks/fast-growing-array.js';
import { lint } from '../src/lint/lint.js';
import { nameOf } from '../src/namespace.js';
import { startWithOplog } from '../test/support/growth/hand-made-oplog.js';
import { measurePairs, measureProcess } from './measured-process.js';

const ENTRIES = 480_000;
const RUNS = Number(process.argv[2] ?? 7);
const SCENARIOS = [
  'steady appends',
  'twelve busy documents',
  'one document of a thousand',
  'rates lognormal, 1',
  'rates by Zipf',
  'one in twenty grows',
  'nightly batches',
  'bursts',
  'began two days ago',
  'five at a time',
  'saved whole, four more each time',
  'some removed again',
  'slots set at random',
  'cut by $slice, many still below',
  'queues',
  'buckets of 200',
  'recordings of five days',
  'two backfills',
  'replaced as a whole',
];
const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));

const print = (line: string) => void process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), 'mongolint-growth-'));
const server = await startWithOplog(SCENARIOS, ENTRIES);
try {
  print(`${server.entries} entries`);
  const { findings, collections, skipped } = await lint({
    uri: server.uri,
    include: ['shop.*'],
    checks: [fastGrowingArray],
  });
  for (const { name, collection, truth } of server.planted) {
    const growth = collections
      .find(({ namespace }) => nameOf(namespace) === collection)
      ?.growth?.find(({ path }) => path === 'log');
    const isFound = findings.some(({ namespace }) => nameOf(namespace) === collection);
    const rate =
      growth === undefined ? 'not growing' : `${growth.perDay.toFixed(2)} a day by ${growth.sources.join(', ')}`;
    const ofTruth = growth === undefined ? 'MISSED' : `× ${(growth.perDay / (truth ?? NaN)).toFixed(2)}`;
    print(`${name.padEnd(34)} ${rate.padEnd(36)} ${truth !== null ? ofTruth : isFound ? 'FALSE' : 'right'}`);
  }
  for (const { reason, detail } of skipped) print(`${reason}: ${detail}`);
  const [off, on] = [join(folder, 'without.yaml'), join(folder, 'with.yaml')];
  await writeFile(off, JSON.stringify({ checks: { [fastGrowingArray.id]: 'off' } }));
  await writeFile(on, '{}');
  const run = (config: string) => async () =>
    (await measureProcess(COMMAND, [server.uri, '--include', 'shop.*', '--no-progress', '--config', config])).wall;
  const { ratio, lowest, highest, first, second } = await measurePairs(RUNS, run(on), run(off));
  print(
    `run with growth / without = ${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}; ${first.toFixed(0)} ms, ${second.toFixed(0)} ms)`,
  );
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * How fast logs are read, beside the JSON parser alone on the same lines. Every line but those of the last kind is about a
 * slow operation, and no two hold the same values. `node dist/bench/log.js` runs it by itself.
 */
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SeededRandom } from '../src/demo/seeded-random.js';
import { formatBytes } from '../src/format.js';
import { readLogFiles } from '../src/workload/sources/log-file.js';
import { measurePairs } from './measured-process.js';

const LOG_BYTES = 100_000_000;
const LINES_AT_ONCE = 2_000;
const RUNS = 3;
const SEED = 4_400;
const BYTES_PER_MEGABYTE = 1_000_000;
const MS_PER_SECOND = 1_000;

/** What 6.0 tells of an operation besides the command. */
function attributes(random: SeededRandom): object {
  const acquired = { acquireCount: { r: random.below(100) } };
  return {
    planSummary: 'COLLSCAN',
    keysExamined: 0,
    docsExamined: random.below(100_000),
    cursorExhausted: true,
    numYields: random.below(100),
    nreturned: random.below(100),
    queryHash: '25E18860',
    planCacheKey: '25E18860',
    queryFramework: 'classic',
    reslen: random.below(100_000),
    locks: { FeatureCompatibilityVersion: acquired, Global: acquired, Mutex: acquired },
    readConcern: { level: 'local', provenance: 'implicitDefault' },
    storage: {},
    remote: `10.0.0.${random.below(256)}:38210`,
    protocol: 'op_msg',
  };
}

function slowLine(random: SeededRandom, command: object, more: object): string {
  const attr = { type: 'command', ns: 'shop.orders', command, ...more, durationMillis: 100 + random.below(900) };
  return `{"t":{"$date":"2026-11-21T03:28:${10 + random.below(50)}.116+00:00"},"s":"I",  "c":"COMMAND",  "id":51803,   "ctx":"conn${random.below(100)}","msg":"Slow query","attr":${JSON.stringify(attr)}}`;
}

const LOGS: Readonly<Record<string, (random: SeededRandom) => string>> = {
  'short lines': (random) =>
    slowLine(random, { find: 'orders', filter: { total: random.below(100_000) } }, { docsExamined: 2_000 }),
  'lines of 6.0': (random) =>
    slowLine(
      random,
      {
        find: 'orders',
        filter: { total: random.below(100_000), status: `state ${random.below(100)}` },
        sort: { at: -1 },
        limit: 20,
        $db: 'shop',
      },
      attributes(random),
    ),
  'lines with joins': (random) =>
    slowLine(
      random,
      {
        aggregate: 'orders',
        pipeline: [
          { $match: { customer: { $oid: String(random.below(1e9)).padStart(24, '0') } } },
          { $lookup: { from: 'customers', localField: 'customer', foreignField: 'key', as: 'customer' } },
          { $unwind: '$customer' },
          { $project: { total: 1, 'customer.name': 1 } },
        ],
        cursor: {},
        $db: 'shop',
      },
      attributes(random),
    ),
  'lines of which one in twenty is slow': (random) =>
    random.below(20) === 0
      ? slowLine(random, { find: 'orders', filter: { total: random.below(100_000) } }, attributes(random))
      : `{"t":{"$date":"2026-11-21T03:28:55.116+00:00"},"s":"I",  "c":"NETWORK",  "id":22943,   "ctx":"listener","msg":"Connection accepted","attr":{"remote":"10.0.0.1:38210","connectionId":${random.below(1e6)},"connectionCount":12}}`,
};

/** Writes a log of 100 MB for each kind of lines, reads it, and prints a line for each. Times are of the processor. */
export async function benchLogs(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-bench-log-'));
  try {
    for (const [title, lineOf] of Object.entries(LOGS)) {
      const path = join(folder, 'mongod.log');
      const lineBytes = await writeLog(path, lineOf);
      const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.includes('"Slow query"'));
      const read = () => processorTime(() => readLogFiles([path], () => false));
      const parse = () => processorTime(() => lines.forEach((line) => void JSON.parse(line)));
      const { first, second, ratio } = await measurePairs(RUNS, read, parse);
      process.stdout.write(
        `log of ${title} (${formatBytes(lineBytes)}): read at ${speed(first)} MB/s; JSON.parse of its slow lines alone ${speed(second)} MB/s, ratio ${ratio.toFixed(1)}\n`,
      );
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the mean length of the lines, in bytes. */
async function writeLog(path: string, lineOf: (random: SeededRandom) => string): Promise<number> {
  const random = new SeededRandom(SEED);
  const file = await open(path, 'w');
  let [bytes, lines] = [0, 0];
  while (bytes < LOG_BYTES) {
    const piece = Buffer.from(`${Array.from({ length: LINES_AT_ONCE }, () => lineOf(random)).join('\n')}\n`);
    await file.write(piece);
    bytes += piece.length;
    lines += LINES_AT_ONCE;
  }
  await file.close();
  return bytes / lines;
}

async function processorTime(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

function speed(milliseconds: number): string {
  return (LOG_BYTES / BYTES_PER_MEGABYTE / (milliseconds / MS_PER_SECOND)).toFixed(0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchLogs();

/** `npm run bench:growth:server`: growth on a real server whose oplog holds half a million entries of seven days, made by hand. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Binary, Long, MongoClient, ObjectId, Timestamp, type Document } from 'mongodb';
import { fastGrowingArray } from '../checks/fast-growing-array/check.js';
import { lint } from '../src/lint/lint.js';
import { nameOf } from '../src/namespace.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../src/time-units.js';
import { GROWTH_SCENARIOS } from '../test/support/growth/growth-scenarios.js';
import { lengthAt, type VirtualWrite } from '../test/support/growth/virtual-world.js';
import { ownPort } from '../test/support/mongod/own-port.js';
import { RandomDistributions } from '../test/support/random-distributions.js';
import { measurePairs, measureProcess } from './measured-process.js';

const ENTRIES = 480_000;
const WINDOW_DAYS = 7;
const RUNS = Number(process.argv[2] ?? 7);
const BATCH = 10_000;
const COLLECTIONS = [
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
  'slots set at random',
  'cut by $slice, many still below',
  'queues',
  'buckets of 200',
  'young for five days',
  'two backfills',
  'replaced as a whole',
];
const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));

class Mongod {
  private child: ChildProcess | null = null;
  private readonly port = ownPort();
  readonly uri = `mongodb://127.0.0.1:${this.port}/?directConnection=true`;

  constructor(private readonly folder: string) {}

  async start(args: readonly string[]): Promise<MongoClient> {
    const binary = process.env['MONGOMS_SYSTEM_BINARY'] ?? 'mongod';
    const own = ['--dbpath', this.folder, '--port', String(this.port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
    this.child = spawn(binary, [...own, ...args], { stdio: 'ignore' });
    return new MongoClient(this.uri, { serverSelectionTimeoutMS: 60_000 }).connect();
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
}

interface Planted {
  readonly name: string;
  readonly collection: string;
  readonly truth: number | null;
  readonly entries: readonly Document[];
}

const now = Date.now();
const timeAt = (days: number) => now - 60 * MS_PER_SECOND + days * MS_PER_DAY;

function idOf(createdAt: number, index: number): ObjectId {
  const seconds = Math.floor(timeAt(createdAt) / MS_PER_SECOND);
  return new ObjectId(seconds.toString(16).padStart(8, '0') + index.toString(16).padStart(16, '0'));
}

const element = (index: number) => ({ by: 'bench', n: index });

function changeOf({ kind, from, elements }: VirtualWrite): Document {
  if (kind === 'length') return { u: { log: Array.from({ length: elements }, (_, index) => element(index)) } };
  const set = Array.from({ length: elements - from }, (_, index) => [`u${from + index}`, element(from + index)]);
  return { slog: { a: true, ...Object.fromEntries(set) } };
}

async function plant(client: MongoClient, name: string, index: number): Promise<Planted> {
  const scenario = GROWTH_SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario "${name}".`);
  const collection = `scenario${index}`;
  const { documents } = scenario.world(new RandomDistributions(index + 1));
  const present = documents.flatMap((document, number) => {
    const length = lengthAt(document, 0);
    const log = Array.from({ length: length ?? 0 }, (_, at) => element(at));
    return length === null ? [] : [{ _id: idOf(document.createdAt, number), log }];
  });
  const database = client.db('shop');
  await database.collection<Document>(collection).insertMany(present as never);
  const [information] = await database.listCollections({ name: collection }).toArray();
  const ui = (information as unknown as { info: { uuid: Binary } }).info.uuid;
  const entries = documents.flatMap((document, number) =>
    document.writes
      .filter(({ at }) => at > -WINDOW_DAYS)
      .map((write) => ({
        op: 'u',
        ns: `shop.${collection}`,
        ui,
        o: { $v: 2, diff: changeOf(write) },
        o2: { _id: idOf(document.createdAt, number) },
        wall: new Date(timeAt(write.at)),
      })),
  );
  const rates = documents
    .filter(
      ({ rate, writes, deletedAt }) =>
        deletedAt === null && rate > 0 && (writes.at(-1)?.at ?? -Infinity) > -WINDOW_DAYS,
    )
    .map(({ rate }) => rate)
    .sort((a, b) => a - b);
  return { name, collection, truth: scenario.grows ? (rates[Math.floor(rates.length / 2)] ?? null) : null, entries };
}

/** Writes to other fields of other documents, as most are. */
function others(ui: Binary, count: number): Document[] {
  return Array.from({ length: count }, (_, index) => ({
    op: 'u',
    ns: 'shop.busy',
    ui,
    o: { $v: 2, diff: { u: { note: `${index} ${'x'.repeat(100)}` } } },
    o2: { _id: index % 1_000 },
    wall: new Date(timeAt(-WINDOW_DAYS * (1 - index / count))),
  }));
}

async function insertEntries(client: MongoClient, entries: readonly Document[]): Promise<void> {
  const oplog = client.db('local').collection<Document>('oplog.rs');
  const sorted = entries.toSorted((a, b) => a['wall'].getTime() - b['wall'].getTime());
  for (let from = 0; from < sorted.length; from += BATCH) {
    const batch = sorted.slice(from, from + BATCH).map((entry, index) => ({
      ...entry,
      ts: new Timestamp({ t: Math.floor(entry['wall'].getTime() / MS_PER_SECOND), i: from + index + 1 }),
      t: Long.fromNumber(1),
      v: Long.fromNumber(2),
    }));
    await oplog.insertMany(batch as never, { ordered: true });
  }
}

const folder = await mkdtemp(join(tmpdir(), 'mongolint-growth-'));
const print = (line: string) => void process.stdout.write(`${line}\n`);
const mongod = new Mongod(folder);
try {
  let client = await mongod.start(['--replSet', 'rs', '--oplogSize', '64']);
  await client.db('admin').command({ replSetInitiate: {} });
  for (;;) {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    if (isWritablePrimary === true) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await client.db('admin').command({ replSetResizeOplog: 1, size: 4_096 });
  const planted: Planted[] = [];
  for (const [index, name] of COLLECTIONS.entries()) planted.push(await plant(client, name, index));
  await client
    .db('shop')
    .collection<Document>('busy')
    .insertMany(Array.from({ length: 1_000 }, (_, _id) => ({ _id })) as never);
  const [busy] = await client.db('shop').listCollections({ name: 'busy' }).toArray();
  await client.close();
  await mongod.stop();

  client = await mongod.start([]);
  const entries = planted.flatMap((one) => one.entries);
  const ui = (busy as unknown as { info: { uuid: Binary } }).info.uuid;
  await insertEntries(client, [...entries, ...others(ui, ENTRIES - entries.length)]);
  await client.close();
  await mongod.stop();

  client = await mongod.start(['--replSet', 'rs']);
  print(
    `${await client.db('local').collection('oplog.rs').estimatedDocumentCount()} entries, of which ${entries.length} write to arrays`,
  );
  await client.close();
  const { findings, collections, skipped } = await lint({
    uri: mongod.uri,
    include: ['shop.*'],
    checks: [fastGrowingArray],
  });
  for (const { name, collection, truth } of planted) {
    const growth = collections
      .find(({ namespace }) => nameOf(namespace) === collection)
      ?.growth?.find(({ path }) => path === 'log');
    const finding = findings.find(({ namespace }) => nameOf(namespace) === collection);
    const rate =
      growth === undefined ? 'not growing' : `${growth.perDay.toFixed(2)} a day by ${growth.sources.join(', ')}`;
    const right =
      truth === null
        ? finding === undefined
          ? 'right'
          : 'FALSE'
        : growth === undefined
          ? 'MISSED'
          : (growth.perDay / truth).toFixed(2);
    print(`${name.padEnd(34)} ${rate.padEnd(36)} ${right}`);
  }
  for (const { reason, detail } of skipped) print(`${reason}: ${detail}`);
  const off = join(folder, 'without.yaml');
  const on = join(folder, 'with.yaml');
  await writeFile(off, JSON.stringify({ checks: { [fastGrowingArray.id]: 'off' } }));
  await writeFile(on, '{}');
  const run = (config: string) => async () =>
    (await measureProcess(COMMAND, [mongod.uri, '--include', 'shop.*', '--no-progress', '--config', config])).wall;
  const { ratio, lowest, highest, first, second } = await measurePairs(RUNS, run(on), run(off));
  print(
    `run with growth / without = ${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}; ${first.toFixed(0)} ms, ${second.toFixed(0)} ms)`,
  );
} finally {
  await mongod.stop();
  await rm(folder, { recursive: true, force: true });
}

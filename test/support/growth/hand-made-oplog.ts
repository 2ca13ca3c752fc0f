/** A real server whose oplog holds entries of the last week, made by hand: nobody waits for a week, and no clock sets the pace. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Binary, Long, MongoClient, ObjectId, Timestamp, type Document } from 'mongodb';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../../src/time-units.js';
import { findMongod } from '../mongod/find-mongod.js';
import { ownPort } from '../mongod/own-port.js';
import { RandomDistributions } from '../random-distributions.js';
import { GROWTH_SCENARIOS } from './growth-scenarios.js';
import { lengthAt, typicalRate, type VirtualWrite } from './virtual-world.js';

const WINDOW_DAYS = 7;
const BATCH = 10_000;
/** Megabytes. */
const OPLOG_SIZE = 4_096;

/** A scenario as it was planted in a collection. */
export interface Planted {
  readonly name: string;
  readonly collection: string;
  /** Elements a day; null if it does not grow. */
  readonly truth: number | null;
}

export interface ServerWithOplog extends EmbeddedMongod {
  readonly planted: readonly Planted[];
  readonly entries: number;
}

/** Starts a replica set of one member with the collections of some scenarios in `shop`. @param entries of its oplog, most of them of no array */
export async function startWithOplog(names: readonly string[], entries: number): Promise<ServerWithOplog> {
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-oplog-'));
  const mongod = new RestartedMongod(folder, (await findMongod()).path);
  const stop = async () => {
    await mongod.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const now = Date.now() - MS_PER_SECOND;
    let client = await mongod.start(['--replSet', 'rs', '--oplogSize', '64']);
    await client.db('admin').command({ replSetInitiate: {} });
    while ((await client.db('admin').command({ hello: 1 }))['isWritablePrimary'] !== true)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await client.db('admin').command({ replSetResizeOplog: 1, size: OPLOG_SIZE });
    const plants: (Planted & { readonly entries: readonly Document[] })[] = [];
    for (const [index, name] of names.entries()) plants.push(await plant(client, name, index, now));
    const ofArrays = plants.flatMap((one) => one.entries);
    const all = [...ofArrays, ...(await others(client, entries - ofArrays.length, now))];
    await client.close();
    await mongod.stop();
    // Only a standalone lets the oplog be written to.
    client = await mongod.start([]);
    await insertEntries(client, all);
    await client.close();
    await mongod.stop();
    client = await mongod.start(['--replSet', 'rs']);
    await client.close();
    return { uri: mongod.uri, planted: plants, entries: all.length, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

class RestartedMongod {
  private child: ChildProcess | null = null;
  private readonly port = ownPort();
  readonly uri = `mongodb://127.0.0.1:${this.port}/?directConnection=true`;

  constructor(
    private readonly folder: string,
    private readonly binary: string,
  ) {}

  async start(args: readonly string[]): Promise<MongoClient> {
    const own = ['--dbpath', this.folder, '--port', String(this.port), '--bind_ip', '127.0.0.1', '--nounixsocket'];
    this.child = spawn(this.binary, [...own, ...args], { stdio: 'ignore' });
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

function idOf(time: number, index: number): ObjectId {
  const seconds = Math.floor(time / MS_PER_SECOND);
  return new ObjectId(seconds.toString(16).padStart(8, '0') + index.toString(16).padStart(16, '0'));
}

const element = (index: number) => ({ by: 'bench', n: index });

function changeOf({ kind, from, elements }: VirtualWrite): Document {
  if (kind === 'length') return { u: { log: Array.from({ length: elements }, (_, index) => element(index)) } };
  const set = Array.from({ length: elements - from }, (_, index) => [`u${from + index}`, element(from + index)]);
  return { slog: { a: true, ...Object.fromEntries(set) } };
}

async function plant(client: MongoClient, name: string, index: number, now: number) {
  const scenario = GROWTH_SCENARIOS.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario "${name}".`);
  const collection = `scenario${index}`;
  const world = scenario.world(new RandomDistributions(index + 1));
  const timeAt = (days: number) => now + days * MS_PER_DAY;
  const identified = world.documents.map((document, number) => ({
    document,
    _id: idOf(timeAt(document.createdAt), number),
  }));
  const present = identified.flatMap(({ document, _id }) => {
    const length = lengthAt(document, 0);
    return length === null ? [] : [{ _id, log: Array.from({ length }, (_, at) => element(at)) }];
  });
  await client.db('shop').collection<Document>(collection).insertMany(present);
  const ui = await uuidOf(client, collection);
  const entries = identified.flatMap(({ document: { writes }, _id }) =>
    writes
      .filter(({ at }) => at > -WINDOW_DAYS)
      .map((write) => ({
        op: 'u',
        ns: `shop.${collection}`,
        ui,
        o: { $v: 2, diff: changeOf(write) },
        o2: { _id },
        wall: new Date(timeAt(write.at)),
      })),
  );
  return { name, collection, truth: scenario.grows ? typicalRate(world) : null, entries };
}

/** Writes to other fields of other documents, as most are. */
async function others(client: MongoClient, count: number, now: number): Promise<Document[]> {
  const ids = Array.from({ length: 1_000 }, (_, _id) => ({ _id }));
  await client.db('shop').collection<{ _id: number }>('busy').insertMany(ids);
  const ui = await uuidOf(client, 'busy');
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    op: 'u',
    ns: 'shop.busy',
    ui,
    o: { $v: 2, diff: { u: { note: `${index} ${'x'.repeat(100)}` } } },
    o2: { _id: index % 1_000 },
    wall: new Date(now - WINDOW_DAYS * MS_PER_DAY * (1 - index / count)),
  }));
}

async function uuidOf(client: MongoClient, name: string): Promise<Binary> {
  const [information] = await client.db('shop').listCollections({ name }).toArray();
  return (information as unknown as { info: { uuid: Binary } }).info.uuid;
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
    await oplog.insertMany(batch, { ordered: true });
  }
}

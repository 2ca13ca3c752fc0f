/**
 * `npm run bench:costs`: what a run costs the cluster and the client, by collections, by documents and by recorded operations.
 * It prints a table and draws `docs/images/costs.svg`.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { SeededRandom } from '../src/demo/seeded-random.js';
import { formatBytes, formatCount } from '../src/format.js';
import { orderDocument, plantSmallCollections } from './bench-data.js';
import { drawnCosts, type CostPanel } from './cost-drawing.js';
import { measureProcess, processorTime } from './measured-process.js';

const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const DRAWING = 'docs/images/costs.svg';
const RUNS = 3;
const PROFILE_BYTES = 256 * 1024 * 1024;
const BATCH = 1_000;
const SHAPES = 50;

/** What one run took: on the server, and in the process that ran it with the one that watches it. */
interface RunCost {
  readonly commands: number;
  /** Sent by the server. */
  readonly bytes: number;
  /** Of the processor, in ms. */
  readonly ofServer: number;
  readonly ofClient: number;
  /** Resident at most, in bytes. */
  readonly peak: number;
}

const PANELS: readonly {
  readonly by: string;
  readonly sizes: readonly number[];
  plant(db: Db, size: number): Promise<void>;
}[] = [
  {
    by: 'collections of 100 documents',
    sizes: [10, 100, 300, 1_000],
    plant: (db, size) => plantSmallCollections(db, size, 100),
  },
  { by: 'documents of 2 KB in one collection', sizes: [1_000, 10_000, 20_000, 100_000], plant: plantDocuments },
  { by: 'recorded operations', sizes: [1_000, 10_000, 30_000, 100_000], plant: recordOperations },
];

const server = await startEmbeddedMongod((line) => void process.stdout.write(`${line}\n`));
const client = new MongoClient(server.uri);
const table = new Table({
  head: ['', '', 'commands', 'sent', 'server, ms', 'client, ms', 'memory'],
  style: { head: [], border: [] },
});
const drawn: CostPanel[] = [];
try {
  for (const { by, sizes, plant } of PANELS) {
    const points: CostPanel['points'][number][] = [];
    for (const size of sizes) {
      const db = client.db('costs');
      await plant(db, size);
      const cost = await costOf(['costs.*']);
      await db.command({ profile: 0 });
      await db.dropDatabase();
      points.push({ size, ofServer: cost.ofServer, ofClient: cost.ofClient });
      const { commands, bytes, ofServer, ofClient, peak } = cost;
      table.push([
        formatCount(size),
        by,
        formatCount(Math.round(commands)),
        formatBytes(bytes),
        formatCount(Math.round(ofServer)),
        formatCount(Math.round(ofClient)),
        formatBytes(peak),
      ]);
    }
    drawn.push({ by, points });
  }
} finally {
  await client.close();
  await server.stop();
}
process.stdout.write(`${table.toString()}\n`);
await writeFile(DRAWING, drawnCosts(drawn));

/** Means of some runs after a first one. */
async function costOf(include: readonly string[]): Promise<RunCost> {
  const argv = [server.uri, ...include.flatMap((glob) => ['--include', glob]), '--no-progress', '--no-config'];
  const { peakBytes } = await measureProcess(COMMAND, argv);
  const before = await counters();
  const ofClient = await processorTime([COMMAND, ...argv], RUNS);
  const after = await counters();
  const each = (figure: keyof typeof before) => (after[figure] - before[figure]) / RUNS;
  return { commands: each('commands'), bytes: each('bytes'), ofServer: each('processor'), ofClient, peak: peakBytes };
}

async function counters(): Promise<{ readonly commands: number; readonly bytes: number; readonly processor: number }> {
  const status = await client.db('admin').command({ serverStatus: 1 });
  const {
    opcounters,
    network,
    extra_info: system,
  } = status as {
    readonly opcounters: { readonly command: number; readonly query: number; readonly getmore: number };
    readonly network: { readonly bytesOut: number };
    readonly extra_info: { readonly user_time_us: number; readonly system_time_us: number };
  };
  return {
    commands: opcounters.command + opcounters.query + opcounters.getmore,
    bytes: Number(network.bytesOut),
    processor: (Number(system.user_time_us) + Number(system.system_time_us)) / 1_000,
  };
}

async function plantDocuments(db: Db, size: number): Promise<void> {
  const random = new SeededRandom(size);
  for (let from = 0; from < size; from += BATCH)
    await db.collection('orders').insertMany(Array.from({ length: BATCH }, () => orderDocument(random)));
}

async function recordOperations(db: Db, size: number): Promise<void> {
  await plantDocuments(db, BATCH);
  await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await db.command({ profile: 2 });
  const orders = db.collection('orders');
  for (let from = 0; from < size; from += SHAPES)
    await Promise.all(
      Array.from({ length: SHAPES }, (_, shape) =>
        orders.find({ attempts: from % 5, [`flags.${shape % 3}`]: shape }, { limit: 1 + (shape % 17) }).toArray(),
      ),
    );
}

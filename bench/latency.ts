/**
 * `npm run bench:latency`: what a run takes where each answer is 60 ms away. A relay stands before the server. The floor is
 * the bare driver that sends the commands of the run over the same relay and as many connections, all known from the start.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { LINT_DEFAULTS } from '../src/lint/lint-options.js';
import { exhibits } from '../test/exhibits/index.js';
import { plantSmallCollections } from './bench-data.js';
import { DelayingRelay } from './delaying-relay.js';
import { measurePairs, measureProcess } from './measured-process.js';
import { asText, recordRun } from './recorded-commands.js';

const ONE_WAY_MS = 30;
const PAIRS = Number(process.argv[2] ?? 5);
const FEW = 40;
/** Collections of 20 KB, and as many of 400 KB. */
const SMALL = 180;
const MIDDLING_DOCUMENTS = 200;
/** As many as a run has for its reads. */
const CONNECTIONS = LINT_DEFAULTS.concurrency + 1;
const scriptAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Those of the demo: joins, references, series, documents of all sizes. */
async function plantExhibits(database: Db): Promise<void> {
  for (const { bad, twin } of exhibits) {
    if ((await database.listCollections({}, { nameOnly: true }).toArray()).length >= FEW) return;
    await bad.plant(database);
    await twin.plant(database);
  }
}

const server = await startEmbeddedMongod(print);
const relay = new DelayingRelay(Number(new URL(server.uri).port), ONE_WAY_MS);
const folder = await mkdtemp(join(tmpdir(), 'mongolint-latency-'));
const client = new MongoClient(server.uri);
try {
  await plantExhibits(client.db('few'));
  await plantSmallCollections(client.db('small'), SMALL);
  await plantSmallCollections(client.db('middling'), SMALL, MIDDLING_DOCUMENTS);
  const uri = `mongodb://127.0.0.1:${await relay.start()}/?directConnection=true`;
  for (const databases of [['few'], ['few', 'small', 'middling']]) {
    const include = databases.map((name) => `${name}.*`);
    const { commands, rounds } = await recordRun(uri, include);
    const file = join(folder, 'commands.json');
    await writeFile(file, asText(commands));
    const floorArguments = [uri, file, String(CONNECTIONS), 'raw', 'at-once'];
    const floor = async () => (await measureProcess(scriptAt('./floor.js'), floorArguments)).wall;
    const runArguments = [uri, ...include.flatMap((glob) => ['--include', glob]), '--no-progress', '--no-config'];
    const run = async () => (await measureProcess(scriptAt('../bundle/cli.js'), runArguments)).wall;
    const { ratio, lowest, highest, first, second } = await measurePairs(PAIRS, run, floor);
    const lists = databases.map((name) => client.db(name).listCollections({}, { nameOnly: true }).toArray());
    const collections = (await Promise.all(lists)).flat().length;
    print(
      `${collections} collections, ${2 * ONE_WAY_MS} ms away: ${commands.length} commands in ${rounds} rounds; run / floor = ${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}; run ${first.toFixed(0)} ms, floor ${second.toFixed(0)} ms)`,
    );
  }
} finally {
  await relay.stop();
  await client.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

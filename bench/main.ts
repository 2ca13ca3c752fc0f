/** `npm run bench`: what a run costs over the bare driver, and what the profile costs beside other ways to read a document. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { formatBytes, formatCount } from '../src/format.js';
import { LINT_DEFAULTS } from '../src/lint/lint-options.js';
import { plantHugeDocuments, plantMixedCollections, plantSmallCollections } from './bench-data.js';
import { benchLogs } from './log.js';
import { measurePairs, measureProcess } from './measured-process.js';
import { benchOplog, enlargeOplog } from './oplog.js';
import { benchProfile } from './profile.js';
import { asText, oneByOne, recordRun } from './recorded-commands.js';
import { benchWriters } from './writers.js';

const RUNS = 7;
const scriptAt = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const COMMAND = scriptAt('../bundle/cli.js');
const print = (line: string) => void process.stdout.write(`${line}\n`);

async function benchRun(uri: string, folder: string, database: Db, title: string): Promise<void> {
  const include = `${database.databaseName}.*`;
  const { commands } = await recordRun(uri, [include]);
  const alone = oneByOne(commands);
  const run = async () => (await measureProcess(COMMAND, [uri, '--include', include, '--no-progress'])).wall;
  const floors = [
    [alone, 'raw', `raw BSON, one collection at a time (${formatCount(alone.length)} commands)`],
    [commands, 'raw', `raw BSON, the same ${formatCount(commands.length)} commands`],
    [commands, 'decoded', 'decoded documents, the same commands'],
  ] as const;
  for (const [sent, documents, what] of floors) {
    const file = join(folder, 'commands.json');
    await writeFile(file, asText(sent));
    const argv = [uri, file, String(LINT_DEFAULTS.concurrency), documents, 'in-turn'];
    const floor = async () => (await measureProcess(scriptAt('./floor.js'), argv)).wall;
    const { ratio, lowest, highest, first, second } = await measurePairs(RUNS, run, floor);
    print(
      `${title}: run / floor = ${ratio.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}; run ${first.toFixed(0)} ms, floor ${second.toFixed(0)} ms), the floor of ${what}`,
    );
  }
}

const server = await startEmbeddedMongod(print);
const folder = await mkdtemp(join(tmpdir(), 'mongolint-bench-'));
const client = new MongoClient(server.uri);
try {
  const { version } = await client.db('admin').command({ buildInfo: 1 });
  print(`MongoDB ${version}, Node ${process.version}; medians of ${RUNS} pairs, whole processes`);
  await enlargeOplog(client);
  const mixed = client.db('mixed');
  await plantMixedCollections(mixed);
  await benchRun(server.uri, folder, mixed, '50 mixed collections');
  await benchOplog(client, server.uri, COMMAND, folder, mixed);
  await benchWriters(server.uri, COMMAND);
  await mixed.dropDatabase();

  const small = client.db('small');
  await plantSmallCollections(small);
  await benchRun(server.uri, folder, small, '2,000 small collections');
  await small.dropDatabase();

  await benchProfile(server.uri);

  await benchLogs();

  const huge = client.db('huge');
  await plantHugeDocuments(huge);
  const { peakBytes } = await measureProcess(COMMAND, [server.uri, '--include', 'huge.*', '--no-progress']);
  print(`60 documents of 15 MB: peak memory ${formatBytes(peakBytes)}`);
} finally {
  await client.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

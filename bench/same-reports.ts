/**
 * `npm run bench:same-reports`: whether evidence that is written to a file and judged from there comes to the report of the run
 * that collected it, on the data of the bench. The replica set and the sharded cluster of the tests are in `npm test`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { startEmbeddedMongod } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { formatBytes } from '../src/format.js';
import { bothReports } from '../test/support/both-reports.js';
import { plantHugeDocuments, plantMixedCollections, plantSmallCollections } from './bench-data.js';

const print = (line: string) => void process.stdout.write(`${line}\n`);
const CLUSTERS: Readonly<Record<string, (database: Db) => Promise<void>>> = {
  mixed: plantMixedCollections,
  small: plantSmallCollections,
  huge: plantHugeDocuments,
};

const server = await startEmbeddedMongod(print);
const folder = await mkdtemp(join(tmpdir(), 'mongolint-same-reports-'));
const client = new MongoClient(server.uri);
try {
  for (const [name, plant] of Object.entries(CLUSTERS)) {
    const database = client.db(name);
    await plant(database);
    const file = join(folder, `${name}.jsonl.gz`);
    const { linted, judged } = await bothReports(server.uri, file);
    const isSame = JSON.stringify(linted) === JSON.stringify(judged);
    const { length } = linted.collections;
    const bytes = formatBytes((await stat(file)).size / length);
    print(
      `${name}, ${length} collections, ${linted.findings.length} findings: ${isSame ? 'the same report' : 'ANOTHER REPORT'}; ${bytes} a collection, gzipped`,
    );
    if (!isSame) process.exitCode = 1;
    await database.dropDatabase();
  }
} finally {
  await client.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

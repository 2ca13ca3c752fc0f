/** What reading the oplog adds to a default run: the same run with and without it, in pairs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db, MongoClient } from 'mongodb';
import { fastGrowingArray } from '../checks/fast-growing-array.js';
import { formatCount } from '../src/format.js';
import { measurePairs, measureProcess, type PairedRuns } from './measured-process.js';

/** Entries that the oplog has at least before the runs. */
const ENTRIES = 500_000;
const OPLOG_MEGABYTES = 4_096;
/** Pairs: what is measured is smaller than what a busy machine makes of a single run. */
const RUNS = 15;
/** Bytes that every other update sets. */
const TEXT = 'x'.repeat(500);

/** Makes room in the oplog of a member that the tests' size of 64 MB would leave no 500,000 entries. */
export async function enlargeOplog(client: MongoClient): Promise<void> {
  await client.db('admin').command({ replSetResizeOplog: 1, size: OPLOG_MEGABYTES });
}

/**
 * Updates a database's documents until the oplog has its entries, then measures runs on it that read the oplog over runs
 * that do not. Where nothing judges growth, it is not measured at all: the ratio holds that too.
 *
 * @param script the command's file
 * @param folder for the configuration that turns the oplog off
 */
export async function benchOplog(
  client: MongoClient,
  uri: string,
  script: string,
  folder: string,
  database: Db,
): Promise<{ entries: number; runs: PairedRuns }> {
  const entries = await fillOplog(client, database);
  const [reading, not] = await Promise.all([
    configuration(folder, 'with-oplog', 'on'),
    configuration(folder, 'without-oplog', 'off'),
  ]);
  const run = (config: string) => async () =>
    (
      await measureProcess(script, [
        uri,
        '--include',
        `${database.databaseName}.*`,
        '--no-progress',
        '--config',
        config,
      ])
    ).wall;
  const runs = await measurePairs(RUNS, run(reading), run(not));
  const { ratio, lowest, highest, first, second } = runs;
  process.stdout.write(
    `the oplog, ${formatCount(entries)} entries present: run with it / run without = ${ratio.toFixed(2)} ` +
      `(${lowest.toFixed(2)} to ${highest.toFixed(2)}; ${first.toFixed(0)} ms, ${second.toFixed(0)} ms)\n`,
  );
  return { entries, runs };
}

async function configuration(folder: string, name: string, state: 'on' | 'off'): Promise<string> {
  const file = join(folder, `${name}.yaml`);
  const checks = state === 'off' ? { checks: { [fastGrowingArray.id]: 'off' } } : {};
  await writeFile(file, JSON.stringify(checks));
  return file;
}

/** Adds elements to arrays and sets texts in turn, collection by collection. Returns how many entries there are then. */
async function fillOplog(client: MongoClient, database: Db): Promise<number> {
  const oplog = client.db('local').collection('oplog.rs');
  const collections = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) =>
    database.collection(name),
  );
  for (let round = 0; ; round += 1) {
    for (const collection of collections) {
      const entries = await oplog.estimatedDocumentCount();
      if (entries >= ENTRIES) return entries;
      const element = { at: new Date(), round, by: 'bench' };
      await collection.updateMany(
        {},
        round % 2 === 0 ? { $push: { history: element } as never } : { $set: { note: `${round} ${TEXT}` } },
      );
    }
  }
}

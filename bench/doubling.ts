/**
 * `npm run bench:doubling`: how the time of each phase grows if there is twice as much of something. What needs no server is
 * measured without one. Arguments name the dimensions to measure; without any, all are.
 */
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { LAUNCH_LIMIT_MS, MONGOD_ARGUMENTS, startMemoryServer } from '../src/demo/embedded-mongod/embedded-mongod.js';
import { formatCount } from '../src/format.js';
import { collectionsDimension } from './doubling/collections.js';
import { documentsDimension } from './doubling/documents.js';
import { fieldNamesDimension } from './doubling/field-names.js';
import { findingsDimension, formatsDimension } from './doubling/findings.js';
import { indexesDimension } from './doubling/indexes.js';
import { kindsOfQueriesDimension } from './doubling/kinds-of-queries.js';
import { measurePhases, type Dimension } from './doubling/measured-phases.js';
import { serverDimensions } from './doubling/on-a-server.js';
import { targetsDimension } from './doubling/targets.js';
import { FEW_OPEN_FILES } from './bench-data.js';

/** The aim: linear, but for what can't be told from it. */
const MOST = 1.1;
const wanted = process.argv.slice(2);
const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Four sizes unless told otherwise, each twice the one before. */
const upTo = (largest: number, doublings = 3) =>
  Array.from({ length: doublings + 1 }, (_, index) => Math.round(largest / 2 ** (doublings - index)));

const WITHOUT_SERVER: Readonly<Record<string, () => Dimension | Promise<Dimension>>> = {
  collections: () => collectionsDimension(upTo(8_000)),
  documents: () => documentsDimension(upTo(2_000_000)),
  names: () => fieldNamesDimension(upTo(100_000, 5)),
  indexes: () => indexesDimension(upTo(64)),
  queries: () => kindsOfQueriesDimension(upTo(10_000)),
  findings: () => findingsDimension(upTo(80_000)),
  formats: () => formatsDimension(upTo(10_000)),
  targets: () => targetsDimension(upTo(96)),
};

const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

async function measure(dimension: Dimension): Promise<void> {
  const sizes = dimension.sizes.map(formatCount).join(', ');
  print(`| ${dimension.name}: ${sizes} | ms of the processor | exponent | of the last doubling |`);
  print('| --- | --- | --- | --- |');
  for (const { name, milliseconds, exponent, lastExponent } of await measurePhases(dimension)) {
    const times = milliseconds.map((time) => formatCount(Math.round(time))).join(', ');
    print(`| ${name} | ${times} | ${exponent.toFixed(2)} | ${lastExponent.toFixed(2)} |`);
    if (exponent > MOST) process.exitCode = 1;
  }
  print('');
}

async function measureOnServer(): Promise<void> {
  const server = await startMemoryServer(
    (_library, dbPath) =>
      new MongoMemoryReplSet({
        instanceOpts: [{ dbPath, launchTimeout: LAUNCH_LIMIT_MS }],
        replSet: { storageEngine: 'wiredTiger', ip: '127.0.0.1', args: [...MONGOD_ARGUMENTS, FEW_OPEN_FILES] },
      }),
  );
  const client = new MongoClient(server.uri);
  try {
    const sizes = {
      collections: upTo(4_000),
      documents: upTo(400_000),
      indexes: upTo(64),
      targets: upTo(96),
    };
    for (const dimension of serverDimensions(client, server.uri, sizes)) await measure(dimension);
  } finally {
    await client.close();
    await server.stop();
  }
}

for (const [name, dimension] of Object.entries(WITHOUT_SERVER)) if (isWanted(name)) await measure(await dimension());
if (isWanted('server')) await measureOnServer();

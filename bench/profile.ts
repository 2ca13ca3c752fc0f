/**
 * What the profile of documents costs beside other ways to read them: the driver's plain decode, and `parseSchema` of
 * mongodb-schema, all over the same raw documents, already fetched.
 *
 * `node dist/bench/profile.js` measures documents generated in memory, without a server.
 */
import { fileURLToPath } from 'node:url';
import { BSON, MongoClient } from 'mongodb';
import { parseSchema } from 'mongodb-schema';
import { SeededRandom } from '../src/demo/seeded-random.js';
import { formatBytes, formatCount } from '../src/format.js';
import { DocumentProfiler } from '../src/profile/document-profiler.js';
import { orderDocument } from './bench-data.js';
import { measurePairs, type PairedRuns } from './measured-process.js';

const DOCUMENTS = 5_000;
const RUNS = 7;
const SEED = 5_000;
const BYTES_PER_MEGABYTE = 1_000_000;
const MS_PER_SECOND = 1_000;

/** What was measured. Ratios are medians over pairs of runs. */
export interface ProfileBench {
  readonly documents: number;
  readonly bytes: number;
  /** Speed of the profile, in MB (10⁶ bytes) of BSON per second. */
  readonly megabytesPerSecond: number;
  /** The driver's plain decode of the documents, over the profile. */
  readonly decodeOverProfile: PairedRuns;
  /** `parseSchema` over the profile; the documents were decoded for it beforehand. */
  readonly parseSchemaOverProfile: PairedRuns;
}

/** Times the three on raw documents and prints a line for each ratio. */
export async function benchRawDocuments(documents: readonly Uint8Array[]): Promise<ProfileBench> {
  const bytes = documents.reduce((sum, document) => sum + document.length, 0);
  const decoded = documents.map((document) => BSON.deserialize(document));
  const profile = timed(() => {
    const profiler = new DocumentProfiler();
    for (const document of documents) profiler.add(document);
    return profiler.profile();
  });
  const decode = timed(() => {
    for (const document of documents) BSON.deserialize(document);
  });
  const schema = timed(() => parseSchema(decoded));
  const decodeOverProfile = await measurePairs(RUNS, decode, profile);
  const parseSchemaOverProfile = await measurePairs(RUNS, schema, profile);
  const { first: alone } = await measurePairs(RUNS, profile, profile);
  const megabytesPerSecond = bytes / BYTES_PER_MEGABYTE / (alone / MS_PER_SECOND);
  print(
    `${formatCount(documents.length)} documents of ${formatBytes(bytes / documents.length)}: profiled at ${formatCount(Math.round(megabytesPerSecond))} MB/s`,
  );
  printRatio('plain decode / profile', decodeOverProfile);
  printRatio('parseSchema / profile', parseSchemaOverProfile);
  return { documents: documents.length, bytes, megabytesPerSecond, decodeOverProfile, parseSchemaOverProfile };
}

/** Inserts documents of about 2 KB into a database of its own, fetches them raw, and times the three on them. */
export async function benchProfile(uri: string): Promise<ProfileBench> {
  const client = await new MongoClient(uri).connect();
  const database = client.db('mongolint_bench_profile');
  try {
    const orders = database.collection('orders');
    await orders.insertMany(generatedDocuments());
    const raw = await orders.find({}, { raw: true }).toArray();
    return await benchRawDocuments(raw as unknown as Uint8Array[]);
  } finally {
    await database.dropDatabase();
    await client.close();
  }
}

function generatedDocuments(): object[] {
  const random = new SeededRandom(SEED);
  return Array.from({ length: DOCUMENTS }, () => orderDocument(random));
}

function timed(work: () => unknown): () => Promise<number> {
  return async () => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function printRatio(name: string, { ratio, lowest, highest, first, second }: PairedRuns): void {
  print(
    `  ${name} = ${ratio.toFixed(1)} (${lowest.toFixed(1)} to ${highest.toFixed(1)}; ${first.toFixed(0)} ms over ${second.toFixed(1)} ms)`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await benchRawDocuments(generatedDocuments().map((document) => BSON.serialize(document)));
}

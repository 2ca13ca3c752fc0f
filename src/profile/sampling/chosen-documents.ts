import { BSON, Long, MongoServerError, type Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import { idHash } from './id-hash.js';
import { planWithout, type SampleMethod, type SamplePlan } from './sample-plan.js';

// The one place that chooses documents. A document is chosen by the hash of its `_id`, the smallest first: whatever the
// node, the natural order and the time, unchanged data give the same documents. Only the random cursor, for collections
// too large to be scanned, gives others each time.

/** Which documents were chosen, as the first stages of a pipeline. */
export interface Choice {
  readonly method: SampleMethod;
  readonly stages: readonly Document[];
  /** In the order of their hashes, if they were hashed here. */
  readonly ids: readonly unknown[] | null;
}

// A plan can't be followed with these, or with what is not supported, although the collection can be read: 168
// InvalidPipelineOperator (a server without `$toHashedIndexKey`), 292 QueryExceededMemoryLimitNoDiskUseAllowed (a
// sort over large documents, measured on 6.0.5), 28799 (the random cursor met the same documents a hundred times over)
// and 2 BadValue (no index on `_id`).
const REFUSED = new Set([2, 168, 292, 28799]);

/** So many more than wanted pass the threshold, in standard deviations of their number, that nearly never too few do. */
const DEVIATIONS_ABOVE = 6;
const LOWEST_HASH = -(2n ** 63n);
const THRESHOLD_BITS = 53n;

/**
 * @param read reads from the chosen documents; called again with others if the server can't follow the plan
 * @param project a stage that keeps `_id`, so that less is sorted
 */
export async function readChosen<Result>(
  reader: ClusterReader,
  collection: Collection,
  plan: SamplePlan,
  read: (choice: Choice) => Promise<Result>,
  project: readonly Document[] = [],
): Promise<Result> {
  try {
    return await read(await choose(reader, collection, plan, project));
  } catch (error) {
    if (!isRefusal(error) || plan.method === 'natural-order') throw error;
    return readChosen(reader, collection, planWithout(plan, collection.clustered), read, project);
  }
}

/** Whether the server can't follow a plan, though it can read the collection. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MongoServerError && (REFUSED.has(Number(error.code)) || skipReason(error) === 'unsupported');
}

async function choose(
  reader: ClusterReader,
  collection: Collection,
  { method, documents, count }: SamplePlan,
  project: readonly Document[],
): Promise<Choice> {
  switch (method) {
    case 'random-cursor':
      return { method, stages: [{ $sample: { size: documents } }, ...project], ids: null };
    case 'id-hash':
      return { method, stages: [...project, ...smallestHashes(documents, count)], ids: null };
    case 'id-index': {
      const ids = await hashedIds(reader, collection, documents);
      return { method, stages: [{ $match: { _id: { $in: ids } } }, ...project], ids };
    }
    default:
      return { method, stages: [{ $limit: documents }, ...project], ids: null };
  }
}

/** Reads by stages that hash, or, on a server that can't, of so many that are drawn at random. */
export async function readHashed<Result>(
  hashing: readonly Document[],
  wanted: number,
  read: (stages: readonly Document[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(hashing);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return read([{ $sample: { size: wanted } }]);
  }
}

/** Stages that keep so many of the different values of a field `value`, in bounded memory. */
export function valuesByHash(wanted: number): Document[] {
  const hash = { $toHashedIndexKey: '$value' };
  return [
    { $group: { _id: { $abs: { $mod: [hash, wanted] } }, least: { $min: { hash, value: '$value' } } } },
    { $replaceWith: '$least' },
  ];
}

/** @param among documents that come in, so that a threshold spares most of them the sort; 0 if it is not known */
export function smallestHashes(wanted: number, among: number): Document[] {
  const hash = { $toHashedIndexKey: '$_id' };
  const share = (wanted + DEVIATIONS_ABOVE * Math.sqrt(wanted)) / Math.max(1, among);
  return [
    ...(share < 1 ? [{ $match: { $expr: { $lt: [hash, threshold(share)] } } }] : []),
    // Within another document, it stays as it is, byte by byte.
    { $replaceWith: { document: '$$ROOT', hash } },
    { $sort: { hash: 1 } },
    { $limit: wanted },
    { $replaceWith: '$document' },
  ];
}

function threshold(share: number): Long {
  const steps = BigInt(Math.floor(share * 2 ** Number(THRESHOLD_BITS)));
  return Long.fromBigInt(LOWEST_HASH + (steps << (64n - THRESHOLD_BITS)));
}

async function hashedIds(reader: ClusterReader, { database, name }: Collection, wanted: number): Promise<unknown[]> {
  const cursor = reader.findIds(database, name);
  const hashed: { readonly hash: bigint; readonly raw: Uint8Array }[] = [];
  try {
    while (await cursor.hasNext())
      for (const raw of cursor.readBufferedDocuments()) hashed.push({ hash: idHash(raw), raw });
  } finally {
    await cursor.close();
  }
  hashed.sort((one, other) => (one.hash < other.hash ? -1 : Number(one.hash > other.hash)));
  // As BSON types, so that no `_id` loses precision.
  return hashed.slice(0, wanted).map(({ raw }) => BSON.deserialize(raw, { promoteValues: false })['_id']);
}

import { type Document, MaxKey, MinKey } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import type { RawCursor } from '../../connect/raw-cursor.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import type { ShardKey } from '../../inventory/sharding.js';
import type { KnownSizes } from '../../inventory/storage.js';
import { absent, type Evidence, present } from '../../presence.js';
import { bsonIdentity } from '../../profile/bson-order.js';
import { readChosen, readHashed, smallestHashes, valuesByHash } from '../../profile/sampling/chosen-documents.js';
import { planSample, type SampleBounds } from '../../profile/sampling/sample-plan.js';
import { validDocuments } from '../../workload/sources/raw-documents.js';
import { projectionOnlyOn, valueAt } from '../field-projection.js';
import type { KeyRow } from './key-order.js';

/** Holds document values, which do not leave the reading of evidence. */
export interface SampledKey {
  readonly id: unknown;
  readonly values: readonly unknown[];
  /** Top-level fields with one short value each. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface KeySample {
  readonly documents: readonly SampledKey[];
  readonly complete: boolean;
}

const MOST_FIELDS = 40;

/** In characters; longer strings are texts, not keys. */
const LONGEST_STRING = 64;

/** Any other field name may be data itself, and can't be projected safely. */
const PLAIN_NAME = '^[A-Za-z_][A-Za-z0-9_]{0,63}$';

const KEY_TYPES = ['objectId', 'string', 'int', 'long', 'double', 'decimal', 'date', 'timestamp', 'binData'];

const MOST_BYTES = 16 * 1024 * 1024;

export async function sampleKeys(
  reader: ClusterReader,
  collection: Collection,
  key: ShardKey,
  storage: KnownSizes,
  bounds: SampleBounds,
): Promise<Evidence<KeySample>> {
  const { namespace, database, name, clustered } = collection;
  const operation = `sampling the shard key of ${namespace}`;
  try {
    const plan = planSample(storage, storage.count, bounds, clustered);
    const { documents, isCutOff } = await readChosen(
      reader,
      collection,
      plan,
      ({ stages }) =>
        validDocuments(reader.aggregateRaw(database, name, stages, { batchSize: plan.documents }), MOST_BYTES),
      [keyProjection(key)],
    );
    if (documents.length === 0) return absent('insufficient', `${operation}: the collection is empty.`);
    return present({
      documents: documents.map((document) => sampledKey(document, key)),
      complete: plan.method === 'whole-collection' && !isCutOff,
    });
  } catch (error) {
    return absentBecause(error, operation, `find on ${namespace}`);
  }
}

function keyProjection(key: ShardKey): Document {
  const isKeyLike = {
    $and: [
      { $regexMatch: { input: '$$field.k', regex: PLAIN_NAME } },
      { $in: [{ $type: '$$field.v' }, KEY_TYPES] },
      {
        $or: [
          { $ne: [{ $type: '$$field.v' }, 'string'] },
          {
            $lte: [
              { $strLenCP: { $cond: [{ $eq: [{ $type: '$$field.v' }, 'string'] }, '$$field.v', ''] } },
              LONGEST_STRING,
            ],
          },
        ],
      },
    ],
  };
  const keyLike = { $filter: { input: { $objectToArray: '$$ROOT' }, as: 'field', cond: isKeyLike } };
  return {
    $project: {
      _id: 1,
      // An array keeps the fields in order, and null in the place of a missing one, as the index does.
      values: key.map(({ path }) => ({ $ifNull: [`$${path}`, null] })),
      fields: { $arrayToObject: { $slice: [keyLike, MOST_FIELDS] } },
    },
  };
}

function sampledKey(document: Document, key: ShardKey): SampledKey {
  const values: unknown[] = document['values'];
  return { id: document['_id'], values: key.map((_, index) => values[index]), fields: document['fields'] ?? {} };
}

// A RecordId is a record's place in a mongod's storage and grows with each insert: `analyzeShardKey` also takes it for
// the order of insertion. It says nothing across mongods, a migration gives a chunk's documents new ones, and a secondary
// gives them in the order in which it happens to apply them: the readers here must be those of a primary.

/** Chunks that are read if documents are on several shards. */
const CHUNKS = 4;

const DOCUMENTS_PER_CHUNK = 300;

/** The most index entries of a chunk: a jumbo chunk has many. */
const MOST_ENTRIES = 500_000;

export async function recordIdsOf(
  reader: ClusterReader,
  { database, name }: Collection,
  documents: readonly SampledKey[],
): Promise<(number | null)[]> {
  const filter = { _id: { $in: documents.map(({ id }) => id) } };
  const found = await read(reader.findRaw(database, name, filter, { projection: { _id: 1 }, showRecordId: true }));
  const byId = new Map(found.map((document) => [bsonIdentity(document['_id']), recordIdOf(document)]));
  return documents.map(({ id }) => byId.get(bsonIdentity(id)) ?? null);
}

/**
 * Documents of a chunk are on one shard, and a migration keeps their order, so that they can be compared with each
 * other. If the key is the one that the collection is sharded by, only its index is read.
 * @param chunks the current shard key, and the filter for its chunks
 */
export async function recordIdRowsWithinChunks(
  reader: ClusterReader,
  { database, name }: Collection,
  key: ShardKey,
  chunks: { readonly key: ShardKey; readonly chunkFilter: Document },
): Promise<KeyRow[]> {
  const [leading] = key;
  if (leading === undefined || chunks.key.some(({ hashed }) => hashed)) return [];
  const sampledChunks = await readHashed(smallestHashes(CHUNKS, 0), CHUNKS, (stages) => {
    const pipeline = [{ $match: chunks.chunkFilter }, ...stages, { $project: { _id: 0, min: 1, max: 1 } }];
    return read(reader.aggregateRaw('config', 'chunks', pipeline));
  });
  const projection = projectionOnlyOn(key.map(({ path }) => path));
  const rows: KeyRow[] = [];
  for (const [index, { min, max }] of sampledChunks.entries()) {
    const range = chunkRange(min, max);
    const entries = [{ $match: range }, { $limit: MOST_ENTRIES }, { $project: { _id: 0, value: `$${leading.path}` } }];
    const sampled = await readHashed(valuesByHash(DOCUMENTS_PER_CHUNK), DOCUMENTS_PER_CHUNK, (stages) =>
      read(reader.aggregateRaw(database, name, [...entries, ...stages])),
    );
    const filter = { $and: [range, { [leading.path]: { $in: sampled.map(({ value }) => value ?? null) } }] };
    const bounds = { projection, showRecordId: true, limit: 2 * DOCUMENTS_PER_CHUNK };
    const found = await read(reader.findRaw(database, name, filter, bounds));
    for (const document of found) {
      const inserted = recordIdOf(document);
      const values = key.map(({ path }) => valueAt(document, path));
      if (inserted !== null) rows.push({ inserted, values, group: String(index) });
    }
  }
  return rows;
}

/** A clustered collection's RecordIds are its keys, not numbers that grow. */
function recordIdOf({ $recordId }: Document): number | null {
  const recordId = Number($recordId);
  return Number.isFinite(recordId) ? recordId : null;
}

async function read(cursor: RawCursor): Promise<Document[]> {
  return (await validDocuments(cursor, MOST_BYTES)).documents;
}

// For ranged keys only: the bounds of a hashed field are hashes. It finds only values of the bounds' own types, which
// the index serves; a chunk with bounds of different types has more.
export function chunkRange(min: Document, max: Document): Document {
  const lower = bound(Object.entries(min), '$gt', '$gte');
  const upper = bound(Object.entries(max), '$lt', '$lt');
  const filters = [lower, upper].filter((filter) => filter !== null);
  return filters.length === 0 ? {} : { $and: filters };
}

/** `{a: 1, b: 2}` as "a > 1, or a = 1 and b ≥ 2"; null if every key satisfies it. */
function bound(
  fields: readonly (readonly [string, unknown])[],
  beyond: '$gt' | '$lt',
  last: '$gte' | '$lt',
): Document | null {
  const [first, ...rest] = fields;
  if (first === undefined) return null;
  const [path, value] = first;
  const isOpen = beyond === '$gt' ? value instanceof MinKey : value instanceof MaxKey;
  if (isOpen) return null;
  if (rest.length === 0) return { [path]: { [last]: value } };
  const later = bound(rest, beyond, last);
  const equal = { [path]: { $eq: value } };
  return { $or: [{ [path]: { [beyond]: value } }, later === null ? equal : { $and: [equal, later] }] };
}

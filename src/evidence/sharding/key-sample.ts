import type { Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import type { ShardKey } from '../../inventory/sharding.js';
import type { KnownSizes } from '../../inventory/storage.js';
import { absent, type Evidence, present } from '../../presence.js';
import { readChosen } from '../../profile/sampling/chosen-documents.js';
import { planSample, type SampleBounds } from '../../profile/sampling/sample-plan.js';
import { validDocuments } from '../../workload/sources/raw-documents.js';

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

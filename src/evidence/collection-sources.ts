import { z } from 'zod';
import { growthSchema } from '../growth/growth.js';
import { indexDescriptionSchema } from '../inventory/collection.js';
import { knownSizes, readStorage, storageSchema } from '../inventory/storage.js';
import { absent, derived, present } from '../presence.js';
import { documentEvidenceSchema } from '../profile/document-profile.js';
import { fieldTypesOf, fieldTypesSchema } from '../profile/field-types.js';
import { findLargestDocuments, largestDocumentsSchema } from '../profile/largest-documents.js';
import { sampleDocuments } from '../profile/sample.js';
import { collectionReadsSchema } from '../workload/reads/collection-reads.js';
import { bucketsSchema, readBuckets } from './evidence.js';
import { indexUsageSchema, readIndexUsage } from './index-usage.js';
import { readIndexes } from './indexes.js';
import { measurementSeriesSchema, readMeasurements } from './measurements/measurement-series.js';
import { readChunks, shardingSchema } from './sharding/chunks.js';
import { loadSchema, readLoad } from './sharding/load.js';
import { readShardKey, shardKeySchema } from './sharding/shard-key-evidence.js';
import {
  DATA,
  FIND_DOCUMENTS,
  findOn,
  type AnyCollectionSource,
  type CollectionPieceName,
  type CollectionSource,
} from './source.js';

const OPLOG_NOT_READ = absent('insufficient', 'no enabled check asked for the oplog.');
const WORKLOAD_NOT_READ = absent('insufficient', 'no enabled check asked for the workload.');

/** The sources of each collection, each after those that it rests on: once these are there, it is collected. */
export const COLLECTION_SOURCES: readonly AnyCollectionSource[] = [
  collectionSource({
    name: 'storage',
    restsOn: [],
    possibleOn: ['collection', 'timeseries'],
    privileges: [{ resource: DATA, actions: ['collStats'] }],
    collect: ({ reader, collection, grouped }) => readStorage(reader, collection, grouped.statistics),
    schema: storageSchema,
  }),
  collectionSource({
    name: 'buckets',
    restsOn: [],
    possibleOn: ['timeseries'],
    privileges: [{ resource: DATA, actions: ['collStats'] }],
    collect: ({ reader, collection }) => readBuckets(reader, collection),
    schema: bucketsSchema,
  }),
  collectionSource({
    name: 'indexes',
    restsOn: [],
    possibleOn: ['collection', 'timeseries'],
    privileges: [{ resource: DATA, actions: ['listIndexes'] }],
    collect: ({ reader, collection, grouped }) => readIndexes(reader, collection, grouped.statistics),
    schema: z.array(indexDescriptionSchema),
  }),
  collectionSource({
    name: 'indexUsage',
    restsOn: [],
    possibleOn: ['collection'],
    privileges: [{ resource: DATA, actions: ['indexStats'] }, findOn('config', 'shards')],
    collect: ({ reader, collection, grouped }) => readIndexUsage(reader, collection, grouped.statistics),
    schema: indexUsageSchema,
  }),
  collectionSource({
    name: 'sample',
    restsOn: ['storage'],
    possibleOn: ['collection'],
    privileges: [FIND_DOCUMENTS],
    collect({ reader, collection, bounds, grouped, of }) {
      const storage = of('storage');
      return sampleDocuments(
        reader,
        collection,
        storage.present ? storage.value : null,
        bounds.sample,
        grouped.documents,
      );
    },
  }),
  collectionSource({
    name: 'documents',
    restsOn: ['sample'],
    possibleOn: ['collection'],
    privileges: [],
    collect: ({ of }) => derived(of('sample'), ({ evidence }) => evidence),
    schema: documentEvidenceSchema,
  }),
  collectionSource({
    name: 'fieldTypes',
    restsOn: ['documents'],
    possibleOn: ['collection'],
    privileges: [],
    collect: ({ of }) => derived(of('documents'), fieldTypesOf),
    schema: fieldTypesSchema,
  }),
  collectionSource({
    name: 'largestDocuments',
    restsOn: ['storage', 'sample', 'documents'],
    possibleOn: ['collection'],
    privileges: [FIND_DOCUMENTS],
    async collect({ reader, collection, bounds, of }) {
      const [storage, sample] = [of('storage'), of('sample')];
      if (!sample.present) return sample;
      const { evidence, sizes } = sample.value;
      return present(await findLargestDocuments(reader, collection, storage, evidence.sample, sizes, bounds));
    },
    schema: largestDocumentsSchema,
  }),
  collectionSource({
    name: 'measurements',
    restsOn: ['documents'],
    possibleOn: ['collection'],
    privileges: [FIND_DOCUMENTS],
    async collect({ reader, collection, of }) {
      const documents = of('documents');
      return documents.present ? readMeasurements(reader, collection, documents.value.profile) : documents;
    },
    schema: measurementSeriesSchema.nullable(),
  }),
  collectionSource({
    name: 'chunks',
    restsOn: ['storage'],
    possibleOn: ['collection'],
    privileges: ['chunks', 'collections', 'settings', 'shards', 'tags'].map((name) => findOn('config', name)),
    collect({ reader, collection, of }) {
      const { sharding, namespace } = collection;
      if (sharding === undefined) return absent('unsupported', `${namespace} is not sharded.`);
      return readChunks(reader, collection, sharding, of('storage'));
    },
  }),
  collectionSource({
    name: 'sharding',
    restsOn: ['chunks'],
    possibleOn: ['collection'],
    privileges: [],
    collect: ({ of }) => derived(of('chunks'), ({ evidence }) => evidence),
    schema: shardingSchema,
  }),
  collectionSource({
    name: 'load',
    restsOn: [],
    possibleOn: ['collection'],
    privileges: [{ resource: DATA, actions: ['collStats', 'indexStats'] }],
    collect: ({ reader, collection, grouped }) => readLoad(reader, collection, grouped.statistics),
    schema: loadSchema,
  }),
  collectionSource({
    name: 'shardKey',
    restsOn: ['storage', 'chunks'],
    possibleOn: ['collection'],
    privileges: [FIND_DOCUMENTS, { resource: DATA, actions: ['analyzeShardKey'], newerServersOnly: true }],
    async collect({ reader, collection, bounds, of }) {
      const { sharding, namespace } = collection;
      const [storage, chunks] = [of('storage'), of('chunks')];
      if (sharding === undefined) return absent('unsupported', `${namespace} is not sharded.`);
      if (!chunks.present) return chunks;
      if (!storage.present) return storage;
      const sizes = knownSizes(storage.value);
      if (sizes === null)
        return absent('unsupported', `the sizes of ${namespace} are unknown: the server does not report them.`);
      const { key, cluster } = sharding;
      const placement = { ...sharding, chunks: chunks.value };
      return readShardKey(reader, collection, key, cluster.version, sizes, bounds.sample, placement);
    },
    schema: shardKeySchema,
  }),
  collectionSource({
    name: 'growth',
    restsOn: ['storage', 'sample', 'documents', 'oplog'],
    possibleOn: ['collection'],
    privileges: [findOn('local', 'oplog.rs')],
    async collect({ collection, of, ofCluster, growth: run }) {
      const [storage, sample] = [of('storage'), of('sample')];
      if (!sample.present) return sample;
      const stored = storage.present ? storage.value : null;
      const { profile } = sample.value.evidence;
      const count = stored?.count ?? profile.documents;
      const averageBytes = stored?.averageDocumentSize ?? profile.sizes.mean;
      // A run that only records growth leaves the oplog alone.
      const oplog = (await ofCluster('oplog')) ?? OPLOG_NOT_READ;
      return present(await run.measure(collection, { count, averageBytes }, sample.value, oplog));
    },
    schema: growthSchema,
  }),
  collectionSource({
    name: 'reads',
    restsOn: ['readsByCollection'],
    possibleOn: ['collection'],
    privileges: [],
    async collect({ collection: { namespace }, ofCluster }) {
      const all = (await ofCluster('readsByCollection')) ?? WORKLOAD_NOT_READ;
      if (!all.present) return all;
      const ofCollection = all.value.get(namespace);
      return ofCollection === undefined
        ? absent('insufficient', `no source of operations shows a read or a write of ${namespace}.`)
        : present(ofCollection);
    },
    schema: collectionReadsSchema,
  }),
];

/** Infers the piece from its name. */
function collectionSource<Name extends CollectionPieceName>(source: CollectionSource<Name>): CollectionSource<Name> {
  return source;
}

import { compareTexts } from '../../compare-texts.js';
import type { Collection, IndexDescription } from '../../inventory/collection.js';
import type { NamespaceFilter } from '../../inventory/inventory.js';
import { isSystemCollection, isSystemDatabase } from '../../inventory/system-namespaces.js';
import { absent, type Absent, type Evidence, present } from '../../presence.js';
import type { EvidencePlan } from '../evidence-plan.js';
import type { EvidenceRun } from '../evidence-run.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES, isPossibleOn } from '../sources.js';
import type { KeptCollection } from '../source.js';
import { describedCluster, type DescribedCluster } from './described-cluster.js';
import { type ListedCollection, listedCollections } from './listed-collections.js';
import type { Section } from './sections.js';
import type { Document } from 'mongodb';
import { AnswerShapeError, documentIn, figureIn, figuresIn } from '../../connect/answer.js';
import { describedIndex } from '../indexes.js';
import type { IndexUsage } from '../index-usage.js';
import type { StorageStatistics } from '../../inventory/storage.js';

/** The script asks for sizes in MB, of which the server gives whole ones. */
const MB = 1024 * 1024;

/** The evidence in a file of getMongoData.js: the inventory, and nothing of documents and operations. */
export interface GetMongoDataRun extends EvidenceRun {
  readonly collections: readonly Collection[];
  /** Also those that the filter excludes. */
  readonly known: readonly Collection[];
}

const NO_DOCUMENTS = absent(
  'insufficient',
  'the evidence is of a file of getMongoData.js, which has no documents: collect from the server for this.',
);

const NO_OPERATIONS = absent(
  'insufficient',
  'the evidence is of a file of getMongoData.js, which has no operations: collect from the server for this.',
);

const NO_SHARDING = absent(
  'insufficient',
  'shard keys and chunks are not read from a file of getMongoData.js: collect from the server for this.',
);

const OF_OPERATIONS: ReadonlySet<string> = new Set(['reads', 'workload', 'children']);

/** @throws FileFault if the file does not have the server's version */
export function getMongoDataRun(
  sections: readonly Section[],
  isWanted: NamespaceFilter,
  plan: EvidencePlan,
): GetMongoDataRun {
  const described = describedCluster(sections);
  const { collections: listed, incomplete } = listedCollections(sections);
  const known = listed
    .filter(({ database, name }) => !isSystemDatabase(database) && !isSystemCollection(name))
    .map((each) => ({ listed: each, collection: describedCollection(each) }))
    .toSorted((one, other) => compareTexts(one.collection.namespace, other.collection.namespace));
  const wanted = known.filter(({ collection }) => isWanted(collection.namespace));
  const missing = incomplete.filter((database) => !isSystemDatabase(database));
  return {
    startedAt: described.startedAt,
    cluster: described.cluster,
    collections: wanted.map(({ collection }) => collection),
    known: known.map(({ collection }) => collection),
    inventory: {
      unlisted: missing.map((database) => ({ database, absent: notListed(database) })),
      ...(described.cluster.topology === 'sharded' && { shardingUnknown: NO_SHARDING }),
    },
    ofCollections: async (take) => {
      const taken = [];
      for (const each of wanted) taken.push(await take(keptCollection(each, described, plan)));
      return taken;
    },
    ofCluster: async () => {
      const { version } = described.cluster;
      const names = CLUSTER_EVIDENCE_NAMES.filter((name) => plan.ofCluster.has(name));
      const server = present({ version, ...(missing.length === 0 && { collections: known.length }) });
      return Object.fromEntries(names.map((name) => [name, name === 'server' ? server : missingPiece(name)]));
    },
    end: async () => ({
      finishedAt: described.finishedAt,
      isOutOfTime: false,
      isStopped: false,
      serverLoad: null,
      gaps: [],
      errorCodes: [],
      historyFault: null,
    }),
    user: async () => null,
  };
}

function notListed(database: string): Absent {
  return absent('insufficient', `the file of getMongoData.js does not have all collections of ${database}.`);
}

function missingPiece(name: string): Absent {
  if (OF_OPERATIONS.has(name)) return NO_OPERATIONS;
  return name === 'sharding' || name === 'shardKey' ? NO_SHARDING : NO_DOCUMENTS;
}

function keptCollection(
  { listed, collection }: { readonly listed: ListedCollection; readonly collection: Collection },
  described: DescribedCluster,
  plan: EvidencePlan,
): KeptCollection {
  const wanted = plan.ofCollection(collection);
  const names = EVIDENCE_NAMES.filter((name) => wanted.has(name) && isPossibleOn(collection.kind, name));
  const pieces = {
    storage: () => describedStorage(listed),
    indexes: () => describedIndexes(listed),
    indexUsage: () => describedUsage(listed, described),
  };
  const evidence = names.map((name) => [
    name,
    name in pieces ? pieces[name as keyof typeof pieces]() : missingPiece(name),
  ]);
  return { collection, evidence: Object.fromEntries(evidence) as KeptCollection['evidence'] };
}

/** What the file says of a collection itself. Its options were not asked for. */
function describedCollection({ database, name, statistics, indexes }: ListedCollection): Collection {
  const sizeBytes = atLeastOne(figureIn(statistics, 'maxSize'), figureIn(statistics, 'scaleFactor') ?? MB);
  const isTimeSeries = documentIn({ statistics }, 'statistics.timeseries') !== null;
  return {
    namespace: `${database}.${name}`,
    database,
    name,
    kind: isTimeSeries ? 'timeseries' : 'collection',
    optionsUnknown: true,
    clustered: indexes?.some((index) => index['clustered'] === true) ?? false,
    ...(statistics?.['capped'] === true && sizeBytes !== null && { capped: { sizeBytes } }),
  };
}

/** What is smaller than a MB is unknown: the file has 0 for it. */
function describedStorage({ statistics, database, name }: ListedCollection): Evidence<StorageStatistics> {
  const count = figureIn(statistics, 'count');
  if (statistics === null || count === null)
    return absent('insufficient', `the file of getMongoData.js has no statistics of ${database}.${name}.`);
  const scale = figureIn(statistics, 'scaleFactor') ?? MB;
  const bytes = (figure: string) => atLeastOne(figureIn(statistics, figure), scale);
  const sizes = Object.entries(figuresIn(statistics, 'indexSizes') ?? {}).flatMap(([index, size]) => {
    const known = atLeastOne(size, scale);
    return known === null ? [] : [[index, known] as const];
  });
  const shards = Object.keys(documentIn(statistics, 'shards') ?? {}).length;
  return present({
    count,
    size: count === 0 ? 0 : bytes('size'),
    averageDocumentSize: count === 0 ? 0 : figureIn(statistics, 'avgObjSize'),
    storageSize: bytes('storageSize'),
    totalIndexSize: bytes('totalIndexSize'),
    indexSizes: sizes.length === 0 ? null : Object.fromEntries(sizes),
    orphans: statistics['sharded'] === true ? null : 0,
    shards: statistics['sharded'] === true ? shards : 0,
  });
}

function atLeastOne(size: number | null, scale: number): number | null {
  return size === null || size === 0 ? null : size * scale;
}

/** An index that serves the shard key must stay, and the keys are not taken from the file: those of sharded collections are unknown. */
function describedIndexes({
  indexes,
  statistics,
  database,
  name,
}: ListedCollection): Evidence<readonly IndexDescription[]> {
  const what = `the indexes of ${database}.${name}`;
  if (indexes === null) return absent('insufficient', `the file of getMongoData.js does not have ${what}.`);
  if (statistics?.['sharded'] === true)
    return absent('insufficient', `${what} are not judged without the shard key, which is not read from the file.`);
  try {
    return present(indexes.map((index) => describedIndex('getIndexes', index)));
  } catch (error) {
    if (!(error instanceof AnswerShapeError)) throw error;
    return absent('malformed', `${what} are not as the server describes indexes: ${error.message}.`);
  }
}

/** Only of a server that stands alone: the script asks one member, and others may use what that one does not. */
function describedUsage(
  { uses, usesReadAt, indexes, database, name }: ListedCollection,
  { members, cluster }: DescribedCluster,
): Evidence<IndexUsage> {
  const what = `how the indexes of ${database}.${name} are used`;
  if (members !== 1 || cluster.topology === 'sharded')
    return absent('insufficient', `getMongoData.js asks one member ${what}, and others may use them.`);
  const named = uses?.map((use) => usedIndex(use, indexes ?? [])) ?? [null];
  if (usesReadAt === null || !named.every((each) => each !== null))
    return absent('insufficient', `the file of getMongoData.js does not say ${what}.`);
  return present({
    readAt: usesReadAt,
    nodesNotAsked: 0,
    nodes: [
      {
        node: cluster.topology === 'standalone' ? 'the server' : 'the primary',
        indexes: Object.fromEntries(named.map(({ index, ...accesses }) => [index, accesses])),
      },
    ],
  });
}

/** The file has keys instead of names, which tell an index if they differ. */
function usedIndex(
  use: Document,
  indexes: readonly Document[],
): { index: string; accesses: number; since: number } | null {
  const [stats, ...others] = (Array.isArray(use['stats']) ? use['stats'] : []) as readonly Document[];
  const key = JSON.stringify(use['key']);
  const alike = indexes.filter((each) => JSON.stringify(each['key']) === key);
  const accesses = figureIn(stats, 'accesses');
  const since = sinceOf(stats?.['since']);
  const name: unknown = alike[0]?.['name'];
  if (alike.length !== 1 || others.length > 0 || accesses === null || since === null) return null;
  return typeof name === 'string' ? { index: name, accesses, since } : null;
}

/** As "Tue, 11 Feb 2025 17:31:03 GMT". */
function sinceOf(value: unknown): number | null {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? time : null;
}

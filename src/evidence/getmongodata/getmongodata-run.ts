import { compareTexts } from '../../compare-texts.js';
import type { Collection } from '../../inventory/collection.js';
import type { NamespaceFilter } from '../../inventory/namespace-filter.js';
import { isSystemCollection, isSystemDatabase } from '../../inventory/system-namespaces.js';
import { absent, present, type Absent } from '../../presence.js';
import type { EvidencePlan } from '../evidence-plan.js';
import type { EvidenceRun } from '../evidence-run.js';
import { EVIDENCE_NAMES, CLUSTER_EVIDENCE_NAMES, isPossibleOn } from '../sources.js';
import type { KeptCollection } from '../source.js';
import { describedCluster, type DescribedCluster } from './described-cluster.js';
import { describedCollection, describedIndexes, describedStorage, describedUsage } from './described-evidence.js';
import { listedCollections, type ListedCollection } from './listed-collections.js';
import type { Section } from './sections.js';

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

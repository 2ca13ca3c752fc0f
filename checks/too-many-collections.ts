import { collectionFamilies, formatCount, plural, severityOf, type CollectionFamily } from '../src/helpers.js';
import { defineClusterCheck, type ClusterVerdict, type KnownCollection } from '../src/check.js';

type Known = KnownCollection<'storage'>;

export const tooManyCollections = defineClusterCheck({
  id: 'too-many-collections',
  title: 'Too many collections',
  summary: 'more collections than a node carries well, or one kind of thing divided over many collections by name',
  needs: ['storage'],
  clusterNeeds: [],
  thresholds: {
    info: {
      default: 5_000,
      unit: 'collections',
      description: 'collections on one replica set or shard from which an info is given',
      source: 'MongoDB University, "Schema Patterns and Antipatterns": where an M10 cluster becomes slower',
    },
    warning: {
      default: 10_000,
      unit: 'collections',
      description: 'collections on one replica set or shard from which a warning is given',
      source: 'MongoDB, "Schema Design Anti-Patterns: Massive Number of Collections": at most 10,000 for a replica set',
    },
    family: {
      default: 100,
      unit: 'collections',
      description: 'collections that differ in a number, date or id of their names alone, from which an info is given',
      source:
        'judgement: three months of one a day, the example of "Massive Number of Collections"; no model has so many kinds of things',
    },
    familyWarning: {
      default: 1_000,
      unit: 'collections',
      description: 'such collections from which a warning is given',
      source: 'judgement: a tenth of what a replica set carries',
    },
  },
  judge({ collections }, { info, warning, family, familyWarning }) {
    const known = [...collections.values()].filter(({ collection }) => collection.kind !== 'view');
    const families = collectionFamilies(
      known.map(({ collection }) => collection),
      family,
    );
    return [
      ...nodeProblems(known, families, { info, warning, error: Infinity }),
      ...families.map((each) => familyProblem(each, collections, familyWarning)),
    ];
  },
});

interface NodeLoad {
  readonly collections: number;
  readonly indexes: number;
}

/** Collections and indexes of the node that holds most: of a shard, or of the replica set or server. */
function heaviestNode(known: readonly Known[]): NodeLoad {
  const loads = new Map<string, NodeLoad>();
  for (const { storage } of known) {
    const shards = storage.present ? (storage.value.byShard?.map(({ shard }) => shard) ?? ['']) : [''];
    const indexes = storage.present ? Object.keys(storage.value.indexSizes).length : 1;
    for (const shard of shards) {
      const load = loads.get(shard) ?? { collections: 0, indexes: 0 };
      loads.set(shard, { collections: load.collections + 1, indexes: load.indexes + indexes });
    }
  }
  return [...loads.values()].reduce((most, load) => (load.collections > most.collections ? load : most), {
    collections: 0,
    indexes: 0,
  });
}

function nodeProblems(
  known: readonly Known[],
  families: readonly CollectionFamily[],
  lines: Parameters<typeof severityOf>[1],
): ClusterVerdict[] {
  const { collections, indexes } = heaviestNode(known);
  const severity = severityOf(collections, lines);
  if (severity === null) return [];
  const empty = known.filter(
    ({ collection, storage }) => collection.kind === 'collection' && storage.present && storage.value.count === 0,
  ).length;
  const [largest] = families;
  return [
    {
      namespace: '*',
      severity,
      confidence: 'high',
      path: null,
      message:
        `One node holds ${plural(collections, 'collection')} with ${plural(indexes, 'index', 'indexes')}: each is a file that the server opens and checkpoints, ` +
        'so that starts, elections and checkpoints become slow, and memory is taken by what is not used.',
      evidence: {
        source: 'listCollections and collStats',
        window: `${plural(known.length, 'collection')} that were linted`,
        collections,
        indexes,
        files: collections + indexes,
        emptyCollections: empty,
      },
      remedy: {
        text:
          `Drop collections that nobody needs (${formatCount(empty)} are empty) and indexes that nobody uses. ` +
          (largest === undefined
            ? 'Where collections hold the same kind of thing for different tenants or times, put them into one, with a field for what is in the name now.'
            : `Begin with ${largest.namespaces}: ${formatCount(largest.members.length)} collections of one kind of thing, which belong in one.`),
      },
    },
  ];
}

function familyProblem(
  { namespaces, members, dividedBy }: CollectionFamily,
  collections: ReadonlyMap<string, Known>,
  warning: number,
): ClusterVerdict {
  const stored = members.flatMap(({ namespace }) => {
    const storage = collections.get(namespace)?.storage;
    return storage?.present === true ? [storage.value] : [];
  });
  const sum = (of: (storage: (typeof stored)[number]) => number) =>
    stored.reduce((total, storage) => total + of(storage), 0);
  return {
    namespace: namespaces,
    severity: members.length >= warning ? 'warning' : 'info',
    confidence: 'medium',
    path: null,
    message:
      `${formatCount(members.length)} collections differ in a ${dividedBy} of their names alone, and their number grows with the data: a query over several of them ` +
      'needs $unionWith or the application, and each index is there once for each.',
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(members.length, 'collection')}`,
      collections: members.length,
      indexes: sum(({ indexSizes }) => Object.keys(indexSizes).length),
      documents: sum(({ count }) => count),
      size: sum(({ size }) => size),
      dividedBy,
    },
    remedy: { text: `${dividedBy === 'date' ? DATED : NUMBERED} ${MOVING}` },
  };
}

/** What `$merge` would otherwise do in silence. */
const MOVING =
  'See first whether an _id is in several of them: $merge makes one document of those, so let the _id hold what is in the name, too.';
const DATED =
  'Keep one collection with the date as a field. A TTL index then removes old documents, in place of a drop; measurements belong in a time-series collection ' +
  'with expireAfterSeconds. An index that begins with what is searched for, then the date, does what the name does now.';
const NUMBERED =
  'Keep one collection, with a field for what is in the name now, and let its indexes begin with that field. Where tenants have to be kept apart, a ' +
  'database for each, or a shard key that begins with the tenant, does so with rights of its own; a view with a filter can stand in for the old name.';

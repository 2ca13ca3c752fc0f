import { collectionFamilies, formatCount, plural, severityOf, type CollectionFamily } from '../src/helpers.js';
import { defineClusterCheck, type ClusterVerdict, type KnownCollection, type RemedyStep } from '../src/check.js';

type Known = KnownCollection<'storage'>;

export const tooManyCollections = defineClusterCheck({
  id: 'too-many-collections',
  title: 'Too many collections',
  summary: 'more collections than a node handles well, or one kind of thing divided into many collections by name',
  needs: ['storage'],
  clusterNeeds: [],
  thresholds: {
    info: {
      default: 5_000,
      unit: 'collections',
      description: 'collections on one replica set or shard from which an info is given',
      source: 'MongoDB University, "Schema Patterns and Antipatterns": an M10 cluster becomes slower',
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
      description: 'collections whose names differ only in a number, date or id, from which an info is given',
      source:
        'judgement: one a day for three months, the example of "Massive Number of Collections"; no model has so many kinds of things',
    },
    familyWarning: {
      default: 1_000,
      unit: 'collections',
      description: 'such collections from which a warning is given',
      source: 'judgement: a tenth of what a replica set handles',
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

/** The shard, replica set or server that holds most. */
function heaviestNode(known: readonly Known[]): NodeLoad {
  const loads = new Map<string, NodeLoad>();
  for (const { storage } of known) {
    const shards = storage.present ? (storage.value.byShard?.map(({ shard }) => shard) ?? ['']) : [''];
    // Each has one on _id at least.
    const indexes = storage.present ? Object.keys(storage.value.indexSizes ?? { _id_: 0 }).length : 1;
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
        `One node holds ${plural(collections, 'collection')} with ${plural(indexes, 'index', 'indexes')}. Each is a file that the server opens ` +
        'and checkpoints. Starts, elections and checkpoints become slow, and unused files take memory.',
      evidence: {
        source: 'listCollections and collStats',
        window: `${plural(known.length, 'linted collection')}`,
        collections,
        indexes,
        files: collections + indexes,
        emptyCollections: empty,
      },
      remedy: {
        steps: [
          {
            text:
              largest === undefined
                ? 'Merge collections that hold the same kind of thing for different tenants or times: one collection, with a field for what the name says now.'
                : `Begin with ${largest.namespaces}: ${formatCount(largest.members.length)} collections of one kind of thing, which belong in one.`,
          },
          {
            text: `Drop collections that nobody needs${empty === 0 ? '' : ` (${formatCount(empty)} are empty)`}. This cannot be undone.`,
          },
          { text: 'Drop indexes that no query uses (see unused-index and redundant-index).' },
        ],
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
  const sum = (name: string, of: (storage: (typeof stored)[number]) => number | null) => {
    const known = stored.flatMap((storage) => of(storage) ?? []);
    return known.length === members.length ? { [name]: known.reduce((total, figure) => total + figure, 0) } : {};
  };
  return {
    namespace: namespaces,
    severity: members.length >= warning ? 'warning' : 'info',
    confidence: 'medium',
    path: null,
    message:
      `${formatCount(members.length)} collections have names that differ only in a ${dividedBy}, and their number grows with the data. A query over ` +
      'several of them needs $unionWith or application code, and each index exists once per collection.',
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(members.length, 'collection')}`,
      collections: members.length,
      ...sum('indexes', ({ indexSizes }) => (indexSizes === null ? null : Object.keys(indexSizes).length)),
      ...sum('documents', ({ count }) => count),
      ...sum('size', ({ size }) => size),
      dividedBy,
    },
    remedy: { steps: [...(dividedBy === 'date' ? DATED : NUMBERED), ...MOVING] },
  };
}

const DATED: readonly RemedyStep[] = [
  {
    text:
      'Create one collection with the date as a field. For measurements, create a time-series collection with expireAfterSeconds. ' +
      'Instead of dropping collections, let a TTL index remove old documents.',
  },
  {
    text: 'Create an index that begins with the field that queries search, then the date. It does what the name does now.',
  },
];
const NUMBERED: readonly RemedyStep[] = [
  { text: 'Create one collection, with a field for what the name says now. Let its indexes begin with that field.' },
  {
    text:
      'Alternative, if tenants must be kept apart: a database for each, with its own privileges, or a shard key that begins with the ' +
      'tenant. A view with a filter can replace the old name.',
  },
];
const MOVING: readonly RemedyStep[] = [
  {
    text:
      'Check whether the same _id occurs in several collections: $merge silently makes one document of them. If so, include in the ' +
      '_id what the name says now.',
  },
  {
    text: 'Copy the documents and switch the application. Keep the old collections until the counts agree and nothing reads them.',
  },
];

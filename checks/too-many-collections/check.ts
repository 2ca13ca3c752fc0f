import { sum } from 'simple-statistics';
import { type ClusterVerdict, defineClusterCheck, type StorageStatistics } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount, plural } from '../../src/format.js';
import { type CollectionFamily, familiesOf } from './families.js';
import { nodeVerdicts } from './node-load.js';

/**
 * A node with thousands of collections, or near its limit of open files, is a finding; so is a family of a hundred collections that
 * hold the same kind of thing: their names differ in a number, date or id, or they have the same fields.
 */
export const tooManyCollections = defineClusterCheck({
  id: 'too-many-collections',
  title: 'Too many collections',
  summary: 'more collections than a node handles well, or one kind of thing divided into many collections by name',
  needs: ['storage', 'fieldTypes'],
  clusterNeeds: ['server'],
  lostByPseudonyms: 'collections whose names differ by a date or an id were not grouped.',
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
      description:
        'collections of one kind of thing, by their names and fields, from which an info is given; a warning from ten times as many',
      source:
        'judgement: one a day for three months, the example of "Massive Number of Collections"; no model has so many kinds of things',
    },
  },
  retiredThresholds: ['familyWarning', 'openFiles'],
  judge({ collections, server }, { info, warning, family }) {
    const known = [...collections.values()].filter(({ collection }) => collection.kind !== 'view');
    const families = familiesOf(known, family);
    return [
      ...nodeVerdicts(known, families, server, { info, warning, error: Infinity }),
      ...families.map((each) => familyProblem(each, family)),
    ];
  },
});

function familyProblem({ namespaces, members, dividedBy }: CollectionFamily, least: number): ClusterVerdict {
  const total = (of: (storage: StorageStatistics) => number | null) => {
    const figures = members.flatMap(({ storage }) => (storage.present ? of(storage.value) : null) ?? []);
    return figures.length === members.length ? sum(figures) : null;
  };
  return {
    namespace: namespaces,
    severity: members.length >= 10 * least ? 'warning' : 'info',
    confidence: 'medium',
    path: null,
    message:
      `${formatCount(members.length)} collections have ${dividedBy === 'name' ? 'the same fields, and names that differ in one part' : `names that differ only in a ${dividedBy}`}. ` +
      'Their number grows with the data. A query over several of them needs $unionWith or application code, and each index exists once per collection.',
    evidence: {
      source: 'listCollections and collStats',
      window: `${plural(members.length, 'collection')}`,
      collections: members.length,
      indexes: total(({ indexSizes }) => indexSizes && Object.keys(indexSizes).length),
      documents: total(({ count }) => count),
      size: total(({ size }) => size),
      dividedBy,
    },
    remedy: {
      steps: stepsOf(
        ...(dividedBy === 'date' ? DATED : NUMBERED),
        'Check whether the same _id occurs in several collections: $merge silently makes one document of them. If so, include in the _id what the name says now.',
        'Copy the documents and switch the application. Keep the old collections until the counts agree and nothing reads them.',
      ),
    },
  };
}

const DATED = [
  'Create one collection with the date as a field. For measurements, create a time-series collection with expireAfterSeconds. Instead of dropping collections, let a TTL index remove old documents.',
  'Create an index that begins with the field that queries search, then the date. It does what the name does now.',
];
const NUMBERED = [
  'Create one collection, with a field for what the name says now. Let its indexes begin with that field.',
  'Alternative, if tenants must be kept apart: a database for each, with its own privileges, or a shard key that begins with the tenant. A view with a filter can replace the old name.',
];

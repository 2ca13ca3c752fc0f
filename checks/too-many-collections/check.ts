import { defineClusterCheck } from '../../src/check.js';
import { familyProblem, type Known } from './family-problem.js';
import { collectionFamilies, namedFamilies, type CollectionFamily } from './named-families.js';
import { nodeVerdicts } from './node-load.js';

/**
 * A node with thousands of collections, or near its limit of open files, is a finding; so is a family of a hundred collections that
 * hold the same kind of thing: their names differ in a number, date or id, or they have the same fields and indexes.
 */
export const tooManyCollections = defineClusterCheck({
  id: 'too-many-collections',
  title: 'Too many collections',
  summary: 'more collections than a node handles well, or one kind of thing divided into many collections by name',
  needs: ['storage', 'indexes', 'fieldTypes'],
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
        'collections of one kind of thing, by their names, fields and indexes, from which an info is given; a warning from ten times as many',
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
      ...families.map((each) => familyProblem(each, collections, family)),
    ];
  },
});

function familiesOf(known: readonly Known[], least: number): CollectionFamily[] {
  const collections = known.map(({ collection }) => collection);
  const numbered = collectionFamilies(collections, least);
  const inFamilies = new Set(numbered.flatMap(({ members }) => members));
  const others = known.filter(({ collection }) => !inFamilies.has(collection));
  const named = namedFamilies(others, least);
  return [...numbered, ...named].sort((one, other) => other.members.length - one.members.length);
}

import type { Collection, IndexDescription, Reference } from '../../src/check.js';
import { proposeIndexes, type WantedIndex } from '../../src/judgement/indexes/index-proposal.js';
import { indexSteps, type IndexRemedy } from '../../src/judgement/indexes/index-steps.js';
import { indexObstacle, undecidedUse } from '../../src/judgement/indexes/usability/index-usability.js';
import type { EqualityJoin } from '../../src/judgement/indexes/usability/joined-index.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { joinedFields } from '../../src/workload/joins/workload-joins.js';

type ReferringField = Pick<Reference, 'namespace' | 'path'>;

const WITH_ORDER =
  'If the documents of one parent are read in an order, add the fields of that order behind the reference.';

/** Null if the indexes are not known. */
export function isReferenceIndexed(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): boolean | null {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) return null;
  const { collection, indexes } = known;
  return indexes.value.some((index) => indexObstacle(index, lookUpBy(path, collection), collection, server) === null);
}

export function referenceIndexInBuild(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): IndexDescription | null {
  const known = collections.get(namespace);
  if (known === undefined || !known.indexes.present) return null;
  const { collection, indexes } = known;
  const join = lookUpBy(path, collection);
  return indexes.value.find((index) => undecidedUse(index, join, collection, server) !== null) ?? null;
}

export function referenceIndexRemedy(
  { namespace, path }: ReferringField,
  { collections, server }: JoinedCluster,
): IndexRemedy {
  const known = collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  const { collection } = known;
  const wanted: WantedIndex = {
    key: { [path]: 1 },
    collation: collection.collation ?? null,
    isServedBy: (index) => indexObstacle(index, lookUpBy(path, collection), collection, server) === null,
  };
  const proposes = proposeIndexes([wanted], known);
  return { remedy: { steps: indexSteps(proposes, WITH_ORDER) }, proposes };
}

/** A find by one value that is not null, in the collation of the collection. */
function lookUpBy(path: string, { collation }: Collection): EqualityJoin {
  return {
    form: 'localField',
    foreignField: path,
    collation: collation ?? null,
    withPipeline: true,
    localTypes: ['objectId'],
  };
}

/** The fields by which joins of the workload or of views look documents up. */
export function joinedPlaces({ workload }: JoinedCluster): ReadonlySet<string> {
  return new Set(joinedFields(workload.joinUses).map(placeOf));
}

export function placeOf({ namespace, path }: ReferringField): string {
  return JSON.stringify([namespace, path]);
}

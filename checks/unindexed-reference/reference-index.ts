import type { IndexDescription, Reference } from '../../src/check.js';
import { adviceOn } from '../../src/judgement/advice/collection-advice.js';
import { needByValue, proposalsFor } from '../../src/judgement/advice/needed-index.js';
import { indexSteps, type IndexRemedy } from '../../src/judgement/indexes/index-steps.js';
import type { JoinedCluster, JoinedCollection } from '../../src/judgement/joins/joined-cluster.js';
import { findsByValue } from '../../src/planner/value-search.js';
import { joinedFields } from '../../src/workload/joins/workload-joins.js';

type ReferringField = Pick<Reference, 'namespace' | 'path'>;

const WITH_ORDER =
  'If the documents of one parent are read in an order, add the fields of that order behind the reference.';

/**
 * Null if the indexes are not known.
 *
 * @param isSearched whether a search by it is known; if not, an index with other fields before it may be what finds by it
 */
export function isReferenceIndexed(
  { namespace, path }: ReferringField,
  cluster: JoinedCluster,
  isSearched: boolean,
): boolean | null {
  const known = cluster.collections.get(namespace);
  if (known?.indexes.present !== true) return null;
  return known.indexes.value.some((index) => finds(isSearched ? [path] : pathsTo(path, index), index, known, cluster));
}

function pathsTo(path: string, { key }: IndexDescription): string[] {
  const paths = Object.keys(key);
  return paths.includes(path) ? paths.slice(0, paths.indexOf(path) + 1) : [path];
}

export function referenceIndexInBuild(
  { namespace, path }: ReferringField,
  cluster: JoinedCluster,
): IndexDescription | null {
  const known = cluster.collections.get(namespace);
  if (known?.indexes.present !== true) return null;
  return (
    known.indexes.value.find(({ building, ...built }) => building === true && finds([path], built, known, cluster)) ??
    null
  );
}

export function referenceIndexRemedy({ namespace, path }: ReferringField, cluster: JoinedCluster): IndexRemedy {
  const known = cluster.collections.get(namespace);
  if (known === undefined) throw new Error(`${namespace} is not among the collections.`);
  const indexes = adviceOn(namespace, cluster).indexesFor(needByValue([path], known));
  const proposes = proposalsFor(indexes, known);
  return { remedy: { steps: indexSteps(proposes, WITH_ORDER) }, proposes };
}

/** Whether an index serves a find by a value of each field, in the collation of the collection. */
function finds(
  paths: readonly string[],
  index: IndexDescription,
  { collection, fieldTypes }: JoinedCollection,
  { server }: JoinedCluster,
): boolean {
  const search = { paths, collation: collection.collation ?? null };
  return findsByValue(index, search, fieldTypes.present ? fieldTypes.value : null, server);
}

/** The fields by which joins of the workload or of views look documents up. */
export function joinedPlaces({ workload }: JoinedCluster): ReadonlySet<string> {
  return new Set(joinedFields(workload.joinUses).map(placeOf));
}

export function placeOf({ namespace, path }: ReferringField): string {
  return JSON.stringify([namespace, path]);
}

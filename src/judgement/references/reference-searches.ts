import type { Reference } from '../../check.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { findsByValue, isSearchedBy } from '../../planner/value-search.js';
import { adviceOn, isDear } from '../advice/collection-advice.js';
import type { AdvisedIndexes } from '../advice/needed-index.js';
import type { JoinedCluster, JoinedCollection } from '../joins/joined-cluster.js';
import { type Condition, everyCondition } from '../queries/conditions.js';
import { isScanned, queryCost } from '../queries/query-cost.js';
import { plannedBranches, queriesOf, type Query } from '../queries/query.js';

/** How the workload searches by a reference, and whether indexes serve that. */
export interface ReferenceSearches {
  /** What it is searched by: a DBRef by its `$id`, or whole. */
  readonly path: string;
  /** Except those that also ask by `_id`. */
  readonly queries: readonly Query[];
  readonly lacking: readonly LackingSearch[];
  /** Whether none lacks an index; without a search, whether an index may find by it. */
  readonly areServed: boolean;
}

/** A search that no index finds by the reference, that is dear, and that the advisor has indexes for. */
export interface LackingSearch {
  readonly query: Query;
  readonly advised: AdvisedIndexes;
  /** Whether it reads the whole collection, as far as is known: no index on another field narrows it. */
  readonly isScan: boolean;
}

export function referenceSearches(
  reference: Reference,
  known: JoinedCollection,
  cluster: JoinedCluster,
): ReferenceSearches {
  const all = queriesOf(cluster).filter((query) => query.known === known && !setsEqual(query.conditions.all, '_id'));
  const searchesBy = (path: string) => all.filter(({ conditions }) => setsEqual(everyCondition(conditions), path));
  const paths = [reference.path, reference.path.replace(/\.\$id$/, '')];
  const path = paths.find((each) => searchesBy(each).length > 0) ?? reference.path;
  const queries = searchesBy(path);
  const lacking = queries.flatMap((query) => lackingSearch(query, path, cluster));
  const areServed = queries.length > 0 ? lacking.length === 0 : paths.some((each) => isHeld(each, known, cluster));
  return { path, queries, lacking, areServed };
}

function setsEqual(conditions: readonly Condition[], path: string): boolean {
  return conditions.some(
    (each) => each.path === path && (each.role === 'equality' || each.role === 'list' || each.role === 'mixed'),
  );
}

function lackingSearch(query: Query, path: string, cluster: JoinedCluster): LackingSearch[] {
  const { collection, known, planned } = query;
  const { indexes } = known;
  const advised = adviceOn(known.collection.namespace, cluster).of(query);
  if (!indexes.present || advised === null || !('indexes' in advised)) return [];
  const isFound = plannedBranches({ ...planned, sort: [] }).some((part) =>
    indexes.value.some((index) => {
      const access = accessOf(index, collection, part, cluster.server);
      return !isRefused(access) && isSearchedBy(access, (each) => each.path === path);
    }),
  );
  const isScan = isScanned(query) || queryCost([query], cluster.workload) === null;
  return isFound || !(isScan || isDear(query, cluster)) ? [] : [{ query, advised, isScan }];
}

/** Whether an index holds a field of all documents, alone or behind others: one that is being built, too. */
function isHeld(
  path: string,
  { collection, indexes, fieldTypes }: JoinedCollection,
  { server }: JoinedCluster,
): boolean {
  if (!indexes.present) return false;
  const types = fieldTypes.present ? fieldTypes.value : null;
  return indexes.value.some(({ building: _building, ...index }) => {
    const fields = Object.keys(index.key);
    const paths = fields.includes(path) ? fields.slice(0, fields.indexOf(path) + 1) : [path];
    return findsByValue(index, { paths, collation: collection.collation ?? null }, types, server);
  });
}

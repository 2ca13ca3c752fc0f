import type { IndexDescription, IndexProposal, Reference } from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { ORDER_OF_FIELDS } from '../../src/judgement/advice/needed-index.js';
import { byIndex } from '../../src/judgement/advice/query-suggestions.js';
import { buildingSteps, followingSteps, type IndexRemedy } from '../../src/judgement/indexes/index-steps.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { plannedFigures } from '../../src/judgement/queries/query-cost.js';
import { type QueryGroup, queryGroups } from '../../src/judgement/queries/query-groups.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused } from '../../src/planner/access.js';
import { predicateOfShape } from '../../src/planner/filter-predicate.js';
import { conjunction } from '../../src/planner/predicate.js';
import { sampledCollection } from '../../src/planner/sampled.js';
import { isSearchedBy } from '../../src/planner/value-search.js';

type ReferringField = Pick<Reference, 'namespace' | 'path'>;

export interface ReferenceSearches {
  readonly queries: readonly Query[];
  /** Those for which no index finds by the field, not even behind others that they set equal too. */
  readonly unserved: readonly Query[];
}

/** The queries of the workload by a reference, except those that also ask by `_id`. */
export function referenceSearches(cluster: JoinedCluster): (reference: ReferringField) => ReferenceSearches {
  const byCollection = groupedBy(queriesOf(cluster), ({ known }) => known.collection.namespace);
  return ({ namespace, path }) => {
    const queries = (byCollection.get(namespace) ?? []).filter(
      (query) => setsEqual(query, path) && !setsEqual(query, '_id'),
    );
    return { queries, unserved: queries.filter((query) => !isServed(query, path, cluster)) };
  };
}

/** The indexes that the queries by a reference need; null if some are not known. */
export function referenceSearchRemedy(
  { unserved }: ReferenceSearches,
  { path }: ReferringField,
  cluster: JoinedCluster,
): IndexRemedy | null {
  if (unserved.length === 0) return null;
  const { groups } = queryGroups(cluster, unserved, () => true);
  // An index that begins with the reference finds by it, whatever else a query asks.
  const leading = groups.find(({ proposes }) => proposes.some((proposal) => isLedBy(proposal, path)));
  if (leading !== undefined) return remedyOf([leading]);
  // Queries whose plan is not known, and those of texts and places, are in none of the groups.
  const grouped = new Set(groups.flatMap(({ queries }) => queries));
  const areAllKnown =
    unserved.every((query) => grouped.has(query)) && groups.every(({ proposes }) => proposes.length > 0);
  return areAllKnown ? remedyOf(groups) : null;
}

function isLedBy({ action, key, options }: IndexProposal, path: string): boolean {
  return action === 'create' && Object.keys(key)[0] === path && options.collation === undefined;
}

function remedyOf(groups: readonly QueryGroup[]): IndexRemedy {
  const proposes = groups.flatMap((group) => group.proposes);
  const building = groups.flatMap((group) => buildingSteps(group.proposes, ORDER_OF_FIELDS));
  return { remedy: { steps: [...building, ...followingSteps(proposes)] }, proposes };
}

function setsEqual({ conditions }: Query, path: string): boolean {
  return conditions.all.some(
    ({ path: searched, role }) => searched === path && (role === 'equality' || role === 'list' || role === 'mixed'),
  );
}

function isServed(query: Query, path: string, cluster: JoinedCluster): boolean {
  const { indexes } = query.known;
  if (!indexes.present) return false;
  return (
    byIndex(query, indexes.value, cluster) === 'served' ||
    indexes.value.some((index) => findsBy(index, query, path, cluster))
  );
}

/** A partial index whose values the query decides counts if the server was seen to answer it by that. */
function findsBy(index: IndexDescription, query: Query, path: string, { server }: JoinedCluster): boolean {
  const { filters, collation, known } = query;
  const asked = { filter: conjunction(filters.map(predicateOfShape)), sort: [], returns: null, collation };
  const types = known.fieldTypes.present ? known.fieldTypes.value : null;
  const access = accessOf(index, sampledCollection(types), asked, server);
  if (isRefused(access) || (access.hangsOnValues === true && !isPlanned(index, query))) return false;
  return isSearchedBy(access, (each) => each.path === path && (each.operator === '$eq' || each.operator === '$in'));
}

function isPlanned({ key }: IndexDescription, { operation }: Query): boolean {
  const scan = `IXSCAN { ${Object.entries(key)
    .map(([path, direction]) => `${path}: ${String(direction)}`)
    .join(', ')} }`;
  const plans = Object.keys(plannedFigures(operation)?.figures.planSummaries ?? {});
  // 8.0 plans the simplest searches as `EXPRESS_IXSCAN`.
  return plans.length > 0 && plans.every((plan) => plan.replace('EXPRESS_', '') === scan);
}

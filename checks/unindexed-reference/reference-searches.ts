import type { IndexDescription, IndexProposal, Reference } from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { isVisible } from '../../src/inventory/index-key.js';
import { holdsAllDocuments, servesBeginning } from '../../src/inventory/index-relation.js';
import { buildingSteps, followingSteps, type IndexRemedy } from '../../src/judgement/indexes/index-steps.js';
import { fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { valuesAt } from '../../src/judgement/joins/joined-values.js';
import { plannedFigures } from '../../src/judgement/queries/query-cost.js';
import { type QueryGroup, queryGroups } from '../../src/judgement/queries/query-groups.js';
import { ORDER_OF_FIELDS } from '../../src/judgement/queries/query-remedy.js';
import { byIndex } from '../../src/judgement/queries/query-suggestions.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';

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

/**
 * The indexes that hold a reference behind other fields that are searched by value, such as a tenant. Dates are
 * searched by range, behind which an index finds nothing.
 */
export function indexesBehindOthers(
  { namespace, path }: ReferringField,
  cluster: JoinedCluster,
): readonly IndexDescription[] {
  const known = cluster.collections.get(namespace);
  const indexes = known?.indexes;
  const collation = known?.collection.collation ?? null;
  const fieldTypes = fieldTypesOn(cluster, namespace);
  if (indexes?.present !== true || fieldTypes === null) return [];
  const isAskedByValue = (field: string) => {
    const types = valuesAt(fieldTypes, field)?.types;
    return types !== undefined && (types.date ?? 0) === 0;
  };
  return indexes.value.filter((index) => {
    const fields = Object.keys(index.key);
    const position = fields.indexOf(path);
    const equality = fields.slice(0, position + 1);
    return (
      isVisible(index) &&
      position > 0 &&
      servesBeginning(index, { equality, further: [] }, collation) &&
      fields.slice(0, position).every(isAskedByValue)
    );
  });
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
    byIndex(query, indexes.value, cluster) === 'served' || indexes.value.some((index) => findsBy(index, query, path))
  );
}

/** A partial index counts for queries that the server was seen to answer by it. */
function findsBy(index: IndexDescription, query: Query, path: string): boolean {
  const fields = Object.keys(index.key);
  const position = fields.indexOf(path);
  if (!isVisible(index) || position < 0 || !fields.slice(0, position).every((field) => setsEqual(query, field)))
    return false;
  if (!holdsAllDocuments(index)) return isPlanned(index, query);
  return servesBeginning(index, { equality: fields.slice(0, position + 1), further: [] }, query.collation);
}

function isPlanned({ key }: IndexDescription, { operation }: Query): boolean {
  const scan = `IXSCAN { ${Object.entries(key)
    .map(([path, direction]) => `${path}: ${String(direction)}`)
    .join(', ')} }`;
  const plans = Object.keys(plannedFigures(operation)?.figures.planSummaries ?? {});
  // 8.0 plans the simplest searches as `EXPRESS_IXSCAN`.
  return plans.length > 0 && plans.every((plan) => plan.replace('EXPRESS_', '') === scan);
}

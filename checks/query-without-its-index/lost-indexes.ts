import type { IndexDescription } from '../../src/check.js';
import { sameIndex } from '../../src/evidence-file/production/joined-collection.js';
import { groupedBy } from '../../src/grouped-by.js';
import { isIdIndex, isVisible } from '../../src/inventory/index-key.js';
import { byIndex } from '../../src/judgement/advice/query-suggestions.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import { plannedFigures } from '../../src/judgement/queries/query-cost.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused } from '../../src/planner/access.js';
import { keyText } from '../../src/workload/shapes/hint-text.js';

/** Queries of production that an index serves there, and no index here. */
export interface LostIndex {
  readonly namespace: string;
  readonly index: IndexDescription;
  readonly queries: readonly [Query, ...Query[]];
  readonly here: readonly IndexDescription[];
  /** An index here that still finds the documents by some of their conditions. */
  readonly narrowedBy: IndexDescription | null;
}

export function lostIndexes(cluster: JoinedCluster): LostIndex[] {
  const lost = queriesOf(cluster).flatMap((query) => lostBy(query, cluster).map((index) => ({ query, index })));
  const groups = groupedBy(lost, ({ query, index }) => JSON.stringify([query.known.collection.namespace, index.name]));
  return [...groups.values()].flatMap(([first, ...others]): LostIndex[] => {
    if (first === undefined) return [];
    const queries = [first.query, ...others.map(({ query }) => query)] as const;
    const { here } = indexesOf(first.query);
    const narrowing = queries.map((query) => here.find((index) => narrows(index, query)) ?? null);
    const narrowedBy = narrowing.includes(null) ? null : (narrowing[0] ?? null);
    return [{ namespace: first.query.known.collection.namespace, index: first.index, queries, here, narrowedBy }];
  });
}

/**
 * The indexes that a query uses in production, if they are all missing here and the others do not serve it: those that its
 * plans name, or, if no plan was recorded, those that alone would serve it.
 */
function lostBy(query: Query, cluster: JoinedCluster): readonly IndexDescription[] {
  const { here, there } = indexesOf(query);
  const plans = Object.keys(plannedFigures(query.operation)?.figures.planSummaries ?? {});
  const isServedBy = (indexes: readonly IndexDescription[]) =>
    !query.conditions.special && byIndex(query, indexes, cluster) === 'served';
  const isUsed = (index: IndexDescription) =>
    plans.length > 0 ? plans.some((plan) => plan.includes(keyText(index.key))) : isServedBy([index]);
  if (query.operation.recordedHere === true || isServedBy(here)) return [];
  const used = there.filter((index) => !isIdIndex(index) && isUsed(index));
  return used.some((index) => here.some((each) => isVisible(each) && sameIndex(each, index))) ? [] : used;
}

function narrows(index: IndexDescription, { conditions, collection, planned }: Query): boolean {
  const access = accessOf(index, collection, planned);
  if (isRefused(access)) return false;
  const kinds = access.scans.map(({ bounds }) => bounds[0]?.kind ?? 'all');
  return isEmpty(conditions) || kinds.every((kind) => kind === 'points' || kind === 'range');
}

function indexesOf({ known }: Query): Readonly<Record<'here' | 'there', readonly IndexDescription[]>> {
  const { collection, indexes } = known;
  const there = collection.production?.present === true ? collection.production.value?.indexes : undefined;
  if (!indexes.present || there?.present !== true) return { here: [], there: [] };
  return { here: indexes.value, there: there.value };
}

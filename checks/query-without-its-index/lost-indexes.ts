import type { IndexDescription } from '../../src/check.js';
import { sameIndex } from '../../src/evidence-file/production/joined-collection.js';
import { groupedBy } from '../../src/grouped-by.js';
import { isIdIndex, isVisible } from '../../src/inventory/index-key.js';
import { byIndex } from '../../src/judgement/advice/query-suggestions.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { everyCondition } from '../../src/judgement/queries/conditions.js';
import { plannedFigures } from '../../src/judgement/queries/query-cost.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';

/** Queries of production that an index serves there, and no index here. */
export interface LostIndex {
  readonly namespace: string;
  readonly index: IndexDescription;
  readonly queries: readonly [Query, ...Query[]];
  /** The same index if it is hidden here. */
  readonly hiddenHere: IndexDescription | null;
  /** An index here that still finds the documents by some of their conditions. */
  readonly narrowedBy: IndexDescription | null;
  /** True if plans of production name it, and not only its key and the queries. */
  readonly isPlanned: boolean;
}

export function lostIndexes(cluster: JoinedCluster): LostIndex[] {
  const lost = queriesOf(cluster).flatMap((query) => lostBy(query, cluster).map((index) => ({ query, index })));
  const groups = groupedBy(lost, ({ query, index }) => JSON.stringify([query.known.collection.namespace, index.name]));
  return [...groups.values()].flatMap(([first, ...others]): LostIndex[] => {
    if (first === undefined) return [];
    const { index, query } = first;
    const queries = [query, ...others.map((other) => other.query)] as const;
    const { here } = indexesOf(query);
    const narrowing = queries.map((each) => here.find((one) => narrows(one, each)) ?? null);
    return [
      {
        namespace: query.known.collection.namespace,
        index,
        queries,
        hiddenHere: here.find((each) => each.hidden && sameIndex(each, index)) ?? null,
        narrowedBy: narrowing.every((each) => each !== null) ? (narrowing[0] ?? null) : null,
        isPlanned: queries.some(({ operation }) => plannedFigures(operation) !== null),
      },
    ];
  });
}

/** The indexes that a query uses in production, if they are all missing here and the others do not serve it. */
function lostBy(query: Query, cluster: JoinedCluster): readonly IndexDescription[] {
  if (query.operation.recordedHere === true) return [];
  const { here, there } = indexesOf(query);
  const used = usedIndexes(query, here, there, cluster);
  const isHere = (index: IndexDescription) => here.some((each) => isVisible(each) && sameIndex(each, index));
  if (used.length === 0 || used.some(isHere)) return [];
  return !query.conditions.special && byIndex(query, here, cluster) === 'served' ? [] : used;
}

/** By the plans that were recorded; or if none was, those that alone would serve the query. */
function usedIndexes(
  query: Query,
  here: readonly IndexDescription[],
  there: readonly IndexDescription[],
  cluster: JoinedCluster,
): readonly IndexDescription[] {
  const plans = Object.keys(plannedFigures(query.operation)?.figures.planSummaries ?? {});
  const candidates = there.filter((index) => !isIdIndex(index));
  if (plans.length > 0) return candidates.filter(({ key }) => plans.some((plan) => plan.includes(keyInPlan(key))));
  if (query.conditions.special || byIndex(query, here, cluster) === 'served') return [];
  return candidates.filter((index) => byIndex(query, [index], cluster) === 'served');
}

/** As plan summaries write it: "{ a: 1, b: -1 }". */
function keyInPlan(key: IndexDescription['key']): string {
  return `{ ${Object.entries(key)
    .map(([path, kind]) => `${path}: ${typeof kind === 'string' ? JSON.stringify(kind) : String(kind)}`)
    .join(', ')} }`;
}

function narrows(index: IndexDescription, { conditions, sort }: Query): boolean {
  const [path = ''] = Object.keys(index.key);
  const isFinding = everyCondition(conditions).some(
    (condition) => condition.path === path && /^(?:equality|list|mixed|range)$/.test(condition.role),
  );
  return isVisible(index) && (isFinding || (conditions.all.length === 0 && sort[0]?.[0] === path));
}

function indexesOf({ known }: Query): Readonly<Record<'here' | 'there', readonly IndexDescription[]>> {
  const { collection, indexes } = known;
  const there = collection.production?.present === true ? collection.production.value?.indexes : undefined;
  if (!indexes.present || there?.present !== true) return { here: [], there: [] };
  return { here: indexes.value, there: there.value };
}

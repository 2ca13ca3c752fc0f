import type { ClusterVerdict } from '../../check.js';
import { formatCount, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { atJudgedSize, tooSmallToTell } from '../judged-size.js';
import { isScanned, plannedFigures, type QueryCost } from './query-cost.js';
import type { QueryGroup } from './query-groups.js';
import { sizeFor } from './query-size.js';
import { queryText } from './query-text.js';
import type { Query } from './query.js';

const WRITES = new Set<string>(['update', 'delete', 'findAndModify']);

/** Share of the collection from which a figure grows with the collection, and not with one of its values. */
const SHARE_OF_ALL = 0.1;

export function isBelow(query: Pick<Query, 'known' | 'operation'>, documents: number): boolean {
  const size = sizeFor(query);
  return size !== null && size.documents < documents;
}

/** Whether a recorded figure, in documents or index keys, is a share of the collection. False if its size is unknown. */
export function isShareOfAll(query: Pick<Query, 'known' | 'operation'>, figure: number): boolean {
  const size = sizeFor(query);
  return size !== null && figure >= SHARE_OF_ALL * size.recorded;
}

/** Whether an application runs a query, by its recorded executions; at an expected size one is enough. */
export function isRepeated(query: Query, { executions }: Pick<QueryCost, 'executions'>, recurring: number): boolean {
  return executions >= recurring || (sizeFor(query)?.from ?? null) !== null;
}

/** Null if unknown. A scan without a limit examines all, even if the collection was smaller when it was recorded. */
export function examinedAtJudgedSize(query: Query, { documentsExamined }: QueryCost): number | null {
  const size = sizeFor(query);
  if (size === null) return documentsExamined;
  // A join adds documents of other collections to the figure, but a scan examines each document once.
  const own =
    documentsExamined !== null && query.joins ? Math.min(size.recorded, documentsExamined) : documentsExamined;
  if (isScanned(query) && isReadToTheEnd(query)) return Math.max(size.documents, atJudgedSize(own ?? 0, size));
  return own === null ? null : atJudgedSize(own, size);
}

/** Whether it examines all that it may, and does not stop at what it finds. */
export function isReadToTheEnd({ limited, operation }: Query): boolean {
  return !limited || (plannedFigures(operation)?.figures.inMemorySorts ?? 0) > 0;
}

/** One entry a collection. */
export function tooSmallGroups(groups: readonly QueryGroup[]): ClusterVerdict[] {
  return [...groupedBy(groups, ({ namespace }) => namespace)].flatMap(([namespace, [first, ...others]]) => {
    const size = first === undefined ? null : sizeFor(first.queries[0]);
    if (first === undefined || size === null) return [];
    const queries = [first, ...others].flatMap((group) => group.queries) as [Query, ...Query[]];
    return [{ namespace, ...tooSmallToTell(size, `run there: ${withSimilar({ queries })}`) }];
  });
}

/** "find by `customer` ($eq) and 2 similar queries". */
export function withSimilar({ queries: [query, ...others] }: Pick<QueryGroup, 'queries'>): string {
  const further = others.length === 0 ? '' : ` and ${plural(others.length, 'similar query', 'similar queries')}`;
  return `${queryText(query)}${further}`;
}

/**
 * What an execution comes to on average: " to return 30, in 12 ms".
 *
 * @param returned documents returned or written; null if that is not known
 */
export function averageText({ queries, cost }: Pick<QueryGroup, 'queries' | 'cost'>, returned: number | null): string {
  const verb = queries.every(({ operation }) => WRITES.has(operation.shape.kind)) ? 'write' : 'return';
  const result = returned === null ? '' : ` to ${verb} ${formatCount(Math.round(returned))}`;
  const time = cost.averageMs === null ? '' : `, in ${formatCount(Math.round(cost.averageMs))} ms`;
  return `${result}${time}`;
}

/** " to return 30, in 12 ms on average (1,200 executions in 3.1 h)." */
export function averageOf(group: QueryGroup): string {
  const { queries, cost } = group;
  const returned = queries.every(({ tellsMatches }) => tellsMatches) ? cost.documentsReturned : null;
  return `${averageText(group, returned)} on average (${cost.window}).`;
}

import type { ClusterVerdict } from '../../check.js';
import { formatCount, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { tooSmallToTell } from '../judged-size.js';
import type { QueryGroup } from './query-groups.js';
import { sizeFor } from './query-size.js';
import { queryText } from './query-text.js';
import type { Query } from './query.js';

const WRITES = new Set<string>(['update', 'delete', 'findAndModify']);

/** One entry a collection. */
export function tooSmallGroups(groups: readonly QueryGroup[]): ClusterVerdict[] {
  return [...groupedBy(groups, ({ namespace }) => namespace)].flatMap(([namespace, [first, ...others]]) => {
    const size = first === undefined ? null : sizeFor(first.queries[0]);
    if (first === undefined || size === null) return [];
    const queries = [first, ...others].flatMap((group) => group.queries) as [Query, ...Query[]];
    return [{ namespace, ...tooSmallToTell(size, `run there: ${withSimilar({ queries })}`) }];
  });
}

/** "find by `customer` and 2 similar queries". */
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
  const result = returned === null ? '' : ` to ${verb} ${formatCount(returned)}`;
  const time = cost.averageMs === null ? '' : `, in ${formatCount(Math.round(cost.averageMs))} ms`;
  return `${result}${time}`;
}

/** " to return 30, in 12 ms on average (1,200 executions in 3.1 h)." */
export function averageOf(group: QueryGroup): string {
  const { queries, cost } = group;
  const returned = queries.every(({ returnsEachMatch }) => returnsEachMatch) ? cost.documentsReturned : null;
  return `${averageText(group, returned)} on average (${cost.window}).`;
}

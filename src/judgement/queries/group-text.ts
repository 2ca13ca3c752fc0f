import { formatCount, plural } from '../../format.js';
import type { QueryGroup } from './query-groups.js';
import { queryText } from './query-text.js';

const WRITES = new Set<string>(['update', 'delete', 'findAndModify']);

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

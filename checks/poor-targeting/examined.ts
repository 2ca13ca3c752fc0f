import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import { sizeFor } from '../../src/judgement/queries/judged-query.js';
import type { QueryCost } from '../../src/judgement/queries/query-cost.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { hasScatteredKeys } from '../../src/judgement/queries/scattered-keys.js';

/** Share of the collection from which what is examined grows with the collection, and not with one of its values. */
const SHARE_OF_ALL = 0.1;
/** Documents returned up to which a query looks for one, and will in a larger collection too. */
const ONE = 2;

/** What an execution examines too much of: documents, or only keys of an index. */
export type Examined = 'documentsExamined' | 'keysExamined';

/** Of each query: a cheap one that runs often would hide an expensive one in the average of those that one index serves. */
export function examinedTooMuch(query: Query, cost: QueryCost, leastRatio: number): Examined[] {
  if (cost.documentsExamined === null || cost.documentsReturned === null) return [];
  // A group returns fewer than match, but something if any do.
  if (!query.tellsMatches && cost.documentsReturned > 0) return [];
  // A sort in memory examines all that match: in-memory-sort reports it.
  if (query.limited && (cost.inMemorySorts ?? 0) > 0) return [];
  if (ratioOf(query, cost, 'documentsExamined') >= leastRatio) return ['documentsExamined'];
  const isByKeys = ratioOf(query, cost, 'keysExamined') >= leastRatio && hasScatteredKeys(query);
  return isByKeys ? ['keysExamined'] : [];
}

/** Per execution, at the judged size: what finds one value, or a unique key, finds as few in a larger collection. */
export function examinedBy(query: Query, cost: QueryCost, what: Examined): number {
  const examined = cost[what] ?? 0;
  const size = sizeFor(query);
  const isBound = examined <= ONE || hasUniqueKey(query) || !isShareOfAll(query, examined);
  return size === null || isBound ? examined : atJudgedSize(examined, size);
}

/** Whether at most one document can match: each field of a unique index is compared with one value. */
function hasUniqueKey({ conditions, known: { indexes } }: Query): boolean {
  const equal = new Set(equalPaths(conditions));
  const unique = indexes.present ? indexes.value.filter((index) => index.unique && !index.hidden) : [];
  return equal.has('_id') || unique.some(({ key }) => Object.keys(key).every((path) => equal.has(path)));
}

/** Documents or keys examined for each one returned. At the judged size, only a search for one still returns as few. */
export function ratioOf(query: Query, cost: QueryCost, what: Examined): number {
  const [examined, returned] = [cost[what] ?? 0, cost.documentsReturned ?? 0];
  return (returned <= ONE ? examinedBy(query, cost, what) : examined) / Math.max(1, returned);
}

export function isShareOfAll(query: Query, examined: number): boolean {
  const size = sizeFor(query);
  return size !== null && examined >= SHARE_OF_ALL * size.recorded;
}

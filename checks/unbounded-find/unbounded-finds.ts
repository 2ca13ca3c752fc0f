import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { leftOutFields } from '../../src/judgement/queries/left-out-fields.js';
import { plannedFigures, queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';

/** A recorded read that returns all that matches, as whole documents or without a few fields. */
export interface UnboundedFind {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Per execution. */
  readonly documents: number;
  readonly bytes: number;
  /** Fields that the read itself leaves out. */
  readonly leftOut: readonly string[];
  /** What the recording lacks to judge it, as half a sentence; null if nothing. */
  readonly missing: string | null;
}

export function unboundedFinds(cluster: JoinedCluster): UnboundedFind[] {
  return queriesOf(cluster).flatMap((query): UnboundedFind[] => {
    const figures = plannedFigures(query.operation)?.figures;
    const leftOut = figures === undefined ? null : leftOutBy(query);
    const cost = leftOut === null ? null : queryCost([query], cluster.workload);
    const documents = cost?.documentsReturned ?? null;
    if (figures === undefined || leftOut === null || cost === null || documents === null) return [];
    const { responseBytes, executions } = figures;
    const missing = missingOf(query, responseBytes);
    return [{ query, cost, documents, bytes: (responseBytes ?? 0) / executions, leftOut, missing }];
  });
}

function missingOf({ operation: { shape } }: Query, bytes: number | null): string | null {
  if (shape.truncated === true) return 'its command was recorded in part: whether it has a limit is unknown';
  return bytes === null ? 'the source does not have the size of its replies' : null;
}

/** Null if something bounds what it returns, or it asks for some fields only. */
function leftOutBy(query: Query): readonly string[] | null {
  // A capped collection has a bound, and cursors that wait for more.
  if (query.limited || query.known.collection.capped !== undefined || isBoundByValues(query)) return null;
  return leftOutFields(query);
}

/** By a unique field, a search returns no more documents than it has values. */
function isBoundByValues({ conditions, known: { indexes } }: Query): boolean {
  const unique = indexes.present ? indexes.value.filter((index) => index.unique) : [];
  const isUnique = (path: string) => path === '_id' || unique.some(({ key }) => Object.keys(key).join() === path);
  return conditions.all.some(({ path, role }) => (role === 'equality' || role === 'list') && isUnique(path));
}

import type { NotJudged } from '../../src/check.js';
import { plural } from '../../src/format.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { plannedFigures, queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { stageOf } from '../../src/workload/joins/references.js';
import type { ObjectShape } from '../../src/workload/shapes/shape.js';

/** A recorded read that returns all that matches, as whole documents or without a few fields. */
export interface UnboundedFind {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Per execution. */
  readonly documents: number;
  readonly bytes: number;
  /** Fields that the read itself leaves out. */
  readonly leftOut: readonly string[];
}

/** Reads that return all that matches, as far as a source says how much that is. */
export function unboundedFinds(cluster: JoinedCluster): UnboundedFind[] {
  return readsOf(cluster).flatMap(({ query, cost, documents, leftOut, responseBytes, executions, missing }) =>
    missing === null && responseBytes !== null
      ? [{ query, cost, documents, bytes: responseBytes / executions, leftOut }]
      : [],
  );
}

/**
 * Those that lack a figure or a part of the command.
 *
 * @param many documents per execution from which one is reported
 */
export function unjudgedFinds(cluster: JoinedCluster, many: number): (NotJudged & { readonly namespace: string })[] {
  return readsOf(cluster)
    .filter(({ missing, documents }) => missing !== null && documents >= many)
    .map(({ query: { known, operation }, documents, missing }) => ({
      namespace: known.collection.namespace,
      notJudged: 'insufficient',
      detail: `a ${operation.shape.kind} returns ${plural(Math.round(documents), 'document')} per execution, but ${missing}.`,
    }));
}

function readsOf(cluster: JoinedCluster) {
  return queriesOf(cluster).flatMap((query) => {
    const figures = plannedFigures(query.operation)?.figures;
    const leftOut = figures === undefined ? null : leftOutBy(query);
    const cost = leftOut === null ? null : queryCost([query], cluster.workload);
    const documents = cost?.documentsReturned ?? null;
    if (figures === undefined || leftOut === null || cost === null || documents === null) return [];
    const { responseBytes, executions } = figures;
    return [{ query, cost, documents, leftOut, responseBytes, executions, missing: missingOf(query, responseBytes) }];
  });
}

function missingOf({ operation: { shape } }: Query, bytes: number | null): string | null {
  if (shape.truncated === true) return 'its command was recorded in part: whether it has a limit is unknown';
  return bytes === null ? 'the source does not have the size of its replies' : null;
}

/** Null if something bounds what it returns, or it asks for some fields only. */
function leftOutBy(query: Query): readonly string[] | null {
  const { operation, known, limited } = query;
  const { kind, namespace, pipeline = [], projection = {} } = operation.shape;
  // What a view returns, its readers did not write; a capped collection has a bound, and cursors that wait for more.
  if (limited || namespace !== known.collection.namespace || known.collection.capped !== undefined) return null;
  if (isBoundByValues(query)) return null;
  if (kind === 'find') return leftOutIn(projection);
  if (kind !== 'aggregate') return null;
  const left = pipeline.map(leftOutByStage);
  return left.includes(null) ? null : left.flatMap((each) => each ?? []);
}

function leftOutByStage(stage: ObjectShape): readonly string[] | null {
  const { name, body } = stageOf(stage);
  if (name === '$unset' && Array.isArray(body)) return (body as readonly string[]).map(String);
  return name === '$match' || name === '$sort' ? [] : null;
}

function leftOutIn(projection: ObjectShape): readonly string[] | null {
  const entries = Object.entries(projection);
  return entries.every(([, value]) => value === false) ? entries.map(([path]) => path) : null;
}

/** By a unique field, a search returns no more documents than it has values. */
function isBoundByValues({ conditions, known: { indexes } }: Query): boolean {
  const unique = indexes.present ? indexes.value.filter((index) => index.unique) : [];
  const alone = new Set([
    '_id',
    ...unique.flatMap(({ key }) => (Object.keys(key).length === 1 ? Object.keys(key) : [])),
  ]);
  return conditions.all.some(({ path, role }) => (role === 'equality' || role === 'list') && alone.has(path));
}

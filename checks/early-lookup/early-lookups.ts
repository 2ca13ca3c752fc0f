import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';
import type { TracedOperation } from '../../src/workload/traced-workload.js';
import { fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import { isScanned, queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import { queriesOf, type Query, type SortField } from '../../src/judgement/queries/query.js';
import { earlyJoins, type EarlyJoins } from './early-joins.js';
import { namesAreKept } from '../../src/judgement/pipelines/needless-sort.js';

/** A recorded aggregate that makes joins too early, or in vain. */
export interface EarlyLookup extends EarlyJoins {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Documents that an execution examines for the joins: at least, if other documents were scanned too. */
  readonly documentsForJoins: number;
  /** By which the rewritten pipeline sorts stored documents; empty if it does not. */
  readonly sortedBy: readonly SortField[];
}

/** Of aggregates on collections, not on views: what a view joins, its readers cannot move. */
export function earlyLookups(cluster: JoinedCluster): EarlyLookup[] {
  const traced = new Map(cluster.workload.tracedOperations.map((each) => [each.operation, each]));
  return queriesOf(cluster).flatMap((query): EarlyLookup[] => {
    const operation = traced.get(query.operation);
    const cost = queryCost([query], cluster.workload);
    if (operation === undefined || cost === null || !isWhole(operation)) return [];
    const early = earlyJoins(operation.stages, (stage) => isSingle(stage, operation, cluster));
    if (early === null) return [];
    const sortedBy = sortOf(early.rewritten);
    const documentsForJoins = examinedForJoins(query, cost, sortedBy.length > 0);
    return documentsForJoins === null ? [] : [{ ...early, query, cost, documentsForJoins, sortedBy }];
  });
}

function isWhole({ operation: { shape }, view, stages }: TracedOperation): boolean {
  return shape.kind === 'aggregate' && shape.truncated !== true && view === null && namesAreKept(stages);
}

/** By the unique `_id`, for a field that holds no arrays as far as the sample shows. */
function isSingle(stage: ObjectShape, { stages, joins }: TracedOperation, cluster: JoinedCluster): boolean {
  const at = String(stages.indexOf(stage));
  const join = joins.find((each) => each.at === at);
  const { $lookup } = stage;
  if (join === undefined || !isObjectShape($lookup) || addsDocuments($lookup)) return false;
  return join.keys.some(
    ({ operator, branch, local, foreign }) =>
      operator === '$eq' &&
      branch === null &&
      foreign.origin.traced &&
      foreign.origin.path === '_id' &&
      foreign.origin.namespace === join.foreign.base &&
      local.origin.traced &&
      (join.form === 'expression' ||
        holdsArrays(fieldTypesOn(cluster, local.origin.namespace), local.origin.path) === false),
  );
}

const REDUCING = new Set(['$match', '$project', '$addFields', '$unset', '$sort', '$limit', '$skip', '$replaceRoot']);

function addsDocuments({ pipeline }: ObjectShape): boolean {
  const stages = Array.isArray(pipeline) ? (pipeline as readonly ObjectShape[]) : [];
  return stages.some((stage) => !REDUCING.has(Object.keys(stage)[0] ?? ''));
}

/**
 * Null if a scan may have examined them all by itself. What an index found was examined, and joined. A scan stays without the
 * joins, unless the rewritten pipeline reads a page in the order of an index.
 */
function examinedForJoins(query: Query, { documentsExamined }: QueryCost, isOrdered: boolean): number | null {
  if (documentsExamined === null) return null;
  if (!isScanned(query)) return documentsExamined;
  const size = sizeFor(query);
  const own = size?.recorded ?? null;
  if (own === null) return null;
  return isEmpty(query.conditions) && isOrdered
    ? documentsExamined
    : documentsExamined > own
      ? documentsExamined - own
      : null;
}

/** The sort of stored documents: only filters stand before it. */
function sortOf(stages: readonly ObjectShape[]): readonly SortField[] {
  const first = stages.find((stage) => !('$match' in stage));
  const sort = first?.['$sort'];
  const fields = Object.entries(isObjectShape(sort) ? sort : {});
  return fields.filter((field): field is [string, 1 | -1] => field[1] === 1 || field[1] === -1);
}

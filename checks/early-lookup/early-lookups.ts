import { fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import { namesAreKept } from '../../src/judgement/pipelines/needless-sort.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import { isScanned, queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import { queriesOf, type Query, type SortField } from '../../src/judgement/queries/query.js';
import { fieldOf } from '../../src/workload/joins/references.js';
import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';
import type { TracedOperation } from '../../src/workload/traced-workload.js';
import { earlyJoins, type EarlyJoins } from './early-joins.js';

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
    const examined = examinedForJoins(query, cost, sortedBy.length > 0);
    if (examined === null) return [];
    const isCut = early.because.some((each) => each === 'limit' || each === 'page');
    const isGrouped = early.because.includes('group');
    const groups = isCut ? cost.documentsReturned : isGrouped ? groupsOf(operation, cost, query) : 0;
    const documentsForJoins = isCut && !isGrouped ? examined : savedOf(examined, early, operation, query, groups);
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

/** Documents joined for each group, below which joining the groups saves little. Judgement. */
const DOCUMENTS_PER_GROUP = 10;

/**
 * Without the documents that are read in any case: the outer ones that an index found, those of other joins, and those of joins
 * that are still made, one for each group. Each join is taken to find one document.
 *
 * @param groups null if unknown
 * @returns null if it is unknown, or little
 */
function savedOf(
  examined: number,
  { early }: EarlyJoins,
  { joins }: TracedOperation,
  query: Query,
  groups: number | null,
): number | null {
  const outer = isScanned(query) ? 0 : 1;
  const ofEarly = (examined * early) / (outer + Math.max(early, joins.length));
  const left = groups === null ? Infinity : groups * early;
  return left * DOCUMENTS_PER_GROUP > ofEarly ? null : ofEarly - left;
}

const KEEPING_GROUPS = new Set(['$lookup', '$unwind', '$addFields', '$project', '$unset', '$sort', '$replaceRoot']);

/** At most so many: as many as are returned; or, by the sample, as the share of different values among those compared. */
function groupsOf({ stages }: TracedOperation, { documentsReturned }: QueryCost, query: Query): number | null {
  const at = stages.findIndex((stage) => '$group' in stage);
  const following = stages.slice(at + 1).map((stage) => Object.keys(stage)[0] ?? '');
  if (following.every((name) => KEEPING_GROUPS.has(name))) return documentsReturned;
  const by = stages[at]?.['$group'];
  const path = isObjectShape(by) ? fieldOf(by['_id'] ?? '') : null;
  const types = query.known.fieldTypes.present ? query.known.fieldTypes.value : null;
  const { spread = null } = types?.fields.find((field) => field.path === path) ?? {};
  const documents = sizeFor(query)?.recorded ?? null;
  return spread === null || documents === null ? null : (documents * spread.distinct) / spread.compared;
}

/** The sort of stored documents: only filters stand before it. */
function sortOf(stages: readonly ObjectShape[]): readonly SortField[] {
  const first = stages.find((stage) => !('$match' in stage));
  const sort = first?.['$sort'];
  const fields = Object.entries(isObjectShape(sort) ? sort : {});
  return fields.filter((field): field is [string, 1 | -1] => field[1] === 1 || field[1] === -1);
}

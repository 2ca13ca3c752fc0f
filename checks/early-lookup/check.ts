import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount, inWords, plural } from '../../src/format.js';
import { cutAggregates, fieldTypesOn, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { namesAreKept } from '../../src/judgement/pipelines/needless-sort.js';
import { isScanned, type QueryCost, queryCost } from '../../src/judgement/queries/query-cost.js';
import { isBelow, isRepeated, sizeFor } from '../../src/judgement/queries/query-size.js';
import { ERROR, RETIRED_OF_OPERATIONS, SEARCH_THRESHOLDS } from '../../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery } from '../../src/judgement/queries/worst-query-check.js';
import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';
import type { TracedOperation } from '../../src/workload/traced-workload.js';
import { type EarlyBecause, earlyJoins, KEEPING } from './early-joins.js';

/** Documents joined for each one that a join is needed for, from which most of the joins are in vain. */
const JOINED_PER_NEEDED = 10;

/** Documents examined a day in vain from which it is an error. Judgement: minutes of processor a day. */
const MUCH_PER_DAY = 100_000_000;

const thresholds = {
  info: SEARCH_THRESHOLDS.info,
  error: ERROR,
} as const;

const WHY: Readonly<Record<EarlyBecause, readonly [why: string, instead: string]>> = {
  unread: ['nothing reads what it brings', 'Leave the join out.'],
  $group: ['the `$group` after it makes few documents of many', 'Group first, and join the groups.'],
  $limit: ['the `$limit` after it keeps only a page', 'Sort and limit first, and join only the page.'],
  $facet: ['the `$facet` after it shows only a page', 'Join in the branch that shows the page, behind its `$limit`.'],
};

/** A recorded aggregate that makes joins too early, or in vain. */
interface EarlyLookup extends FoundQuery {
  readonly cost: QueryCost;
  readonly because: readonly EarlyBecause[];
  readonly joined: readonly string[];
  /** Documents that an execution examines for joins that it does not need, and those of which it needs the joins. */
  readonly inVain: number;
  readonly needed: number;
}

/**
 * A recorded aggregate on a collection is a finding if it makes a `$lookup` for documents that a later stage leaves out or groups,
 * or whose result nothing reads, and the server does not reorder it. What it examines beyond a scan of its collection is
 * its joins', in equal shares; those of early ones count, but for the documents that it returns. They must be ten times these.
 */
export const earlyLookup = defineWorstQueryCheck({
  id: 'early-lookup',
  title: 'Join made too early',
  summary: 'joins made for documents that a later stage leaves out or groups, or that nothing reads',
  thresholds,
  retiredThresholds: RETIRED_OF_OPERATIONS,
  find: ({ cluster }) => earlyLookups(cluster),
  gaps: ({ cluster }) => cutAggregates(cluster),
  path: () => null,
  rank: ({ cost, inVain }) => inVain * cost.executions,
  severity({ query, cost, inVain, needed }, { limits }) {
    if (inVain < limits.info || inVain < needed * (JOINED_PER_NEEDED - 1)) return null;
    if (inVain >= limits.error || inVain * (cost.executionsPerDay ?? 0) >= MUCH_PER_DAY) return 'error';
    return isRepeated(query, cost) ? 'warning' : 'info';
  },
  confidence: 'high',
  message([{ cost, because, joined }, ...others]) {
    const { documentsExamined, documentsReturned } = cost;
    return (
      `An aggregate examines ${plural(Math.round(documentsExamined ?? 0), 'document')} per execution` +
      `${documentsReturned === null ? '' : ` to return ${formatCount(documentsReturned)}`} (${cost.window}). ` +
      `Its \`$lookup\` of ${inWords(joined)} is too early: ${because.map((each) => WHY[each][0]).join('; ')}.` +
      (others.length === 0 ? '' : ` The same is true of ${plural(others.length, 'more aggregate')}.`)
    );
  },
  figures: (all) => ({
    documentsExamined: Math.round(all[0].cost.documentsExamined ?? 0),
    documentsReturned: all[0].cost.documentsReturned === null ? null : Math.round(all[0].cost.documentsReturned),
    joined: [...new Set(all.flatMap(({ joined }) => joined))],
  }),
  saved: ({ inVain }) => inVain,
  growsWithCollection: true,
  tooSmall: {
    text: 'joined before a `$limit`, or in vain',
    of: ({ query }, { limits }) => isBelow(query, limits.info),
  },
  remedy: (_, all) =>
    stepsOf(
      ...new Set(all.flatMap(({ because }) => because).map((each) => WHY[each][1])),
      'Check that the results are the same, and that totalDocsExamined is lower in explain("executionStats").',
    ),
});

/** Only in aggregates on collections, not on views: what a view joins, its readers cannot move. */
function earlyLookups(cluster: JoinedCluster): EarlyLookup[] {
  const traced = new Map(cluster.workload.tracedOperations.map((each) => [each.operation, each]));
  return queriesOf(cluster).flatMap((query): EarlyLookup[] => {
    const operation = traced.get(query.operation);
    const cost = queryCost([query], cluster.workload);
    const { kind, truncated } = query.operation.shape;
    if (operation === undefined || cost === null || kind !== 'aggregate' || truncated === true) return [];
    const { stages, joins, view } = operation;
    const early = earlyJoins(stages, (stage) => isSingle(stage, operation, cluster));
    const examined = examinedForJoins(query, cost, joins.length);
    if (view !== null || !namesAreKept(stages) || early.length === 0 || examined === null) return [];
    const behindGroup = stages.slice(stages.findIndex((stage) => '$group' in stage) + 1);
    // How many groups there are is known only if a later stage leaves none out, or all but a page.
    const keepsGroups = behindGroup.every((stage) => KEEPING.has(Object.keys(stage)[0] ?? ''));
    const because = [...new Set(early.map((each) => each.because))];
    if (because.includes('$group') && !keepsGroups) return [];
    const needed = because.some((each) => each !== 'unread') ? (cost.documentsReturned ?? 0) * early.length : 0;
    const size = sizeFor(query);
    const all = size === null ? examined * early.length : atJudgedSize(examined * early.length, size);
    const joined = [...new Set(early.map(({ foreign }) => foreign))];
    return [{ query, cost, because, joined, needed, inVain: all - needed }];
  });
}

/** By the unique `_id`, for a field that holds no arrays as far as the sample shows. */
function isSingle({ $lookup }: ObjectShape, { stages, joins }: TracedOperation, cluster: JoinedCluster): boolean {
  const at = stages.findIndex((stage) => stage['$lookup'] === $lookup);
  const { foreign, local } = joins.find((join) => join.at === String(at))?.keys[0] ?? {};
  if (!isObjectShape($lookup) || 'pipeline' in $lookup || foreign?.origin.traced !== true || !local?.origin.traced)
    return false;
  const { namespace, path } = local.origin;
  return foreign.origin.path === '_id' && holdsArrays(fieldTypesOn(cluster, namespace), path) === false;
}

/** By each join; null if a scan may have examined them all by itself. What an index found was examined, and joined. */
function examinedForJoins(query: Query, { documentsExamined }: QueryCost, joins: number): number | null {
  if (documentsExamined === null) return null;
  if (!isScanned(query)) return documentsExamined / (1 + joins);
  const scanned = sizeFor(query)?.recorded ?? Infinity;
  return documentsExamined > scanned ? (documentsExamined - scanned) / joins : null;
}

import { formatCount, inWords, plural } from '../../src/format.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { type JoinedCluster, fieldTypesOn } from '../../src/judgement/joins/joined-cluster.js';
import { holdsArrays } from '../../src/judgement/joins/joined-values.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { namesAreKept } from '../../src/judgement/pipelines/needless-sort.js';
import { type QueryCost, isScanned, queryCost } from '../../src/judgement/queries/query-cost.js';
import { isBelow, isRepeated, sizeFor } from '../../src/judgement/queries/query-size.js';
import { RETIRED_OF_OPERATIONS } from '../../src/judgement/queries/query-thresholds.js';
import { type Query, queriesOf } from '../../src/judgement/queries/query.js';
import { defineWorstQueryCheck } from '../../src/judgement/queries/worst-query-check.js';
import { stepsOf } from '../../src/remedy.js';
import { type ObjectShape, isObjectShape } from '../../src/workload/shapes/shape.js';
import type { TracedOperation } from '../../src/workload/traced-workload.js';
import { type EarlyBecause, earlyJoins } from './early-joins.js';

/** Documents joined for each one that a join is needed for, from which most of the joins are in vain. */
const JOINED_PER_NEEDED = 10;

/** Documents examined a day in vain from which it is an error. Judgement: minutes of processor a day. */
const MUCH_PER_DAY = 100_000_000;

const thresholds = {
  info: {
    default: 1_000,
    unit: 'documents',
    description:
      'documents examined per execution from which it is reported; a smaller collection is too small to tell',
    source: 'judgement: about a millisecond of processor per execution',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: a second of processor per execution and more',
  },
} as const;

const WHY: Readonly<Record<EarlyBecause, readonly [why: string, instead: string]>> = {
  unread: ['nothing reads what it brings', 'Leave the join out.'],
  group: [
    'it runs for all documents that match, and the `$group` after it makes few of them',
    'Group first, and join the groups.',
  ],
  limit: [
    'it runs for all documents that match, and the `$limit` after it keeps a few',
    'Sort and limit first, and join the page only. With an index on the fields of the sort, only the page is read.',
  ],
  page: [
    'it runs for all documents that match, and the `$facet` after it shows a page of them and counts the rest',
    'Join within the branch that shows the page, behind its `$limit`.',
  ],
};

/** A recorded aggregate that makes joins too early, or in vain. */
interface EarlyLookup {
  readonly query: Query;
  readonly cost: QueryCost;
  readonly because: readonly EarlyBecause[];
  /** Namespaces of the collections that are joined too early. */
  readonly joined: readonly string[];
  /** Documents that an execution examines for joins that it does not need. */
  readonly inVain: number;
  /** Those of which it needs the joins. */
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
  message([{ cost, inVain, because, joined }, ...others]) {
    const { documentsExamined, documentsReturned } = cost;
    return (
      `An aggregate examines ${plural(Math.round(documentsExamined ?? inVain), 'document')} per execution` +
      `${documentsReturned === null ? '' : ` to return ${formatCount(Math.round(documentsReturned))}`} (${cost.window}). ` +
      `Its \`$lookup\` of ${inWords(joined)} is too early: ${because.map((each) => WHY[each][0]).join('; ')}.` +
      (others.length === 0 ? '' : ` The same is true of ${plural(others.length, 'more aggregate')}.`)
    );
  },
  figures(all) {
    const [{ cost, inVain }] = all;
    return {
      documentsExamined: Math.round(cost.documentsExamined ?? inVain),
      documentsReturned: cost.documentsReturned === null ? null : Math.round(cost.documentsReturned),
      joined: [...new Set(all.flatMap((each) => each.joined))],
    };
  },
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

/** Of aggregates on collections, not on views: what a view joins, its readers cannot move. */
function earlyLookups(cluster: JoinedCluster): EarlyLookup[] {
  const traced = new Map(cluster.workload.tracedOperations.map((each) => [each.operation, each]));
  return queriesOf(cluster).flatMap((query): EarlyLookup[] => {
    const operation = traced.get(query.operation);
    const cost = queryCost([query], cluster.workload);
    if (operation === undefined || cost === null || !isWhole(operation)) return [];
    const early = earlyJoins(operation.stages, (stage) => isSingle(stage, operation, cluster));
    const because = [...new Set(early.map((each) => each.because))];
    const examined = examinedForJoins(query, cost, operation.joins.length);
    if (early.length === 0 || examined === null) return [];
    if (because.includes('group') && !returnsGroups(operation)) return [];
    const needed = because.every((each) => each === 'unread') ? 0 : (cost.documentsReturned ?? 0) * early.length;
    const joined = [...new Set(early.map(({ foreign }) => foreign))];
    return [{ query, cost, because, joined, needed, inVain: atSize(examined * early.length, query) - needed }];
  });
}

function isWhole({ operation: { shape }, view, stages }: TracedOperation): boolean {
  return shape.kind === 'aggregate' && shape.truncated !== true && view === null && namesAreKept(stages);
}

/** By the unique `_id`, for a field that holds no arrays as far as the sample shows. */
function isSingle(stage: ObjectShape, { stages, joins }: TracedOperation, cluster: JoinedCluster): boolean {
  const join = joins.find(({ at }) => at === String(stages.indexOf(stage)));
  const [key] = join?.keys ?? [];
  if (join === undefined || key === undefined || !isObjectShape(stage['$lookup']) || 'pipeline' in stage['$lookup'])
    return false;
  const { foreign, local } = key;
  return (
    foreign.origin.traced &&
    foreign.origin.path === '_id' &&
    local.origin.traced &&
    holdsArrays(fieldTypesOn(cluster, local.origin.namespace), local.origin.path) === false
  );
}

/** By each join; null if a scan may have examined them all by itself. What an index found was examined, and joined. */
function examinedForJoins(query: Query, { documentsExamined }: QueryCost, joins: number): number | null {
  if (documentsExamined === null) return null;
  if (!isScanned(query)) return documentsExamined / (1 + joins);
  const scanned = sizeFor(query)?.recorded ?? Infinity;
  return documentsExamined > scanned ? (documentsExamined - scanned) / joins : null;
}

const KEEPING_GROUPS = new Set([
  '$lookup',
  '$unwind',
  '$addFields',
  '$project',
  '$unset',
  '$sort',
  '$replaceRoot',
  '$limit',
]);

/** Whether no group is left out, but for those behind a page. */
function returnsGroups({ stages }: TracedOperation): boolean {
  const following = stages.slice(stages.findIndex((stage) => '$group' in stage) + 1);
  return following.every((stage) => KEEPING_GROUPS.has(Object.keys(stage)[0] ?? ''));
}

/** Documents per execution at the judged size. */
function atSize(documents: number, query: Query): number {
  const size = sizeFor(query);
  return size === null ? documents : atJudgedSize(documents, size);
}

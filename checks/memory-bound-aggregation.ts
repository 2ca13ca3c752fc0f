import type { RemedyStep } from '../src/finding.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, plural } from '../src/format.js';
import { plannedFigures, queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { ofJudgedSize } from '../src/judgement/queries/query-size.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { fieldsOf, isObjectShape } from '../src/workload/shapes/shape.js';

interface MemoryBound extends FoundQuery {
  readonly cost: QueryCost;
  /** The one that holds most, as far as it is known; else the first that holds documents. */
  readonly stage: string;
  readonly spilled: number;
  /** Executions that failed, because they may not spill, or because a single array may not. */
  readonly refused: number;
  /** Most that an execution holds in memory; null if unknown. */
  readonly held: number | null;
}

/** Source: error codes 146 and 292 of the server (measured on 6.0.5). */
const REFUSALS = ['ExceededMemoryLimit', 'QueryExceededMemoryLimitNoDiskUseAllowed'] as const;

/** What to do about each stage that holds documents before it returns the first. */
const ADVICE: Readonly<Record<string, string>> = {
  $group: 'Let a `$group` keep only what is read: `$topN` or `$firstN` in place of a `$push` of all, and no `$$ROOT`.',
  $sort:
    'Put a `$limit` right behind the `$sort`, which then keeps only so many, or sort by an index before anything is computed.',
  $setWindowFields:
    'Create an index on the fields of partitionBy, then of sortBy: `$setWindowFields` then needs no sort of its own.',
  $facet: 'Send each pipeline of the `$facet` by itself: each can then use an index, and stop at its limit.',
};

/** A join holds documents if it is a hash join, or in `$graphLookup`. */
const HOLDING = [
  [...Object.keys(ADVICE), '$bucket', '$bucketAuto', '$sortByCount'],
  ['$lookup', '$graphLookup'],
];

export const memoryBoundAggregation = defineWorstQueryCheck({
  id: 'memory-bound-aggregation',
  title: 'Aggregation that does not fit into memory',
  explainedBy: ['in-memory-sort', 'computed-value'],
  summary: 'aggregations that spill to disk or fail, because a `$group`, `$sort` or window holds too much in memory',
  thresholds: {
    executions: {
      default: RECURRING,
      unit: 'executions',
      description: 'executions that spilled or failed, for a warning',
      source: 'judgement: once or twice somebody tried something',
    },
    held: {
      default: 50 * 1024 ** 2,
      unit: 'bytes',
      description: 'bytes of memory per execution, for an info though none spilled',
      source:
        'judgement: half of 100 MB, which a stage may take (MongoDB manual, "Aggregation Pipeline Limits"); set half of yours if it is another',
    },
  },
  byPlans: true,
  growsWithCollection: true,
  find: ({ cluster }) =>
    queriesOf(cluster).flatMap((query): MemoryBound[] => {
      const { figures } = plannedFigures(query.operation) ?? {};
      const cost = query.operation.shape.kind === 'aggregate' ? queryCost([query], cluster.workload) : null;
      const stage = cost === null ? null : stageOf(query, cost);
      if (figures === undefined || cost === null || stage === null) return [];
      const refused = REFUSALS.reduce((sum, name) => sum + (figures.errors?.[name] ?? 0), 0);
      const held = figures.peakMemoryBytes ?? pushedBytes(query, cost);
      return [{ query, cost, stage, spilled: cost.diskUses ?? 0, refused, held }];
    }),
  path: () => null,
  rank: ({ spilled, refused }) => spilled + refused,
  severity({ spilled, refused, held }, { limits }) {
    if (spilled + refused >= limits.executions) return 'warning';
    return spilled + refused > 0 || (held ?? 0) >= limits.held ? 'info' : null;
  },
  confidence: ({ spilled, refused }) => (spilled + refused > 0 ? 'high' : 'medium'),
  message(all) {
    const [{ cost, stage, spilled, refused, held }] = all;
    const most = Math.max(0, ...Object.values(cost.spills ?? {}));
    const outcome = [
      ...(spilled > 0
        ? [`${plural(spilled, 'execution')} spilled to disk${most > 0 ? `, up to ${formatBytes(most)}` : ''}`]
        : []),
      ...(refused > 0 ? [`${plural(refused, 'execution')} failed for lack of memory`] : []),
    ];
    return outcome.length > 0
      ? `${textOf(all)} does not fit into memory at \`${stage}\`: ${outcome.join(', and ')} (${cost.window}).`
      : `${textOf(all)} holds some ${formatBytes(held ?? 0)} in memory at \`${stage}\` (${cost.window}). What exceeds the limit of a stage spills to disk, or fails.`;
  },
  figures: ([{ spilled, refused, held }]) => ({
    diskUses: spilled,
    failed: refused,
    heldBytes: held === null ? null : Math.round(held),
  }),
  saved: () => 0,
  remedy: ({ stage, refused }) => stepsFor(stage, refused),
});

function stageOf({ operation }: Query, { spills }: QueryCost): string | null {
  const [most] = Object.entries(spills ?? {}).toSorted(([, one], [, other]) => other - one);
  const names = (operation.shape.pipeline ?? []).map((stage) => Object.keys(stage)[0] ?? '');
  const [holding] = HOLDING.flatMap((stages) => names.find((name) => stages.includes(name)) ?? []);
  return most === undefined ? (holding ?? null) : `$${most[0]}`;
}

/** Bytes of the documents that a `$group` collects whole; null if it collects none. */
function pushedBytes(query: Query, { facts, documentsExamined }: QueryCost): number | null {
  const groups = (query.operation.shape.pipeline ?? []).flatMap(({ $group }) =>
    isObjectShape($group) ? [$group] : [],
  );
  const isOfAll = groups.some((group) =>
    fieldsOf(group).some(([, each]) => isObjectShape(each) && (each['$push'] ?? each['$addToSet']) === '$$ROOT'),
  );
  const bytes = isOfAll && !query.limited && !query.joins ? facts.bytesExamined.mean : null;
  return bytes === null ? null : ofJudgedSize(query, documentsExamined ?? 0, bytes);
}

function stepsFor(stage: string, refused: number): RemedyStep[] {
  return stepsOf(
    `Filter before \`${stage}\` by what an index finds, and \`$project\` the fields that are used: it then holds less.`,
    ADVICE[stage],
    'If its readers can do with a result of some hours ago, compute it by a job, with `$merge` at the end.',
    refused > 0 &&
      'Until then allow it the disk (allowDiskUse: true): slow instead of failing. An array of more than 100 MB fails all the same.',
    'Check that the profiler shows neither usedDisk nor an error for it.',
  );
}

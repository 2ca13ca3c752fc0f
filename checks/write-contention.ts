import type { RemedyStep } from '../src/finding.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { plannedFigures, queryCost, type QueryCost, wholeRecord } from '../src/judgement/queries/query-cost.js';
import { isRepeated } from '../src/judgement/queries/query-size.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck, type FoundQuery, textOf } from '../src/judgement/queries/worst-query-check.js';
import { fieldsOf, isObjectShape } from '../src/workload/shapes/shape.js';

interface Contended extends FoundQuery {
  readonly cost: QueryCost;
  /** In all recorded executions. */
  readonly conflicts: number;
  /** Whether those without a conflict are recorded, too: of slow ones alone, nearly all have some. */
  readonly isShareKnown: boolean;
}

/**
 * A recorded write is a finding if it conflicts with others of the same document again and again: the server repeats each until it succeeds.
 */
export const writeContention = defineWorstQueryCheck({
  id: 'write-contention',
  title: 'Writers that wait for one document',
  summary: 'writes of many clients to the same document at once, which the server has to repeat',
  thresholds: {
    conflicts: {
      default: 100,
      unit: 'operations',
      description: 'conflicts, each of which repeats a write',
      source: 'judgement: fewer are chance',
    },
    info: {
      default: 0.2,
      unit: 'ratio',
      description: 'write conflicts per execution',
      source: 'judgement: one write in five is done twice',
    },
    warning: {
      default: 5,
      unit: 'ratio',
      description: 'write conflicts per execution',
      source: 'judgement: nearly all of the work is repeated',
    },
  },
  byPlans: true,
  find: ({ cluster, limits }) =>
    queriesOf(cluster).flatMap((query): Contended[] => {
      if (query.operation.shape.multi === true) return [];
      const conflicts = plannedFigures(query.operation)?.figures.waiting?.writeConflicts ?? 0;
      const cost = conflicts < limits.conflicts ? null : queryCost([query], cluster.workload);
      return cost === null || !isRepeated(query, cost)
        ? []
        : [{ query, cost, conflicts, isShareKnown: wholeRecord(query, cluster.workload) !== null }];
    }),
  path: ({ query }) => writtenPaths(query)[0] ?? null,
  rank: ({ conflicts }) => conflicts,
  severity({ conflicts, cost, isShareKnown }, { limits }) {
    const perExecution = conflicts / cost.executions;
    if (perExecution < limits.info) return null;
    return isShareKnown && perExecution >= limits.warning ? 'warning' : 'info';
  },
  confidence: 'high',
  message(all) {
    const [{ conflicts, cost }] = all;
    return (
      `Writers of one document get in each other's way: ${textOf(all)} had ${plural(conflicts, 'write conflict')} in ` +
      `${cost.window}. Outside of transactions, the server repeats each until it succeeds.`
    );
  },
  figures: ([{ conflicts, cost }]) => ({
    writeConflicts: conflicts,
    conflictsPerExecution: conflicts / cost.executions,
    averageMs: cost.averageMs,
  }),
  saved: () => 0,
  remedy: ({ query }) => stepsFor(query),
});

/** The fields that an update writes. */
function writtenPaths({ operation: { shape } }: Query): string[] {
  return isObjectShape(shape.update)
    ? Object.values(shape.update).flatMap((paths) => fieldsOf(paths).map(([path]) => path))
    : [];
}

function stepsFor(query: Query): RemedyStep[] {
  const { update } = query.operation.shape;
  const isCounter = isObjectShape(update) && '$inc' in update;
  const takesNext = query.sort.length > 0;
  return stepsOf(
    takesNext
      ? 'Let each worker look for one of the first hundred at random, or take several in one update: then no two take the same.'
      : isCounter
        ? `Spread the counter over ${formatCount(SHARDS)} documents: each writer adds to one of them at random, and a reader adds them up. For ids, use ObjectIds, or take a hundred numbers with one $inc.`
        : 'Move what changes most into a document of its own for each writer, or collect changes for a second and write them once.',
    'Keep the write outside of transactions, or at their end: a conflict within a transaction aborts all of it.',
    'Check that the profiler shows fewer writeConflicts for it.',
  );
}

/** Documents that a counter is spread over in the printed advice. */
const SHARDS = 20;

import type { ObjectShape } from '../src/workload/shapes/shape.js';
import { isObjectShape } from '../src/workload/shapes/shape.js';
import { formatCount, plural } from '../src/format.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { isEmpty } from '../src/judgement/queries/conditions.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { PER_DAY } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck } from '../src/judgement/queries/worst-query-check.js';
import { recordedCoverage, sourceCoverage } from '../src/workload/coverage/source-window.js';
import { WRITE_KINDS } from '../src/workload/workload.js';

const GROUPING = new Set(['$group', '$bucket', '$bucketAuto', '$sortByCount']);

interface Recomputed {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Documents of the collection that an execution examines. */
  readonly examined: number;
  /** Recorded writes to the collection; null if not all operations were recorded. */
  readonly writes: number | null;
}

export const computedValue = defineWorstQueryCheck({
  id: 'computed-value',
  title: 'Value recomputed for each read',
  summary: 'a `$group` over a whole collection that runs thousands of times a day, while its documents hardly change',
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents that an execution groups, from which it is reported',
      source: 'judgement: some 10 ms of processor per execution, for what one document could hold',
    },
    executions: {
      default: 1_000,
      unit: 'executions',
      description: 'executions a day from which it is reported; in less than an hour, recorded ones',
      source:
        'MongoDB, "Building with Patterns: The Computed Pattern": compute a value once if it is read far more often',
    },
    writes: {
      default: 0.1,
      unit: 'ratio',
      description: 'writes to the collection per execution, up to which its documents hardly change',
      source: 'judgement: nine of ten executions then return what the one before did',
    },
    perDay: PER_DAY,
  },
  byPlans: true,
  find: ({ cluster }) => recomputed(cluster),
  path: () => null,
  place: ({ query }) => query.operation,
  rank: ({ examined, cost }) => examined * cost.executions,
  severity({ cost, examined, writes }, { limits }) {
    const often = cost.executionsPerDay ?? cost.executions;
    if (examined < limits.documents || often < limits.executions) return null;
    if (writes === null) return 'info';
    return writes / cost.executions <= limits.writes ? 'warning' : null;
  },
  confidence: ({ writes }) => (writes === null ? 'low' : 'medium'),
  message: ([{ cost, examined, writes }]) =>
    `The same value is computed from ${plural(Math.round(examined), 'document')} in each of ${plural(cost.executions, 'execution')} (${cost.window}). ` +
    (writes === null
      ? 'How often the documents change is unknown, as not all operations were recorded.'
      : `Meanwhile, the collection was written to ${writes === 0 ? 'not once' : plural(writes, 'time')}.`),
  figures: ([{ examined, writes }]) => ({ documentsExamined: Math.round(examined), writesRecorded: writes }),
  saved: ({ examined }) => examined,
  remedy: ({ examined }) => [
    {
      text: 'Keep the value in a document of its own, and read that. Add to it with `$inc` in the code that writes, in a transaction if it must always agree.',
    },
    {
      text: `If it may be some minutes old, compute it by a job instead, with \`$merge\` at the end of the pipeline: the ${formatCount(Math.round(examined))} documents are then read once per run of the job.`,
    },
    { text: 'Check that the pipeline is no longer among the costliest operations.' },
  ],
});

/** Only without a condition: one that asks for a customer has another result for each. */
function recomputed({ collections, workload }: JoinedCluster): Recomputed[] {
  return queriesOf({ collections, workload }).flatMap((query): Recomputed[] => {
    const { kind, pipeline = [], truncated } = query.operation.shape;
    if (kind !== 'aggregate' || truncated === true || query.joins || !isEmpty(query.conditions)) return [];
    if (query.limited || !pipeline.some(computes)) return [];
    const cost = queryCost([query], workload);
    const examined = cost?.documentsExamined ?? null;
    if (cost === null || examined === null) return [];
    return [{ query, cost, examined, writes: writesTo(query, workload) }];
  });
}

/** A count of all documents is another fault. */
function computes(stage: ObjectShape): boolean {
  const [name = ''] = Object.keys(stage);
  if (!GROUPING.has(name)) return false;
  const body = stage[name];
  if (name !== '$group' || !isObjectShape(body)) return true;
  const { _id, ...accumulators } = body;
  const isOfAll = typeof _id === 'string' && _id.startsWith('?');
  return !isOfAll || Object.values(accumulators).some((each) => !isObjectShape(each) || each['$sum'] !== '?number');
}

function writesTo({ operation, known: { collection } }: Query, workload: JoinedCluster['workload']): number | null {
  const { milliseconds = null, executions = 0 } = operation.figures.profiler ?? {};
  const coverage = sourceCoverage(workload, 'profiler', collection.database);
  if (executions === 0 || recordedCoverage(coverage, milliseconds, executions).operations !== 'all') return null;
  return workload.operations
    .filter(({ shape }) => WRITE_KINDS.has(shape.kind) && shape.namespace === collection.namespace)
    .reduce((sum, { figures }) => sum + (figures.profiler?.executions ?? 0), 0);
}

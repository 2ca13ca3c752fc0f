import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { obstacleOf } from '../src/judgement/advice/query-suggestions.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { everyCondition, isEmpty } from '../src/judgement/queries/conditions.js';
import { mainPartSeverity, mayBeMainPart } from '../src/judgement/queries/daily-cost.js';
import { isScanned, queryCost, type QueryCost, wholeRecord } from '../src/judgement/queries/query-cost.js';
import { isFrequent, isRepeated, KEYS_PER_DOCUMENT } from '../src/judgement/queries/query-size.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { RETIRED_OF_OPERATIONS } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { defineWorstQueryCheck } from '../src/judgement/queries/worst-query-check.js';
import { executionsIn } from '../src/workload/coverage/recording.js';
import { isObjectShape, type ObjectShape } from '../src/workload/shapes/shape.js';
import { WRITE_KINDS } from '../src/workload/workload.js';

const GROUPING = new Set(['$group', '$bucket', '$bucketAuto', '$sortByCount']);

interface Recomputed {
  readonly query: Query;
  readonly cost: QueryCost;
  /** Documents of the collection that an execution examines, or a third of the index keys if these are enough. */
  readonly examined: number;
  /** "1,200 documents", "12,000 index keys". */
  readonly read: string;
  /** Documents that an execution returns; null if unknown. */
  readonly returned: number | null;
  /** Whether it groups the whole collection so often, and documents change so seldom, that most results are the same. */
  readonly isSame: boolean;
  /** Recorded writes to the collection; null if not all operations were recorded. */
  readonly writes: number | null;
}

/** Documents grouped for each one returned, from which the group is for a summary. Judgement. */
const GROUPED_PER_RETURNED = 10;

/** Times the documents of an info, from which a group is a warning. */
const MANY = 10;

export const computedValue = defineWorstQueryCheck({
  id: 'computed-value',
  title: 'Value recomputed for each read',
  summary: 'a `$group` of thousands of documents for a few results, again and again',
  thresholds: {
    documents: {
      default: 1_000,
      unit: 'documents',
      description:
        'documents grouped per execution; ten times as many are a warning, and so are 500 that are a tenth of all that is examined',
      source: 'judgement: a millisecond of processor and more per execution, for what one document could hold',
    },
    executions: {
      default: 1_000,
      unit: 'executions',
      description: 'executions a day for a warning on a group of the whole collection; within an hour, executions',
      source: 'MongoDB, "Building with Patterns: The Computed Pattern"',
    },
    writes: {
      default: 0.1,
      unit: 'ratio',
      description: 'writes per execution, at most, for documents that hardly change',
      source: 'judgement: nine of ten executions then return what the one before did',
    },
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  byPlans: true,
  find: recomputed,
  path: () => null,
  rank: ({ examined, cost }) => examined * cost.executions,
  severity({ query, cost, examined, returned, isSame, writes }, { limits }) {
    if (examined < limits.documents && !mayBeMainPart(cost)) return null;
    if (isSame && examined >= limits.documents) return writes === null ? 'info' : 'warning';
    const isSummary = returned !== null && GROUPED_PER_RETURNED * returned <= examined;
    if (!isSummary || !isRepeated(query, cost)) return null;
    const isMuch = examined >= MANY * limits.documents || mainPartSeverity(cost, examined) === 'warning';
    return isMuch || (examined >= limits.documents && isFrequent(query, cost)) ? 'warning' : 'info';
  },
  severityIfSure: ({ cost }) => (mayBeMainPart(cost) ? 'warning' : null),
  confidence: ({ writes }) => (writes === null ? 'low' : 'medium'),
  message: ([{ query, cost, read, returned, writes, isSame }, ...others]) => {
    const more =
      others.length === 0 ? '' : ` ${plural(others.length, 'other pipeline is', 'other pipelines are')} like it.`;
    const executions = plural(cost.executions, 'execution');
    if (!isSame)
      return `${queryText(query)} reads ${read} to return ${formatCount(returned ?? 0)}, each time (${cost.window}).${more}`;
    return (
      `The same value is computed from ${read} in each of ${executions} (${cost.window}). ` +
      (writes === null
        ? 'How often the documents change is unknown, as not all operations were recorded.'
        : `Meanwhile, the collection was written to ${writes === 0 ? 'not once' : plural(writes, 'time')}.`) +
      more
    );
  },
  figures: (all) => ({
    ...(all.length > 1 && { queries: all.map(({ query }) => queryText(query)) }),
    documentsExamined: Math.round(all[0].cost.documentsExamined ?? 0),
    keysExamined: Math.round(all[0].cost.keysExamined ?? 0),
    writesRecorded: all[0].writes,
  }),
  saved: ({ examined }) => examined,
  remedy: ({ read }) =>
    stepsOf(
      'Keep the value in a document of its own, and read that. Add to it with `$inc` in the code that writes, in a transaction if it must always agree.',
      `If it may be some minutes old, compute it by a job instead, with \`$merge\` at the end of the pipeline: the ${read} are then read once per run of the job.`,
      'Check that the pipeline is no longer among the costliest operations.',
    ),
});

interface Context {
  readonly cluster: JoinedCluster;
  readonly limits: { readonly executions: number; readonly writes: number };
}

function recomputed({ cluster, limits }: Context): Recomputed[] {
  const { workload } = cluster;
  return queriesOf(cluster).flatMap((query): Recomputed[] => {
    const { kind, pipeline = [], truncated } = query.operation.shape;
    if (kind !== 'aggregate' || truncated === true || query.joins || !isOfWhatIsFound(query)) return [];
    const group = pipeline.findIndex(computes);
    if (group === -1 || pipeline.slice(0, group).some((stage) => '$limit' in stage)) return [];
    const cost = queryCost([query], workload);
    if (cost === null || cost.documentsExamined === null) return [];
    const [documents, keys] = [cost.documentsExamined, cost.keysExamined ?? 0];
    const isOfKeys = documents < keys / KEYS_PER_DOCUMENT;
    const examined = isOfKeys ? keys / KEYS_PER_DOCUMENT : documents;
    const read = isOfKeys ? plural(Math.round(keys), 'index key') : plural(Math.round(documents), 'document');
    const writes = writesTo(query, workload);
    const isOften = (cost.executionsPerDay ?? cost.executions) >= limits.executions;
    const isSteady = writes === null || writes / cost.executions <= limits.writes;
    const isSame = isEmpty(query.conditions) && !query.limited && isOften && isSteady;
    return [{ query, cost, examined, read, returned: cost.documentsReturned, isSame, writes }];
  });
}

/** Whether it groups all, or what an index finds: other checks report what is compared in vain. */
function isOfWhatIsFound(query: Query): boolean {
  if (isEmpty(query.conditions)) return true;
  const ignoresCase = everyCondition(query.conditions).some((condition) => condition.ignoresCase);
  return !isScanned(query) && !ignoresCase && obstacleOf(query) === null;
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

function writesTo(query: Query, workload: JoinedCluster['workload']): number | null {
  const record = wholeRecord(query, workload);
  if (record === null) return null;
  const { namespace } = query.known.collection;
  const writes = workload.operations.filter(
    ({ shape }) => WRITE_KINDS.has(shape.kind) && shape.namespace === namespace,
  );
  return executionsIn(record.source, writes);
}

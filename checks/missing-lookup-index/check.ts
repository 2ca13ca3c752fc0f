import {
  type ClusterVerdict,
  type Confidence,
  defineClusterCheck,
  type Problem,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { type JoinCost, joinCosts } from '../../src/judgement/joins/join-cost.js';
import { unusableIndexes } from '../../src/judgement/joins/join-indexes.js';
import { type JoinedCluster, judgedScan } from '../../src/judgement/joins/joined-cluster.js';
import {
  type UnindexableJoin,
  type UnindexedJoin,
  type UnjudgedJoin,
  type UnservedJoin,
  unservedJoins,
} from '../../src/judgement/joins/unserved-joins.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import {
  atJudgedSize,
  judgedAt,
  type JudgedSize,
  recordedHere,
  tooSmallToTell,
} from '../../src/judgement/judged-size.js';
import { ERROR, ERROR_PER_DAY, SCAN_SIZE } from '../../src/judgement/queries/query-thresholds.js';
import { shellCommand } from '../../src/judgement/shell-statement.js';
import { stepsOf } from '../../src/remedy.js';
import { evidenceOf, type JoinedField, messageOf, whatIsJoined } from './joined-field.js';
import { joinIndexRemedy, joinRewrite } from './remedy.js';
import { unrecordedJoins } from './unrecorded-joins.js';

const CHECK_AGAIN: RemedyStep = {
  text: 'Run mongolint again once the application uses the new join: it may then need an index.',
};

const thresholds = {
  documents: {
    ...SCAN_SIZE,
    description:
      'size of the foreign collection, in documents, from which a warning is given; below, it is too small to tell',
  },
  manyExamined: {
    default: 10_000,
    unit: 'documents',
    description: 'documents examined per execution from which a smaller foreign collection gets an info',
    source: 'judgement: some 10 ms of processor time per execution',
  },
  error: ERROR,
  errorPerDay: ERROR_PER_DAY,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const missingLookupIndex = defineClusterCheck({
  id: 'missing-lookup-index',
  title: 'Missing index on a joined field',
  summary: 'a `$lookup` or `$graphLookup` whose foreign field no usable index serves',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const all = unservedJoins(cluster);
    const costOf = joinCosts(all, cluster);
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...cutAggregates(cluster),
      ...joinedFields(all).flatMap((field) => verdictOn(field, costOf(field.joins), cluster, limits)),
      ...unjudged(all),
      ...(cluster.code === undefined
        ? []
        : unrecordedJoins(cluster.code, all, cluster, limits.documents, (joins) => whyAndRemedy(joins, cluster))),
    ];
  },
});

function joinedFields(joins: readonly UnservedJoin[]): JoinedField[] {
  const judged = joins.flatMap((join) => (join.kind === 'unjudged' ? [] : [join]));
  return [...groupedBy(judged, ({ namespace, path }) => JSON.stringify([namespace, path])).values()].map((all) => ({
    namespace: all[0]!.namespace,
    path: all[0]!.path,
    joins: all,
  }));
}

function verdictOn(field: JoinedField, cost: JoinCost, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  const { namespace, path, joins } = field;
  const storage = cluster.collections.get(namespace)?.storage;
  if (storage?.present === false) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  const scan = judgedScan(cluster, namespace);
  if (scan === null) return [];
  const size = cost.recordedHere === true ? recordedHere(scan) : scan;
  const severity = severityFor(cost, size, limits);
  if (severity === null) return [{ namespace, ...tooSmallToTell(size, whatIsJoined(joins, path)) }];
  const { why, ...remedy } = whyAndRemedy(joins, cluster);
  return [
    {
      namespace,
      path,
      severity,
      confidence: confidenceIn(joins, cost),
      message: messageOf(field, cost, size, why),
      restsOn: [cost.source],
      evidence: evidenceOf(namespace, joins, cost, size, cluster),
      ...judgedAt(size),
      operations: joins.flatMap(({ use }) => use.operation ?? []),
      ...remedy,
    },
  ];
}

/** Null if the collection is too small to tell. */
function severityFor(
  { documentsExamined, executionsPerDay, servedInProductionBy }: JoinCost,
  size: JudgedSize,
  limits: Limits,
): Severity | null {
  if (size.documents < limits.documents) return (documentsExamined ?? 0) >= limits.manyExamined ? 'info' : null;
  // Without the index, an execution reads the collection once at least.
  const examined = servedInProductionBy === undefined ? atJudgedSize(documentsExamined ?? 0, size) : size.documents;
  const perDay = examined * (executionsPerDay ?? 0);
  return examined >= limits.error || perDay >= limits.errorPerDay ? 'error' : 'warning';
}

/** If only a view's definition shows the join, nothing shows that the view is read. */
function confidenceIn(joins: JoinedField['joins'], { executions }: JoinCost): Confidence {
  const isCut = joins.every(({ use }) => use.operation?.shape.truncated === true);
  return executions === null || isCut ? 'medium' : 'high';
}

/** One entry per collection with joins whose foreign field could not be traced to a stored one. */
function unjudged(joins: readonly UnservedJoin[]): ClusterVerdict[] {
  const untraceable = joins.flatMap((join) => (join.kind === 'unjudged' ? [join] : []));
  return [...groupedBy(untraceable, ({ namespace }) => namespace)].map(([namespace, [first]]) => ({
    namespace,
    notJudged: first?.absent?.reason ?? 'insufficient',
    detail: first?.absent?.detail ?? `joins of ${namespace} compare with ${untraced(first)}.`,
  }));
}

function untraced(join: UnjudgedJoin | undefined): string {
  const isNamedByData = join?.use.join.keys.some(
    ({ index }) => index.possible === null && index.because === 'name-is-data',
  );
  return isNamedByData === true
    ? 'a field whose name looks like data, such as a person or a number, and is therefore not kept'
    : 'fields that could not be traced to stored ones';
}

/** Why no index serves the joins, and what to do: an index, a rewrite, or both. */
function whyAndRemedy(
  joins: JoinedField['joins'],
  cluster: JoinedCluster,
): Pick<Problem, 'remedy' | 'proposes'> & { why: string } {
  const [unindexed, ...furtherUnindexed] = joins.filter((join): join is UnindexedJoin => join.kind === 'unindexed');
  const unindexable = joins.find((join): join is UnindexableJoin => join.kind === 'unindexable');
  const rewriting = unindexable === undefined ? null : joinRewrite(unindexable, cluster);
  const rewritten = rewriting === null ? [] : [rewriting.step, CHECK_AGAIN];
  if (unindexed === undefined)
    return { why: `No index can serve this join: ${rewriting?.because}.`, remedy: { steps: rewritten } };
  const byIndex = joinIndexRemedy([unindexed, ...furtherUnindexed], cluster);
  const [near] = unusableIndexes(unindexed.use, unindexed.keys[0], cluster);
  const why =
    near === undefined
      ? 'No index there serves it.'
      : `The index ${near.index.name} does not serve it: ${near.because}.`;
  if (rewriting === null) return { why, ...byIndex };
  return {
    why: `${why} No index can serve some of the joins: ${rewriting.because}.`,
    remedy: {
      steps: stepsOf(...byIndex.remedy.steps.map(withoutCommand), 'Rewrite the other joins, as follows.', ...rewritten),
    },
  };
}

/** As code: an index alone does not make the finding go away if some of the joins have to be rewritten. */
function withoutCommand({ text, command, code }: RemedyStep): RemedyStep {
  const shown = command === undefined ? code : shellCommand(command.db, command.command);
  return { text, ...(shown !== undefined && { code: shown }) };
}

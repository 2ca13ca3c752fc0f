import {
  defineClusterCheck,
  type ClusterVerdict,
  type Confidence,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { joinCosts, type JoinCost } from '../../src/judgement/joins/join-cost.js';
import { judgedScan, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { unservedJoins, type UnjudgedJoin, type UnservedJoin } from '../../src/judgement/joins/unserved-joins.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import {
  atJudgedSize,
  judgedAt,
  recordedHere,
  tooSmallToTell,
  type JudgedSize,
} from '../../src/judgement/judged-size.js';
import { evidenceOf, messageOf, whatIsJoined, type JoinedField } from './joined-field.js';
import { whyAndRemedy } from './remedy.js';

const thresholds = {
  documents: {
    default: 1_000,
    unit: 'documents',
    description:
      'size of the foreign collection, in documents, from which a warning is given; below, it is too small to tell',
    source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
  },
  manyExamined: {
    default: 10_000,
    unit: 'documents',
    description: 'documents examined per execution from which a smaller foreign collection gets an info',
    source: 'judgement: some 10 ms of processor time per execution',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: at least a second of processor time per execution',
  },
  errorPerDay: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined a day, by all executions, from which an error is given',
    source: 'judgement: a join by an index examines a thousandth of them',
  },
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

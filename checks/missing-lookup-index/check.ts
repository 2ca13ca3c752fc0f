import {
  type ClusterVerdict,
  type Confidence,
  defineClusterCheck,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { distinctLines } from '../../src/code/source-line.js';
import { groupedBy } from '../../src/grouped-by.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { type JoinCost, joinCosts } from '../../src/judgement/joins/join-cost.js';
import { type JoinedCluster, judgedScan } from '../../src/judgement/joins/joined-cluster.js';
import { type UnjudgedJoin, type UnservedJoin, unservedJoins } from '../../src/judgement/joins/unserved-joins.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import {
  atJudgedSize,
  judgedAt,
  type JudgedSize,
  recordedHere,
  tooSmallToTell,
} from '../../src/judgement/judged-size.js';
import { ERROR, ERROR_PER_DAY, SCAN_SIZE, WARNING } from '../../src/judgement/queries/query-thresholds.js';
import { evidenceOf, type FoundJoin, type JoinedField, messageOf, whatJoins } from './joined-field.js';
import { whyAndRemedy } from './remedy.js';
import { sourceJoins } from './source-joins.js';

const thresholds = {
  documents: {
    ...SCAN_SIZE,
    description:
      'size of the foreign collection, in documents, from which a warning is given; below, it is too small to tell',
  },
  error: ERROR,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

/**
 * A join is a finding if none of its keys is served by an index of the foreign collection, as the planner's model and the engine
 * have it. All joins by one foreign field are one finding, recorded ones before those of views, and these before those that only
 * the source has. It is a warning from `documents` foreign documents on, whatever it costs today: without the index, an execution
 * reads the collection once at least. What the server counts makes it an error. A smaller collection is an info if much is
 * examined, and else too small to tell.
 */
export const missingLookupIndex = defineClusterCheck({
  id: 'missing-lookup-index',
  title: 'Missing index on a joined field',
  summary: 'a `$lookup` or `$graphLookup` whose foreign field no usable index serves',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  retiredThresholds: ['manyExamined', 'errorPerDay'],
  judge(cluster, limits) {
    const recorded = unservedJoins(cluster);
    const costOf = joinCosts(recorded, cluster);
    const known = new Set(recorded.map(fieldOf));
    const inSource = sourceJoins(cluster).filter(({ join }) => !known.has(fieldOf(join)));
    const fields = joinedFields([...recorded.flatMap(asFound), ...inSource]);
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...cutAggregates(cluster),
      ...fields.flatMap((field) => verdictOn(field, costOf(field.joins), cluster, limits)),
      ...unjudged(recorded),
    ];
  },
});

function asFound(join: UnservedJoin): FoundJoin[] {
  return join.kind === 'unjudged' ? [] : [{ join }];
}

function fieldOf({ namespace, ...join }: UnservedJoin): string {
  return JSON.stringify([namespace, 'path' in join ? join.path : null]);
}

function joinedFields(found: readonly FoundJoin[]): JoinedField[] {
  return [...groupedBy(found, ({ join }) => fieldOf(join)).values()].map((all) => ({
    namespace: all[0]!.join.namespace,
    path: all[0]!.join.path,
    joins: all.map(({ join }) => join),
    lines: distinctLines(all.flatMap(({ line }) => line ?? [])),
  }));
}

function verdictOn(field: JoinedField, cost: JoinCost, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  const { namespace, path, joins, lines } = field;
  const storage = cluster.collections.get(namespace)?.storage;
  if (storage?.present === false) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  const scan = judgedScan(cluster, namespace);
  if (scan === null) return [];
  const size = cost.recordedHere === true ? recordedHere(scan) : scan;
  const severity = severityFor(cost, size, limits);
  if (severity === null) return [{ namespace, ...tooSmallToTell(size, `${whatJoins(field, cost)}, without an index`) }];
  const { why, ...remedy } = whyAndRemedy(joins, cluster);
  return [
    {
      namespace,
      path,
      severity,
      confidence: confidenceIn(field, cost),
      message: messageOf(field, cost, size, why),
      restsOn: [cost.source],
      evidence: evidenceOf(field, cost, size, cluster),
      ...judgedAt(size),
      ...(lines.length > 0
        ? { locations: lines.map(({ file, line }) => ({ file, line, of: 'join', certain: true })) }
        : { operations: joins.flatMap(({ use }) => use.operation ?? []) }),
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
  if (size.documents < limits.documents) return (documentsExamined ?? 0) >= WARNING.default ? 'info' : null;
  // Without the index, an execution reads the collection once at least.
  const examined = servedInProductionBy === undefined ? atJudgedSize(documentsExamined ?? 0, size) : size.documents;
  const perDay = examined * (executionsPerDay ?? 0);
  return examined >= limits.error || perDay >= ERROR_PER_DAY ? 'error' : 'warning';
}

/** If only a view's definition or the source shows the join, nothing shows that it runs. */
function confidenceIn({ joins }: JoinedField, { executions }: JoinCost): Confidence {
  const isCut = joins.every(({ use }) => use.operation?.shape.truncated === true);
  return executions === null || isCut ? 'medium' : 'high';
}

/** One entry per collection. */
function unjudged(joins: readonly UnservedJoin[]): ClusterVerdict[] {
  const untraceable = joins.filter((join): join is UnjudgedJoin => join.kind === 'unjudged');
  return [...groupedBy(untraceable, ({ namespace }) => namespace)].map(([namespace, [first]]) => ({
    namespace,
    notJudged: first?.absent?.reason ?? 'insufficient',
    detail:
      first?.absent?.detail ??
      `joins of ${namespace} compare with fields that could not be traced to stored ones, or whose names look like data and are not kept.`,
  }));
}

import { type ClusterVerdict, defineClusterCheck, type Severity, type ThresholdValues } from '../../src/check.js';
import { distinctLines, lineText } from '../../src/code/source-line.js';
import { inWords, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { type JoinCost, joinCosts } from '../../src/judgement/joins/join-cost.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { type UnservedJoin, unservedJoins } from '../../src/judgement/joins/unserved-joins.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import {
  atJudgedSize,
  documentsHere,
  judgedAt,
  judgedAtText,
  type JudgedSize,
  tooSmallToTell,
} from '../../src/judgement/judged-size.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { ERROR, ERROR_PER_DAY, SCAN_SIZE, WARNING } from '../../src/judgement/queries/query-thresholds.js';
import { joinSource } from '../../src/workload/coverage/recording.js';
import { whyAndRemedy } from './remedy.js';
import { type FoundJoin, isFound, sourceJoins } from './source-joins.js';

/** Collections and lines that the message names; the finding has all. */
const NAMED = 3;

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
    const inSource = sourceJoins(cluster).filter((join) => !known.has(fieldOf(join)));
    const fields = groupedBy<string, FoundJoin>([...recorded.filter(isFound), ...inSource], fieldOf);
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...cutAggregates(cluster),
      ...[...fields.values()].flatMap((joins) => verdictOn(joins, costOf(joins), cluster, limits)),
      ...unjudged(recorded),
    ];
  },
});

function fieldOf({ namespace, ...join }: UnservedJoin): string {
  return JSON.stringify([namespace, 'path' in join ? join.path : null]);
}

function verdictOn(
  joins: readonly FoundJoin[],
  cost: JoinCost,
  cluster: JoinedCluster,
  limits: Limits,
): ClusterVerdict[] {
  const [{ namespace, path }] = joins as [FoundJoin];
  const known = cluster.collections.get(namespace);
  const { size, servedInProductionBy: served, documentsExamined, executionsPerDay, ...figures } = cost;
  const storage = known?.storage;
  if (storage?.present === false) return [{ namespace, notJudged: storage.reason, detail: storage.detail }];
  if (known === undefined || storage === undefined || size === null) return [];
  const sources = [...new Set(joins.map(({ use }) => joinSource(use)))];
  const lines = distinctLines(joins.flatMap(({ line }) => line ?? []));
  const seenIn = `${cost.executions === null ? 'in the definition of' : 'from'} ${namesOf(sources, 'collection')}`;
  const what = whatJoins(joins, lines.length > 0 ? `at ${namesOf(lines.map(lineText), 'place')}` : seenIn);
  const areCut = joins.every(({ use }) => use.operation?.shape.truncated === true);
  const severity = severityFor(cost, size, limits);
  if (severity === null) return [{ namespace, ...tooSmallToTell(size, `${what}, without an index`) }];
  const { why, ...remedy } = whyAndRemedy(joins, known, cluster);
  const examined = documentsExamined === null ? null : Math.round(documentsExamined);
  return [
    {
      namespace,
      path,
      severity,
      // If only a view's definition or the source shows the join, nothing shows that it runs.
      confidence: cost.executions === null || areCut ? 'medium' : 'high',
      message: [
        `${what}. ${why}`,
        ...onlyIf(served !== null, `Production has the index ${served} for it.`),
        scanText(size, examined, executionsPerDay),
        ...onlyIf(lines.length > 0, 'No recording has seen this operation, so how often it runs is unknown.'),
      ].join(' '),
      restsOn: [cost.source],
      evidence: {
        ...(size.unit === 'bucket' ? { foreignBuckets: size.present } : { foreignDocuments: storage.value.count }),
        ...documentsHere(size),
        foreignSize: storage.value.size,
        ...figures,
        executionsPerDay: executionsPerDay === null ? null : Math.round(executionsPerDay),
        documentsExamined: examined,
        joinedFrom: sources,
      },
      ...judgedAt(size),
      ...(lines.length > 0
        ? { locations: lines.map(({ file, line }) => ({ file, line, of: 'join', certain: true })) }
        : { operations: joins.flatMap(({ use }) => use.operation ?? []) }),
      ...remedy,
    },
  ];
}

function namesOf(names: readonly string[], noun: string): string {
  return names.length > NAMED ? plural(names.length, noun) : inWords(names);
}

/** "`$lookup` from shop.orders joins shop.payments by `order`". */
function whatJoins(joins: readonly FoundJoin[], where: string): string {
  const [{ namespace, path }] = joins as [FoundJoin];
  const stages = [...new Set(joins.map(({ use }) => `\`${use.join.stage}\``))].join(' and ');
  return `${stages} ${where} joins ${namespace}${path === null ? '' : ` by \`${path}\``}`;
}

function scanText(size: JudgedSize, examined: number | null, executionsPerDay: number | null): string {
  const average = examined === null ? '' : `: an execution examined ${plural(examined, size.unit)} on average`;
  // What was recorded in a build says nothing of a day.
  const judged = judgedAtText(size, size.from === 'production' ? executionsPerDay : null);
  return `Each execution reads all ${plural(size.recorded, size.unit)}, for each outer document or into a hash table${average}.${judged}`;
}

/** Null if the collection is too small to tell. */
function severityFor(
  { documentsExamined, executionsPerDay, servedInProductionBy }: JoinCost,
  size: JudgedSize,
  limits: Limits,
): Severity | null {
  if (size.documents < limits.documents) return (documentsExamined ?? 0) >= WARNING.default ? 'info' : null;
  // Without the index, an execution reads the collection once at least.
  const examined = servedInProductionBy === null ? atJudgedSize(documentsExamined ?? 0, size) : size.documents;
  const perDay = examined * (executionsPerDay ?? 0);
  return examined >= limits.error || perDay >= ERROR_PER_DAY ? 'error' : 'warning';
}

/** One entry per collection. */
function unjudged(joins: readonly UnservedJoin[]): ClusterVerdict[] {
  const unknown = joins.flatMap((join) => (join.kind === 'unjudged' ? [[join.namespace, join.absent] as const] : []));
  return [...new Map(unknown)].map(([namespace, { reason, detail }]) => ({ namespace, notJudged: reason, detail }));
}

import {
  cutAggregates,
  filtersAfterJoining,
  formatBytes,
  formatCount,
  formatShare,
  joinShapes,
  lookupLoads,
  lowered,
  plural,
  readsPerWrite,
  reliefSteps,
  severityOf,
  SOURCE_NAMES,
  windowText,
  workloadGaps,
  type JoinedCluster,
  type JoinShape,
  type LookupLoad,
} from '../src/helpers.js';
import {
  defineClusterCheck,
  type ClusterVerdict,
  type FindingEvidence,
  type Severity,
  type ThresholdValues,
  type Workload,
} from '../src/check.js';

/** Joined collections that the message names; the evidence has all. */
const NAMED = 3;
/** Joins are occasional up to this share of everything that the server runs, whatever their share of the slow operations. */
const OCCASIONAL_SHARE = 0.05;
/** Reasons for missing counters that nobody can do anything about. */
const AS_IT_COMES = new Set(['unsupported', 'insufficient']);

const thresholds = {
  executions: {
    default: 20,
    unit: 'executions',
    description: 'number of executions with joins below which a collection is not judged',
    source: 'judgement: fewer do not show a pattern',
  },
  info: {
    default: 0.2,
    unit: 'share',
    description: 'share of joins in the operations on a collection, or in their time, from which an info is given',
    source: 'judgement: one in five',
  },
  warning: {
    default: 0.5,
    unit: 'share',
    description: 'share of joins in the operations on a collection, or in their time, from which a warning is given',
    source:
      'judgement: data that is read together most of the time belongs together (MongoDB, "A Summary of Schema Design Anti-Patterns": separating data that is accessed together)',
  },
  joins: {
    default: 3,
    unit: 'joins',
    description: 'number of joins in one pipeline from which an info becomes a warning',
    source: 'judgement: one screen needs data from four collections',
  },
  fanOut: {
    default: 100,
    unit: 'documents',
    description: 'average number of documents joined to one document from which an info becomes a warning',
    source: 'judgement: more than a page of them',
  },
  joinedBytes: {
    default: 50 * 1024 * 1024,
    unit: 'bytes',
    description: 'average bytes joined to one document from which an error is given',
    source: 'half of the 100 MB at which `$lookup` fails with code 4568 (measured on 6.0.5)',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

/** What makes the joins of a collection worse than their share. */
interface Traits {
  readonly shapes: readonly JoinShape[];
  /** Joins in one pipeline, at most. */
  readonly joins: number;
  readonly fanOut: number | null;
  readonly joinedBytes: number | null;
  readonly filtersAfter: boolean;
}

export const heavyLookup = defineClusterCheck({
  id: 'heavy-lookup',
  title: 'Workload dominated by $lookup',
  summary: 'a collection where joins are a large share of the operations, or of their time',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(subject, limits) {
    const { workload } = subject;
    return [
      ...workloadGaps(workload),
      ...cutAggregates(subject),
      ...counterGaps(workload),
      ...lookupLoads(subject).flatMap((load) => verdictOn(load, subject, limits)),
    ];
  },
});

function counterGaps({ counters }: Workload): ClusterVerdict[] {
  if (counters.present || AS_IT_COMES.has(counters.reason)) return [];
  return [{ notJudged: counters.reason, detail: counters.detail }];
}

function verdictOn(load: LookupLoad, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  if (load.joinExecutions < limits.executions) return [];
  const traits = traitsOf(load, cluster);
  const severity = severityFor(load, traits, cluster.workload, limits);
  if (severity === null) return [];
  return [
    {
      namespace: load.namespace,
      path: null,
      severity,
      confidence: load.coverage.operations === 'all' ? 'high' : 'medium',
      message: [sharesText(load), ...traitTexts(traits, limits)].join(' '),
      evidence: evidenceOf(load, traits, cluster),
      remedy: { steps: reliefSteps(traits, load, cluster) },
    },
  ];
}

function traitsOf(load: LookupLoad, cluster: JoinedCluster): Traits {
  const shapes = load.joining.flatMap(({ joins }) => joinShapes(joins, cluster));
  return {
    shapes,
    joins: Math.max(...load.joining.map(({ joins }) => joins.length)),
    fanOut: largest(shapes.map(({ fanOut }) => fanOut)),
    joinedBytes: largest(shapes.map(({ bytesPerDocument }) => bytesPerDocument)),
    filtersAfter: filtersAfterJoining(load.joining[0], cluster),
  };
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function severityFor(load: LookupLoad, traits: Traits, workload: Workload, limits: Limits): Severity | null {
  if ((traits.joinedBytes ?? 0) >= limits.joinedBytes) return 'error';
  const share = Math.max(load.shareOfOperations, load.shareOfTime ?? 0);
  const byShare = severityOf(share, { info: limits.info, warning: limits.warning, error: Infinity });
  const isWorse = traits.joins >= limits.joins || (traits.fanOut ?? 0) >= limits.fanOut || traits.filtersAfter;
  const severity = byShare === 'info' && isWorse ? 'warning' : byShare;
  return isOccasional(load, workload) ? lowered(severity) : severity;
}

/** If only some operations were recorded, the server's counters show whether joins are rare among all of them. */
function isOccasional({ coverage }: LookupLoad, { counters }: Workload): boolean {
  if (coverage.operations === 'all' || !counters.present) return false;
  const { stages, operations } = counters.value;
  const joins = (stages['$lookup'] ?? 0) + (stages['$graphLookup'] ?? 0);
  const reads = joins + (operations['query'] ?? 0);
  return reads > 0 && joins / reads < OCCASIONAL_SHARE;
}

function sharesText({
  namespace,
  coverage,
  executions,
  joinExecutions,
  shareOfOperations,
  shareOfTime,
  joining,
}: LookupLoad): string {
  const slow = { all: '', slow: 'slow ', part: 'recorded ', none: 'recorded ', unknown: 'recorded ' }[
    coverage.operations
  ];
  const time = shareOfTime === null ? '' : ` and ${formatShare(shareOfTime)} of their time`;
  const foreign = [...new Set(joining.flatMap(({ joins }) => joins.map((join) => join.foreign.namespace)))];
  const names = foreign.length > NAMED ? `${formatCount(foreign.length)} collections` : foreign.join(' and ');
  return (
    `Joins are ${formatShare(shareOfOperations)} of the ${slow}operations on ${namespace}${time}: ` +
    `${formatCount(joinExecutions)} of ${plural(executions, 'execution')} join ${names}.`
  );
}

function traitTexts({ joins, fanOut, joinedBytes, filtersAfter }: Traits, limits: Limits): string[] {
  return [
    ...(joins >= limits.joins ? [`One pipeline makes ${formatCount(joins)} joins.`] : []),
    ...((fanOut ?? 0) >= limits.fanOut
      ? [`Each document is joined with ${plural(Math.round(fanOut ?? 0), 'document')} on average.`]
      : []),
    ...((joinedBytes ?? 0) >= limits.joinedBytes
      ? [`These weigh ${formatBytes(joinedBytes ?? 0)} on average; a join fails at 100 MB.`]
      : []),
    ...(filtersAfter ? ['A `$match` after the join discards most of the joined documents.'] : []),
  ];
}

function evidenceOf(load: LookupLoad, traits: Traits, cluster: JoinedCluster): FindingEvidence {
  const foreign = [...new Set(traits.shapes.map((shape) => shape.foreign))];
  const ratios = foreign.map((each) => [each, readsPerWrite(load, each, cluster)] as const);
  const known = ratios.filter(([, ratio]) => ratio !== null && ratio !== Infinity);
  const figures = {
    executions: load.executions,
    joinExecutions: load.joinExecutions,
    shareOfOperations: load.shareOfOperations,
    shareOfTime: load.shareOfTime,
    averageMs: load.averageMs,
    joinsPerPipeline: traits.joins,
    documentsJoined: traits.fanOut,
    joinedBytes: traits.joinedBytes === null ? null : Math.round(traits.joinedBytes),
    joined: foreign,
    ...(known.length > 0 && { joinsPerWrite: Object.fromEntries(known) }),
  };
  return { source: SOURCE_NAMES[load.source], window: windowText(load.executions, load.coverage), ...figures };
}

import { defineClusterCheck, type ClusterVerdict, type FindingEvidence, type Severity } from '../../src/check.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { judgedScan, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { RECURRING, SCAN_SIZE } from '../../src/judgement/queries/query-thresholds.js';
import { severityOf } from '../../src/judgement/severity-lines.js';
import { SOURCE_NAMES, windowText } from '../../src/workload/coverage/source-window.js';
import { reliefSteps, unindexedPlaces } from './join-relief.js';
import { lookupLoads, readsPerWrite, type LookupLoad } from './lookup-load.js';
import {
  lookupSharesText,
  MANY_JOINS,
  NEAR_FAILURE,
  thresholds,
  traitsOf,
  traitTexts,
  WIDE,
  type Limits,
  type Traits,
} from './traits.js';

/** Documents examined by an execution below which joins are reported from half of the operations on: an index finds them. Judgement. */
const LIGHT = 10;

/**
 * A collection is a finding by the share of joins in its operations, or, if an execution examines much, in what it or the whole
 * workload examines. An info becomes a warning by many joins, a wide one, or a late filter. An index that is missing comes first.
 */
export const heavyLookup = defineClusterCheck({
  id: 'heavy-lookup',
  title: 'Workload dominated by $lookup',
  summary: 'a collection where joins are a large share of the operations, or of the documents that these examine',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  retiredThresholds: ['recurring', 'documents', 'examined', 'read', 'light', 'joins', 'fanOut', 'joinedBytes'],
  judge(subject, limits) {
    const { workload } = subject;
    return [
      ...workloadGaps(workload),
      ...cutAggregates(subject),
      ...lookupLoads(subject).flatMap((load) => verdictOn(load, subject, limits)),
    ];
  },
});

function verdictOn(load: LookupLoad, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  const traits = traitsOf(load, cluster);
  const isUnindexed = unindexedPlaces(load, cluster).length > 0;
  const isMuch = traits.documentsPerExecution >= SCAN_SIZE.default && !isUnindexed;
  if (load.joinExecutions < (isMuch ? RECURRING : limits.executions)) return [];
  const severity = severityFor(load, traits, limits, isUnindexed);
  if (severity === null) return [];
  const known = cluster.collections.get(load.namespace);
  const size = judgedScan(cluster, load.namespace);
  if (severity !== 'error') {
    if (size !== null && size.documents < SCAN_SIZE.default && !isMuch)
      return [{ namespace: load.namespace, ...tooSmallToTell(size, lookupSharesText(load).slice(0, -1)) }];
    const executions = known?.collection.expected?.executionsPerDay ?? load.joinExecutions;
    if (executions * traits.documentsPerExecution < SCAN_SIZE.default) return [];
  }
  return [
    {
      namespace: load.namespace,
      path: null,
      severity,
      confidence: load.coverage.operations === 'all' ? 'high' : 'medium',
      message: [lookupSharesText(load), ...traitTexts(traits)].join(' ') + (size === null ? '' : judgedAtText(size)),
      restsOn: [SOURCE_NAMES[load.source]],
      evidence: evidenceOf(load, traits, cluster),
      ...(size !== null && judgedAt(size)),
      operations: load.joining.map(({ operation }) => operation),
      remedy: { steps: reliefSteps(traits, load, cluster) },
    },
  ];
}

/** @param isUnindexed whether an index would leave little of what is examined: it comes first, by another check */
function severityFor(load: LookupLoad, traits: Traits, limits: Limits, isUnindexed: boolean): Severity | null {
  if ((traits.joinedBytes ?? 0) >= NEAR_FAILURE) return 'error';
  const isMuch = traits.documentsPerExecution >= SCAN_SIZE.default;
  const ofWorkload = isUnindexed ? 0 : (load.shareOfWorkload ?? 0);
  const ofCost = isMuch ? Math.max(load.shareOfDocuments ?? 0, ofWorkload) : 0;
  const share = Math.max(load.shareOfOperations, ofCost);
  const byShare = severityOf(share, { info: limits.info, warning: limits.warning, error: Infinity });
  const isWorse = traits.joins >= MANY_JOINS || (traits.fanOut ?? 0) >= WIDE || traits.filtersAfter;
  if (byShare === 'info' && !isWorse) return traits.documentsPerExecution >= LIGHT ? 'info' : null;
  // Among slow operations alone, joins have a share of nothing that is known.
  const isKnown = load.coverage.operations === 'all' || isMuch;
  return byShare === null || isKnown ? byShare && 'warning' : 'info';
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
    documentsPerExecution: Math.round(traits.documentsPerExecution),
    shareOfDocuments: load.shareOfDocuments,
    shareOfWorkload: load.shareOfWorkload,
    averageMs: load.averageMs,
    joinsPerPipeline: traits.joins,
    documentsJoined: traits.fanOut,
    joinedBytes: traits.joinedBytes === null ? null : Math.round(traits.joinedBytes),
    joined: foreign,
    ...(known.length > 0 && { joinsPerWrite: Object.fromEntries(known) }),
  };
  return { source: SOURCE_NAMES[load.source], window: windowText(load.executions, load.coverage), ...figures };
}

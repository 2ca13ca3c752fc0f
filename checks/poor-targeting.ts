import {
  defineClusterCheck,
  type ClusterVerdict,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';
import {
  averageText,
  everyCondition,
  explainSteps,
  isEmpty,
  isScanned,
  lowered,
  plural,
  queryFigures,
  queryGroups,
  severityOf,
  withSimilar,
  type Query,
  type QueryCost,
  type QueryGroup,
} from '../src/helpers.js';

const thresholds = {
  info: {
    default: 100,
    unit: 'ratio',
    description: 'documents examined for each one returned or written, from which an info is given',
    source: 'judgement: a tenth of the warning',
  },
  warning: {
    default: 1_000,
    unit: 'ratio',
    description: 'documents examined for each one returned or written, from which a warning is given',
    source: 'MongoDB Atlas, alert "Query Targeting: Scanned Objects / Returned": above 1,000',
  },
  documents: {
    default: 1_000,
    unit: 'documents',
    description: 'documents examined per execution below which nothing is reported',
    source: 'judgement: one to two milliseconds of processor per execution',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which a warning becomes an error',
    source: 'judgement: a second of processor per execution and more',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly report may take a second',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const poorTargeting = defineClusterCheck({
  id: 'poor-targeting',
  title: 'Poor query targeting',
  summary: 'queries that use an index and examine far more documents than they return',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const { groups, notJudged } = queryGroups(cluster, (query, cost) => isMeant(query, cost, limits));
    return [...notJudged, ...groups.flatMap((group) => verdictOn(group, limits))];
  },
});

function isMeant(
  query: Query,
  { documentsExamined, documentsReturned, inMemorySorts }: QueryCost,
  limits: Limits,
): boolean {
  const { conditions, tellsMatches, joins, limited } = query;
  if (isScanned(query) || isEmpty(conditions) || !tellsMatches || joins) return false;
  if (documentsExamined === null || documentsReturned === null) return false;
  // A cheap query that runs often would hide an expensive one in the average of those that one index serves.
  if (documentsExamined < limits.documents || documentsExamined < limits.info * Math.max(1, documentsReturned))
    return false;
  // A sort in memory examines all that match: in-memory-sort reports it.
  if (limited && inMemorySorts > 0) return false;
  return !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

function verdictOn(group: QueryGroup, limits: Limits): ClusterVerdict[] {
  const { namespace, path, queries, cost, remedy, proposes, isCut } = group;
  const [examined, returned] = [cost.documentsExamined ?? 0, cost.documentsReturned ?? 0];
  const ratio = examined / Math.max(1, returned);
  const severity = severityFor(ratio, examined, group, limits);
  if (severity === null) return [];
  // An update that changes nothing is recorded as one that wrote nothing.
  const isWrite = queries.some(({ operation }) => operation.shape.kind === 'update');
  return [
    {
      namespace,
      path,
      severity,
      confidence: isWrite || isCut ? 'medium' : 'high',
      message: messageOf(group, examined, returned),
      evidence: queryFigures(group, { examinedPerReturned: Math.round(ratio) }),
      proposes,
      remedy: remedy ?? { steps: withoutIndex(isCut) },
    },
  ];
}

function severityFor(ratio: number, examined: number, { cost, remedy }: QueryGroup, limits: Limits): Severity | null {
  if (examined < limits.documents) return null;
  const byRatio = severityOf(ratio, { info: limits.info, warning: limits.warning, error: Infinity });
  const severity = byRatio === 'warning' && examined >= limits.error ? 'error' : byRatio;
  const isRare = cost.executionsPerDay !== null && cost.executionsPerDay < limits.perDay;
  return severity !== null && (isRare || remedy === null) ? (lowered(severity) ?? 'info') : severity;
}

function messageOf(group: QueryGroup, examined: number, returned: number): string {
  return (
    `The index used for ${withSimilar(group)} finds too much. An execution examines ${plural(Math.round(examined), 'document')}` +
    `${averageText(group, returned)} on average (${group.cost.window}).`
  );
}

function withoutIndex(isCut: boolean): RemedyStep[] {
  if (isCut) return explainSteps();
  return [
    {
      text: 'No index finds fewer documents by these conditions. Add an equality or a range that narrows them down, or store what is asked for in a field of its own, and index that.',
    },
  ];
}

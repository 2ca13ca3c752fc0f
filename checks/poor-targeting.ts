import { defineClusterCheck, type ClusterVerdict, type Severity, type ThresholdValues } from '../src/check.js';
import {
  everyCondition,
  formatCount,
  isEmpty,
  isScanned,
  lowered,
  plural,
  queryFigures,
  queryGroups,
  queryText,
  severityOf,
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
    description: 'documents examined per execution below which it costs nothing worth a finding',
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
    description: 'executions per day below which the severity is one step less',
    source: 'judgement: a nightly report may take a second',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const poorTargeting = defineClusterCheck({
  id: 'poor-targeting',
  title: 'Poor query targeting',
  summary: 'queries that use an index and examine far more documents than they want',
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
  // A cheap one that runs often would hide, in the average of those that one index serves, one that is not.
  if (documentsExamined < limits.documents || documentsExamined < limits.info * Math.max(1, documentsReturned))
    return false;
  // All that match have to be examined where they are sorted in memory: the case of in-memory-sort.
  if (limited && inMemorySorts > 0) return false;
  return !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

function verdictOn(group: QueryGroup, limits: Limits): ClusterVerdict[] {
  const { namespace, path, queries, cost, remedy, proposes, isCut } = group;
  const [examined, wanted] = [cost.documentsExamined ?? 0, cost.documentsReturned ?? 0];
  const ratio = examined / Math.max(1, wanted);
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
      message: messageOf(group, examined, wanted),
      evidence: queryFigures(group, { examinedPerReturned: Math.round(ratio) }),
      proposes,
      remedy: remedy ?? { steps: [{ text: withoutIndex(isCut) }] },
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

function messageOf({ queries, cost }: QueryGroup, examined: number, wanted: number): string {
  const [query, ...others] = queries;
  const further = others.length === 0 ? '' : ` and ${plural(others.length, 'similar query', 'similar queries')}`;
  const time = cost.averageMs === null ? '' : `, in ${formatCount(Math.round(cost.averageMs))} ms`;
  return (
    `The index used for ${queryText(query)}${further} finds too much: an execution examines ${plural(Math.round(examined), 'document')} for ` +
    `${formatCount(Math.round(wanted))} that were wanted${time} on average (${cost.window}).`
  );
}

function withoutIndex(isCut: boolean): string {
  if (isCut)
    return 'The command was too long to be recorded in full; run explain() on it, and index the fields that it sets equal, then those it sorts by, then ranges.';
  return 'No index finds fewer documents by these conditions. Add an equality or a range that narrows them down, or store what is asked for in a field of its own, and index that.';
}

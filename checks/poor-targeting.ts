import {
  defineClusterCheck,
  type ClusterVerdict,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';
import {
  atJudgedSize,
  averageText,
  byIndex,
  everyCondition,
  explainSteps,
  isBelow,
  isEmpty,
  isRecurringSearch,
  isScanned,
  judgedAt,
  judgedAtText,
  lowered,
  obstacleOf,
  plural,
  queriesOf,
  queryFigures,
  queryGroups,
  RECURRING,
  severityOf,
  sizeFor,
  tooSmallGroups,
  withSimilar,
  type Query,
  type QueryCost,
  type QueryGroup,
} from '../src/helpers.js';

/** Documents examined for each one returned, from which a small collection may hide that a query finds too much. */
const RATIO_OF_FEW = 10;
/** Share of the collection from which what is examined grows with the collection, and not with one of its values. */
const SHARE_OF_ALL = 0.1;
/** Documents returned up to which a query looks for one, and will in a larger collection too. */
const ONE = 2;

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
    description:
      'documents examined per execution from which it is reported; a smaller collection is too small to tell',
    source: 'judgement: one to two milliseconds of processor per execution',
  },
  recurring: RECURRING,
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which a warning becomes an error',
    source: 'judgement: a second of processor per execution and more',
  },
  errorPerDay: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined a day, by all executions, from which a warning becomes an error',
    source: 'judgement: a narrower index examines a thousandth of them',
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
    const queries = queriesOf(cluster).filter(isTelling);
    const { groups, notJudged } = queryGroups(
      cluster,
      (query, cost) => isMeant(query, cost, limits.info) && examinedBy(query, cost) >= limits.documents,
      byIndex,
      queries,
    );
    const small = queryGroups(
      cluster,
      (query, cost) => isMeant(query, cost, RATIO_OF_FEW) && examinedBy(query, cost) < limits.documents,
      byIndex,
      queries.filter((query) => isBelow(query, limits.documents)),
    );
    return [...notJudged, ...groups.flatMap((group) => verdictOn(group, limits)), ...tooSmallGroups(small.groups)];
  },
});

function isTelling(query: Query): boolean {
  const { conditions, tellsMatches, tellsWhetherAny, joins } = query;
  if (isScanned(query) || isEmpty(conditions) || !(tellsMatches || tellsWhetherAny) || joins) return false;
  // unselective-filter reports these.
  if (obstacleOf(query) !== null) return false;
  return !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

/** Of each query: a cheap one that runs often would hide an expensive one in the average of those that one index serves. */
function isMeant(query: Query, cost: QueryCost, leastRatio: number): boolean {
  if (cost.documentsExamined === null || cost.documentsReturned === null) return false;
  // A group returns fewer than match, but something if any do.
  if (!query.tellsMatches && cost.documentsReturned > 0) return false;
  // A sort in memory examines all that match: in-memory-sort reports it.
  if (query.limited && (cost.inMemorySorts ?? 0) > 0) return false;
  return ratioOf(query, cost) >= leastRatio;
}

/** Per execution, at the judged size. */
function examinedBy(query: Query, { documentsExamined }: QueryCost): number {
  const size = sizeFor(query);
  return size === null ? (documentsExamined ?? 0) : atJudgedSize(documentsExamined ?? 0, size);
}

/** Documents examined for each one returned. At the judged size, only a search for one still returns as few. */
function ratioOf(query: Query, cost: QueryCost): number {
  const [examined, returned] = [cost.documentsExamined ?? 0, cost.documentsReturned ?? 0];
  return (returned <= ONE ? examinedBy(query, cost) : examined) / Math.max(1, returned);
}

function verdictOn(group: QueryGroup, limits: Limits): ClusterVerdict[] {
  const { namespace, path, pathIs, queries, cost, remedy, proposes, isCut } = group;
  const [examined, returned] = [cost.documentsExamined ?? 0, cost.documentsReturned ?? 0];
  const size = sizeFor(queries[0]);
  const severity = severityFor(group, limits);
  if (severity === null) return [];
  // An update that changes nothing is recorded as one that wrote nothing.
  const isWrite = queries.some(({ operation }) => operation.shape.kind === 'update');
  return [
    {
      namespace,
      path,
      ...(pathIs !== undefined && { pathIs }),
      severity,
      confidence: isWrite || isCut ? 'medium' : 'high',
      message: messageOf(group, examined, returned) + (size === null ? '' : judgedAtText(size)),
      evidence: queryFigures(group, { examinedPerReturned: Math.round(examined / Math.max(1, returned)) }),
      ...(size !== null && judgedAt(size)),
      proposes,
      operations: group.operations,
      remedy: remedy ?? { steps: withoutIndex(isCut) },
    },
  ];
}

function severityFor({ queries: [query], cost, remedy }: QueryGroup, limits: Limits): Severity | null {
  const [examined, ratio] = [examinedBy(query, cost), ratioOf(query, cost)];
  if (examined < limits.documents) return null;
  const byRatio = severityOf(ratio, { info: limits.info, warning: limits.warning, error: Infinity });
  const isOfDesign = isShareOfAll(query, cost) && isRecurringSearch(query, cost, examined, limits.recurring);
  const isMuch = examined >= limits.error || examined * (cost.executionsPerDay ?? 0) >= limits.errorPerDay;
  const level = byRatio === 'info' && isOfDesign ? 'warning' : byRatio;
  const severity = level === 'warning' && isMuch ? 'error' : level;
  const isRare = cost.executionsPerDay !== null && cost.executionsPerDay < limits.perDay;
  return severity !== null && (isRare || remedy === null) ? (lowered(severity) ?? 'info') : severity;
}

function isShareOfAll(query: Query, { documentsExamined }: QueryCost): boolean {
  const size = sizeFor(query);
  return size !== null && (documentsExamined ?? 0) >= SHARE_OF_ALL * size.recorded;
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

import {
  averageText,
  canBeFound,
  documentsOf,
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
  type JoinedCluster,
  type Query,
  type QueryCost,
  type QueryGroup,
} from '../src/helpers.js';
import {
  defineClusterCheck,
  type ClusterVerdict,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';

const thresholds = {
  documents: {
    default: 1_000,
    unit: 'documents',
    description: 'documents examined per execution from which an info is given',
    source: 'judgement: about a millisecond per scan (0.5 to 1 µs a document in memory, measured on 6.0.5)',
  },
  warning: {
    default: 10_000,
    unit: 'documents',
    description: 'documents examined per execution from which a warning is given',
    source: 'judgement: some 10 ms of processor per execution',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: a second of processor per execution and more',
  },
  shareOfTime: {
    default: 0.1,
    unit: 'share',
    description: 'share of the time of all operations from which even a cheap scan is a warning',
    source: 'judgement: a tenth of what the server does',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly report may take a second',
  },
  shareWanted: {
    default: 0.2,
    unit: 'share',
    description:
      'share of the examined documents that are returned or written, from which the scan counts as deliberate',
    source: 'judgement: a query that returns so many of them gains little from an index, which is read in addition',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const collectionScan = defineClusterCheck({
  id: 'collection-scan',
  title: 'Collection scan',
  summary: 'queries for some documents that read the whole collection',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const { groups, notJudged } = queryGroups(cluster, (query, cost) => isMeant(query, cost, limits));
    return [...notJudged, ...unsized(groups, cluster), ...groups.flatMap((group) => verdictOn(group, cluster, limits))];
  },
});

function isMeant(
  query: Query,
  { documentsExamined, documentsReturned }: QueryCost,
  { shareWanted, documents }: Limits,
): boolean {
  const { conditions } = query;
  if (!isScanned(query) || isEmpty(conditions)) return false;
  // A cheap query that runs often would hide an expensive one in the average of those that one index serves.
  if (documentsExamined !== null && documentsExamined < documents) return false;
  // case-insensitive-regex reports these.
  if (!canBeFound(conditions) && everyCondition(conditions).some(({ ignoresCase }) => ignoresCase)) return false;
  const isKnown = query.tellsMatches && !query.joins && documentsExamined !== null && documentsReturned !== null;
  return !isKnown || documentsReturned < shareWanted * documentsExamined;
}

/** One entry per collection if neither a source nor the metadata says how many documents a scan reads. */
function unsized(groups: readonly QueryGroup[], { collections }: JoinedCluster): ClusterVerdict[] {
  const namespaces = new Set(
    groups.filter(({ cost }) => cost.documentsExamined === null).map(({ namespace }) => namespace),
  );
  return [...namespaces].flatMap((namespace) => {
    const storage = collections.get(namespace)?.storage;
    return storage?.present === false ? [{ namespace, notJudged: storage.reason, detail: storage.detail }] : [];
  });
}

function verdictOn(group: QueryGroup, cluster: JoinedCluster, limits: Limits): ClusterVerdict[] {
  const { namespace, path, queries, remedy, proposes, isCut } = group;
  const documents = documentsOf(cluster, namespace);
  const examined = examinedIn(group, documents);
  const severity = examined === null ? null : severityFor(examined, group, limits);
  if (examined === null || severity === null) return [];
  const knowsMatches = queries.every(({ tellsMatches, joins }) => tellsMatches && !joins);
  return [
    {
      namespace,
      path,
      severity,
      confidence: knowsMatches && !isCut ? 'high' : 'medium',
      message: messageOf(group, examined, knowsMatches),
      evidence: queryFigures(group, { documentsExamined: Math.round(examined), collectionDocuments: documents }),
      proposes,
      remedy: remedy ?? { steps: withoutIndex(group) },
    },
  ];
}

/** A join adds documents of other collections to the figure, but a scan examines each document once. */
function examinedIn({ queries, cost }: QueryGroup, documents: number | null): number | null {
  if (cost.documentsExamined === null) return queries.some(({ limited }) => limited) ? null : documents;
  return queries.some(({ joins }) => joins) && documents !== null
    ? Math.min(documents, cost.documentsExamined)
    : cost.documentsExamined;
}

function severityFor(examined: number, { cost, remedy }: QueryGroup, limits: Limits): Severity | null {
  const bySize = severityOf(examined, { info: limits.documents, warning: limits.warning, error: limits.error });
  const severity = bySize === 'info' && (cost.shareOfTime ?? 0) >= limits.shareOfTime ? 'warning' : bySize;
  const isRare = cost.executionsPerDay !== null && cost.executionsPerDay < limits.perDay;
  // If no index helps, the query has to be changed, which may not be worth it.
  return severity !== null && (isRare || remedy === null) ? (lowered(severity) ?? 'info') : severity;
}

function messageOf(group: QueryGroup, examined: number, knowsMatches: boolean): string {
  const returned = knowsMatches ? group.cost.documentsReturned : null;
  return (
    `No index serves ${withSimilar(group)}. An execution reads ${plural(Math.round(examined), 'document')}` +
    `${averageText(group, returned)} on average (${group.cost.window}).`
  );
}

function withoutIndex({ isCut, queries: [query] }: QueryGroup): RemedyStep[] {
  if (isCut) return explainSteps();
  // The queries could be served; it is only that the field has no name here.
  if (
    canBeFound(query.conditions) &&
    everyCondition(query.conditions).some(({ path }) => path.split('.').includes('*'))
  ) {
    return [
      {
        text: 'The name of the field looks like data (`*` in the message) and is not kept, so no index can be proposed. If it is one of a few such names, index that field.',
      },
      {
        text:
          'If there are many such names, store them as { k: <name>, v: <value> } in an array with an index on both (attribute pattern). ' +
          'Or let a wildcard index serve them.',
      },
    ];
  }
  const operators = [...new Set(everyCondition(query.conditions).map(({ operator }) => operator))].join(', ');
  return [
    {
      text:
        `No index finds documents by ${operators} as used here. Add a condition that an index can serve: an equality or a range. ` +
        'Or store what is asked for in a field of its own, and index that.',
    },
  ];
}

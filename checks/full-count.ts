import {
  defineClusterCheck,
  type ClusterVerdict,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../src/check.js';
import { plural } from '../src/format.js';
import { judgedAt, judgedAtText, tooSmallToTell } from '../src/judgement/judged-size.js';
import { isFullCount } from '../src/judgement/queries/full-count.js';
import { averageText } from '../src/judgement/queries/judged-query.js';
import { examinedAtJudgedSize, isBelow, sizeFor } from '../src/judgement/queries/judged-query.js';
import { queryFigures, queryGroups, type QueryGroup } from '../src/judgement/queries/query-groups.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { RECURRING } from '../src/judgement/queries/search-severity.js';
import { loweredIfRare, severityOf, worst } from '../src/judgement/severity-lines.js';
import { shellStatement } from '../src/judgement/shell-statement.js';

const thresholds = {
  documents: {
    default: 1_000,
    unit: 'documents',
    description: 'documents counted per execution from which it is reported; a smaller collection is too small to tell',
    source: 'judgement: about half a millisecond of processor (0.3 µs a document in memory, measured on 6.0.5)',
  },
  recurring: {
    ...RECURRING,
    description: 'recorded executions from which a count that reads 10,000 documents or more is an application’s',
    source: 'judgement: a person counts once or twice, an application repeats it',
  },
  warning: {
    default: 10_000,
    unit: 'documents',
    description: 'documents counted per execution from which a repeated count is a warning',
    source: 'judgement: some 5 ms of processor and all pages of the collection in the cache, for one number',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents counted per execution from which a repeated count is an error',
    source: 'judgement: half a second of processor per execution and more',
  },
  errorPerDay: {
    default: 100_000_000,
    unit: 'documents',
    description: 'documents counted a day, by all executions, from which an error is given',
    source: 'judgement: half a minute of processor a day, for a number that the metadata has',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly report may take a second',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const fullCount = defineClusterCheck({
  id: 'full-count',
  title: 'Count of a whole collection',
  summary: 'counts without a condition that read every document, though the metadata has the number',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const counts = queriesOf(cluster).filter(isFullCount);
    const { groups, notJudged } = queryGroups(cluster, (_, cost) => (cost.documentsExamined ?? 0) > 0, placeOf, counts);
    return [...notJudged, ...groups.flatMap((group) => verdictOn(group, limits))];
  },
});

function placeOf(query: Query) {
  return { path: null, remedy: { steps: remedySteps(query) } };
}

function remedySteps({ known: { collection } }: Query): RemedyStep[] {
  const { namespace, clustered } = collection;
  const exact = clustered
    ? []
    : [
        {
          text: 'If it must be exact on a sharded cluster, or in a transaction: count the keys of the _id index, which are far smaller than the documents.',
          code: shellStatement(namespace, 'countDocuments', '{}', '{ hint: "_id_" }'),
        },
      ];
  return [
    {
      text: 'Ask the metadata for the number: it examines no document. After a crash it may be off until validate() ran. On a sharded cluster, orphaned documents count.',
      code: shellStatement(namespace, 'estimatedDocumentCount'),
    },
    ...exact,
    {
      text: 'If only asked whether there are any documents, or whether the collection is large: stop at a limit.',
      code: shellStatement(namespace, 'countDocuments', '{}', '{ limit: 1 }'),
    },
  ];
}

function verdictOn(group: QueryGroup, limits: Limits): ClusterVerdict[] {
  const { namespace, queries, remedy } = group;
  const size = sizeFor(queries[0]);
  if (size !== null && isBelow(queries[0], limits.documents)) {
    return [{ namespace, ...tooSmallToTell(size, 'counted document by document') }];
  }
  const severity = severityFor(group, limits);
  if (severity === null || remedy === null) return [];
  return [
    {
      namespace,
      path: null,
      severity,
      confidence: 'high',
      message: messageOf(group) + (size === null ? '' : judgedAtText(size)),
      evidence: queryFigures(group),
      ...(size !== null && judgedAt(size)),
      operations: queries.map(({ operation }) => operation),
      remedy,
    },
  ];
}

function severityFor({ queries: [query], cost }: QueryGroup, limits: Limits): Severity | null {
  const examined = examinedAtJudgedSize(query, cost) ?? 0;
  if (examined < limits.documents) return null;
  const isRepeated = cost.executions >= limits.recurring || (sizeFor(query)?.from ?? null) !== null;
  const bySize = severityOf(examined, { info: limits.documents, warning: limits.warning, error: limits.error });
  const isMuch = examined * (cost.executionsPerDay ?? 0) >= limits.errorPerDay;
  const severity = isRepeated ? worst([bySize, isMuch ? 'error' : null]) : 'info';
  return severity === null ? null : loweredIfRare(severity, cost.executionsPerDay, limits.perDay);
}

function messageOf(group: QueryGroup): string {
  const { cost } = group;
  return (
    `All documents are read to count them, and the metadata has the number. An execution examines ` +
    `${plural(Math.round(cost.documentsExamined ?? 0), 'document')}${averageText(group, null)} on average (${cost.window}).`
  );
}

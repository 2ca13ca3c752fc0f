import { defineClusterCheck, type ClusterVerdict, type RemedyStep, type Severity } from '../src/check.js';
import { formatCount, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { accompanyingIndex } from '../src/judgement/indexes/accompanying-index.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { atJudgedSize, judgedAt, judgedAtText, tooSmallToTell } from '../src/judgement/judged-size.js';
import { equalPaths } from '../src/judgement/queries/conditions.js';
import { withSimilar } from '../src/judgement/queries/judged-query.js';
import { isBelow, sizeFor } from '../src/judgement/queries/judged-query.js';
import { queryCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { queriesOf, type Query, type SortField } from '../src/judgement/queries/query.js';
import { pageOrder, rangePageSteps } from '../src/judgement/queries/range-page.js';
import { recordedSkips, type RecordedSkips } from '../src/judgement/queries/scattered-keys.js';
import { loweredIfRare, severityOf } from '../src/judgement/severity-lines.js';
import { windowOf } from '../src/workload/coverage/join-telling.js';

/** A page number beyond the first hundred documents shows that a collection is paged through by `skip`. */
const PAGED = 100;

interface Paged {
  readonly query: Query;
  readonly cost: QueryCost;
  readonly skips: RecordedSkips;
}

export const deepSkip = defineClusterCheck({
  id: 'deep-skip',
  title: 'Deep skip',
  summary: 'queries that reach a page by skipping thousands of documents before it',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload'],
  thresholds: {
    info: {
      default: 10_000,
      unit: 'documents',
      description: 'documents skipped by the deepest execution from which an info is given',
      source: 'judgement: about ten milliseconds of processor, for documents that nobody sees',
    },
    warning: {
      default: 100_000,
      unit: 'documents',
      description: 'documents skipped by an average execution from which a warning is given',
      source: 'judgement: about 0.1 s of processor per execution',
    },
    error: {
      default: 1_000_000,
      unit: 'documents',
      description: 'documents skipped by an average execution from which an error is given',
      source: 'judgement: a second of processor per execution and more',
    },
    documents: {
      default: 1_000,
      unit: 'documents',
      description: 'documents of a collection below which it is too small to tell',
      source: 'judgement: all of it is a few pages',
    },
    perDay: {
      default: 24,
      unit: 'executions',
      description: 'executions per day below which the severity is one step lower',
      source: 'judgement: a nightly report may take a second',
    },
  },
  judge(cluster, limits) {
    const paged = queriesOf(cluster).flatMap((query): Paged[] => {
      const [skips, cost] = [recordedSkips(query), queryCost([query], cluster.workload)];
      return skips === null || cost === null ? [] : [{ query, cost, skips }];
    });
    const verdicts = [...groupedBy(paged, ({ query }) => query.known.collection.namespace)].flatMap(
      ([namespace, all]): ClusterVerdict[] => {
        const size = sizeFor(all[0]!.query);
        if (size !== null && isBelow(all[0]!.query, limits.documents)) {
          const small = all.filter(({ skips }) => skips.deepest >= PAGED || skips.deepest >= size.recorded / 2);
          return small.length === 0 ? [] : [{ namespace, ...tooSmallToTell(size, `paged by skip: ${textOf(small)}`) }];
        }
        const deep = all
          .map((each) => ({ ...each, severity: severityFor(each, limits) }))
          .filter((each): each is Paged & { severity: Severity } => each.severity !== null)
          .toSorted((one, other) => other.skips.average - one.skips.average);
        return deep.length === 0 ? [] : [verdictOn(namespace, deep)];
      },
    );
    return [...workloadGaps(cluster.workload), ...verdicts];
  },
});

function severityFor(
  { query, cost, skips }: Paged,
  { info, warning, error, perDay }: Readonly<Record<'info' | 'warning' | 'error' | 'perDay', number>>,
): Severity | null {
  const size = sizeFor(query);
  const atSize = (figure: number) => (size === null ? figure : atJudgedSize(figure, size));
  const byAverage = severityOf(atSize(skips.average), { info: Infinity, warning, error });
  if (byAverage !== null) return loweredIfRare(byAverage, cost.executionsPerDay, perDay);
  return atSize(skips.deepest) >= info ? 'info' : null;
}

function verdictOn(namespace: string, deep: readonly (Paged & { severity: Severity })[]): ClusterVerdict {
  const [{ query, cost, skips, severity }] = deep as [Paged & { severity: Severity }];
  const size = sizeFor(query);
  const deepest = Math.max(...deep.map((each) => each.skips.deepest));
  return {
    namespace,
    path: null,
    severity,
    confidence: 'high',
    message:
      `Pages are reached by skipping: ${textOf(deep)} skips ${plural(Math.round(skips.average), 'document')} per execution on average, ` +
      `${formatCount(deepest)} at most (${cost.window}). The server reads all of them, and each page costs more than the one before.` +
      (size === null ? '' : judgedAtText(size)),
    evidence: {
      source: cost.source,
      ...windowOf(cost),
      executions: cost.executions,
      executionsThatSkip: skips.executions,
      documentsSkipped: Math.round(skips.average),
      deepestSkip: deepest,
      executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
      queries: deep.map((each) => queryText(each.query)),
    },
    ...(size !== null && judgedAt(size)),
    operations: deep.map((each) => each.query.operation),
    remedy: { steps: remedySteps(query) },
  };
}

function textOf(paged: readonly Paged[]): string {
  return withSimilar({ queries: paged.map(({ query }) => query) as [Query, ...Query[]] });
}

function remedySteps(query: Query): RemedyStep[] {
  const { conditions, known } = query;
  const order = pageOrder(query);
  const equal = equalPaths(conditions);
  const key = Object.fromEntries([...[...new Set(equal)].map((path): SortField => [path, 1]), ...order]);
  const needsIndex = order.length > 1 || equal.length > 0;
  return [
    ...rangePageSteps(query),
    ...(needsIndex
      ? accompanyingIndex(key, known, 'Give this order an index: each page then reads its own documents only.')
      : []),
    { text: 'If pages must keep their numbers, let them end after the first hundred, and offer a filter instead.' },
    { text: 'Check that totalKeysExamined of a late page is about its length, in explain("executionStats").' },
  ];
}

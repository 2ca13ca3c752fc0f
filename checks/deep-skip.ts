import type { RemedyStep } from '../src/check.js';
import { formatCount, plural } from '../src/format.js';
import { accompanyingIndex } from '../src/judgement/indexes/index-steps.js';
import { atJudgedSize } from '../src/judgement/judged-size.js';
import { severityOf } from '../src/judgement/margins.js';
import { equalPaths } from '../src/judgement/queries/conditions.js';
import { queryCost } from '../src/judgement/queries/query-cost.js';
import { isBelow, isFrequent, isRepeated, sizeFor } from '../src/judgement/queries/query-size.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { REDESIGN, RETIRED_OF_OPERATIONS, SCAN_SIZE } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { pageOrder, rangePageSteps } from '../src/judgement/queries/range-page.js';
import { recordedSkips, type RecordedSkips } from '../src/judgement/queries/scattered-keys.js';
import { defineWorstQueryCheck, textOf, type FoundQuery } from '../src/judgement/queries/worst-query-check.js';
import type { SortField } from '../src/planner/access.js';

/** A page number beyond the first hundred documents shows that a collection is paged through by `skip`. */
const PAGED = 100;

interface Paged extends FoundQuery {
  readonly skips: RecordedSkips;
}

export const deepSkip = defineWorstQueryCheck({
  id: 'deep-skip',
  title: 'Deep skip',
  summary: 'queries that reach a page by skipping thousands of documents before it',
  thresholds: {
    info: {
      default: 1_000,
      unit: 'documents',
      description: 'documents skipped by the deepest execution; by an average one, a warning if requests send it',
      source:
        'judgement: about a millisecond of processor for documents that nobody sees, and more as they grow in number',
    },
    warning: {
      default: REDESIGN,
      unit: 'documents',
      description: 'documents skipped per execution',
      source: 'judgement: some milliseconds of processor; in fewer, asking in another way is not worth the work',
    },
    error: {
      default: 1_000_000,
      unit: 'documents',
      description: 'documents skipped per execution',
      source: 'judgement: a second of processor per execution and more',
    },
  },
  retiredThresholds: [...RETIRED_OF_OPERATIONS, 'documents'],
  find: ({ cluster }) =>
    queriesOf(cluster).flatMap((query): Paged[] => {
      const [skips, cost] = [recordedSkips(query), queryCost([query], cluster.workload)];
      return skips === null || cost === null ? [] : [{ query, cost, skips }];
    }),
  path: () => null,
  rank: ({ skips }) => skips.average,
  severity({ query, cost, skips }, { limits: { info, warning, error } }) {
    const size = sizeFor(query);
    if (isBelow(query, SCAN_SIZE.default)) return null;
    const atSize = (figure: number) => (size === null ? figure : atJudgedSize(figure, size));
    if (!isRepeated(query, skips)) return null;
    const least = isFrequent(query, cost) ? Math.min(info, warning) : warning;
    const byAverage = severityOf(atSize(skips.average), { info: Infinity, warning: least, error });
    return byAverage ?? (atSize(skips.deepest) >= info ? 'info' : null);
  },
  confidence: 'high',
  message: (all) =>
    `Pages are reached by skipping: ${textOf(all)} skips ${plural(Math.round(all[0].skips.average), 'document')} per execution on average, ` +
    `${formatCount(deepestOf(all))} at most (${all[0].cost.window}). The server reads all of them, and each page costs more than the one before.`,
  figures: (all) => ({
    executionsThatSkip: all[0].skips.executions,
    documentsSkipped: Math.round(all[0].skips.average),
    deepestSkip: deepestOf(all),
    queries: all.map(({ query }) => queryText(query)),
  }),
  growsWithCollection: true,
  tooSmall: {
    text: 'paged by skip',
    of: ({ query, skips }) =>
      isBelow(query, SCAN_SIZE.default) && skips.deepest >= Math.min(PAGED, (sizeFor(query)?.recorded ?? Infinity) / 2),
  },
  remedy: ({ query }) => remedySteps(query),
});

function deepestOf(all: readonly Paged[]): number {
  return Math.max(...all.map(({ skips }) => skips.deepest));
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

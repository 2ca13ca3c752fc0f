import { formatCount, plural } from '../../src/format.js';
import { BATCH, longLists, type LongList } from '../../src/judgement/queries/long-lists.js';
import { isRepeated } from '../../src/judgement/queries/query-size.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import { RETIRED_OF_OPERATIONS } from '../../src/judgement/queries/query-thresholds.js';
import { defineWorstQueryCheck, textOf, type FoundQueries } from '../../src/judgement/queries/worst-query-check.js';
import { longListSteps } from './long-list-remedy.js';

const thresholds = {
  values: {
    default: 200,
    unit: 'values',
    description: 'values that half of the executions exceed, from which the list is reported',
    source:
      'MongoDB manual, "$in": "limit the number of parameters passed to the $in operator to tens of values"; up to 200, a sort is merged from an index (MongoDB manual, "The ESR Guideline")',
  },
  documentsSorted: {
    default: 10_000,
    unit: 'documents',
    description: 'documents sorted per execution from which an order that shorter lists would keep is a warning',
    source: 'judgement: about ten milliseconds of processor per execution, for a page of documents',
  },
  warningPerDay: {
    default: 100_000_000,
    unit: 'values',
    description: 'values a day, in all executions, from which a repeated list is a warning',
    source: 'judgement: each is a search in the index, some microseconds; as ObjectIds they are 2 GB of commands',
  },
} as const;

export const longInList = defineWorstQueryCheck({
  id: 'long-in-list',
  title: 'Long list in $in',
  summary: 'queries that ask for hundreds of values with `$in`',
  thresholds,
  retiredThresholds: RETIRED_OF_OPERATIONS,
  byPlans: true,
  find: ({ cluster, limits }) => longLists(cluster).filter(({ lengths }) => lengths.median > limits.values),
  path: ({ path }) => path,
  rank: ({ lengths }) => lengths.values,
  severity({ query, cost, lengths, order }, { limits }) {
    const perDay = (cost.executionsPerDay ?? 0) * (lengths.values / lengths.executions);
    const isMuch =
      perDay >= limits.warningPerDay || (order !== null && (cost.keysExamined ?? 0) >= limits.documentsSorted);
    return isMuch && isRepeated(query, cost) ? 'warning' : 'info';
  },
  confidence: ({ lengths }) => (lengths.cut === undefined ? 'high' : 'medium'),
  message: messageOf,
  figures(all) {
    const [{ cost, lengths, order }] = all;
    const isCut = lengths.cut !== undefined;
    return {
      [isCut ? 'medianValuesAtLeast' : 'medianValues']: lengths.median,
      [isCut ? 'mostValuesAtLeast' : 'mostValues']: lengths.longest,
      keysExamined: rounded(cost.keysExamined),
      documentsExamined: rounded(cost.documentsExamined),
      documentsReturned: rounded(cost.documentsReturned),
      ...(order !== null && { keysExaminedInBatchesEstimated: Math.round(order.keysInBatches) }),
      queries: all.map(({ query }) => queryText(query)),
    };
  },
  remedy: longListSteps,
});

function messageOf(all: FoundQueries<LongList>): string {
  const [{ cost, path, lengths, order }] = all;
  const atLeast = lengths.cut === undefined ? '' : 'at least ';
  const keys = cost.keysExamined === null ? null : plural(Math.round(cost.keysExamined), 'index key');
  return (
    `${textOf(all)} asks for many values of \`${path}\`: median ${atLeast}${formatCount(lengths.median)}, max ${atLeast}${formatCount(lengths.longest)} (${cost.window}).` +
    (keys === null ? '' : ` An execution examines ${keys}.`) +
    (order === null
      ? ''
      : ` Above ${BATCH} values no index provides the sort order, so all that match are sorted before the first is returned.`)
  );
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

import type { RemedyStep } from '../src/finding.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { accompanyingIndex } from '../src/judgement/indexes/index-steps.js';
import { BATCH, type BrokenOrder, type LongList, longLists } from '../src/judgement/queries/long-lists.js';
import { dearestCost, type QueryCost } from '../src/judgement/queries/query-cost.js';
import { isRepeated } from '../src/judgement/queries/query-size.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { RECURRING, RETIRED_OF_OPERATIONS } from '../src/judgement/queries/query-thresholds.js';
import { filterText, sortText } from '../src/judgement/queries/range-page.js';
import { defineWorstQueryCheck, type FoundQueries, textOf } from '../src/judgement/queries/worst-query-check.js';
import { shellStatement } from '../src/judgement/shell-statement.js';

const thresholds = {
  values: {
    default: 200,
    unit: 'values',
    description: 'values in the median list',
    source:
      'MongoDB manual, "$in": "tens of values"; a sort is merged from an index up to 200 (MongoDB manual, "The ESR Guideline")',
  },
  documentsSorted: {
    default: 10_000,
    unit: 'documents',
    description: 'documents sorted per execution, for a warning, if shorter lists need no sort',
    source: 'judgement: about ten milliseconds of processor per execution, for a page of documents',
  },
  warningPerDay: {
    default: 100_000_000,
    unit: 'values',
    description: 'values a day, in all executions, for a warning',
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
  find: ({ cluster, limits }) =>
    longLists(cluster).filter(
      ({ lengths, cost }) =>
        lengths.median > limits.values || (lengths.longest > limits.values && isDear(cost, limits.documentsSorted)),
    ),
  path: ({ path }) => path,
  rank: ({ lengths }) => lengths.values,
  severity({ query, cost, lengths, order }, { limits }) {
    const perDay = (cost.executionsPerDay ?? 0) * (lengths.values / lengths.executions);
    const isMuch =
      perDay >= limits.warningPerDay ||
      isDear(cost, limits.documentsSorted) ||
      (order !== null && (cost.keysExamined ?? 0) >= limits.documentsSorted);
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

/** Whether executions that recur examine so many index keys in vain, however few most do. */
function isDear({ facts: { keys, returned } }: QueryCost, least: number): boolean {
  return (keys.recurring ?? 0) - (returned.recurring ?? 0) >= least;
}

function messageOf(all: FoundQueries<LongList>): string {
  const [{ cost, path, lengths, order }] = all;
  const atLeast = lengths.cut === undefined ? '' : 'at least ';
  const keys = cost.keysExamined === null ? null : plural(Math.round(cost.keysExamined), 'index key');
  const dearest = dearestCost(cost)?.keysExamined ?? null;
  return (
    `${textOf(all)} asks for many values of \`${path}\`: median ${atLeast}${formatCount(lengths.median)}, max ${atLeast}${formatCount(lengths.longest)} (${cost.window}).` +
    (keys === null ? '' : ` An execution examines ${keys} on average`) +
    (dearest === null ? '' : `, and at least ${RECURRING} examine ${formatCount(Math.round(dearest))}`) +
    (keys === null ? '' : '.') +
    (order === null
      ? ''
      : ` Above ${BATCH} values no index provides the sort order, so every match is sorted before the first is returned.`)
  );
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

/** What to do instead of asking for so many values. */
function longListSteps(list: LongList): RemedyStep[] {
  const { order } = list;
  return stepsOf(
    ...(order === null ? plainSteps(list) : orderSteps(list, order)),
    'Rerun mongolint after some normal load: the lists should be shorter.',
  );
}

function plainSteps({ path, query }: LongList): RemedyStep[] {
  const writes = query.operation.shape.kind === 'update' || query.operation.shape.kind === 'delete';
  return stepsOf(
    `Find out what the values of \`${path}\` have in common. If another query selects them by a field, copy that field beside \`${path}\` (extended reference), index the copy, and ask for its one value.`,
    `Else ask for ${BATCH} values at a time. All batches together examine as many keys, but each is short` +
      (writes ? ': other operations get their turn in between.' : ', and its reply is small.'),
  );
}

function orderSteps({ query, path }: LongList, { key, keysInBatches }: BrokenOrder): RemedyStep[] {
  const { namespace } = query.known.collection;
  const found = shellStatement(namespace, 'find', filterText(query.filters));
  return [
    ...accompanyingIndex(key, query.known, 'Each value needs its documents in the order of the sort.'),
    {
      text:
        `Ask for ${BATCH} values of \`${path}\` at a time, each time with the sort and the limit. Then keep the first of all batches. ` +
        `Up to ${BATCH} values are merged in the order of the index: about ${formatCount(Math.round(keysInBatches))} keys in all.`,
      code: `${found}.sort(${sortText(query.sort)}).limit(limit)`,
    },
  ];
}

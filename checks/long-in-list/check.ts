import { defineClusterCheck, type ClusterVerdict, type Severity, type ThresholdValues } from '../../src/check.js';
import { formatCount, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { withSimilar } from '../../src/judgement/queries/judged-query.js';
import { sizeFor } from '../../src/judgement/queries/judged-query.js';
import { longListSteps } from './long-list-remedy.js';
import { BATCH, longLists, type LongList } from '../../src/judgement/queries/long-lists.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { RECURRING } from '../../src/judgement/queries/search-severity.js';
import { loweredIfRare } from '../../src/judgement/severity-lines.js';
import { windowOf } from '../../src/workload/coverage/join-telling.js';

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
  recurring: {
    ...RECURRING,
    description: 'recorded executions from which it can be a warning; at an expected size one is enough',
    source: 'judgement: a person asks for a list once or twice, an application repeats it',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly job may take a second',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const longInList = defineClusterCheck({
  id: 'long-in-list',
  title: 'Long list in $in',
  summary: 'queries that ask for hundreds of values with `$in`',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  lostByPseudonyms: 'where the values come from was recognized only by types.',
  thresholds,
  judge(cluster, limits) {
    const byPlace = groupedBy(longLists(cluster), ({ query, path }) =>
      JSON.stringify([query.known.collection.namespace, path]),
    );
    const verdicts = [...byPlace.values()].flatMap((all): ClusterVerdict[] => {
      const { namespace } = all[0]!.query.known.collection;
      const [worst, ...others] = all
        .filter(({ lengths }) => lengths.median > limits.values)
        .toSorted((one, other) => other.lengths.values - one.lengths.values);
      return worst === undefined ? [] : [verdictOn(namespace, [worst, ...others], limits)];
    });
    return [...workloadGaps(cluster.workload, 'plans'), ...verdicts];
  },
});

function severityFor({ query, cost, lengths, order }: LongList, limits: Limits): Severity {
  const isRepeated = cost.executions >= limits.recurring || (sizeFor(query)?.from ?? null) !== null;
  const perDay = (cost.executionsPerDay ?? 0) * meanOf(lengths);
  const isMuch =
    perDay >= limits.warningPerDay || (order !== null && (cost.keysExamined ?? 0) >= limits.documentsSorted);
  return loweredIfRare(isRepeated && isMuch ? 'warning' : 'info', cost.executionsPerDay, limits.perDay);
}

function meanOf({ values, executions }: LongList['lengths']): number {
  return values / executions;
}

function verdictOn(namespace: string, all: readonly [LongList, ...LongList[]], limits: Limits): ClusterVerdict {
  const [list] = all;
  const { cost, path, lengths, from, order } = list;
  return {
    namespace,
    path,
    severity: severityFor(list, limits),
    confidence: lengths.cut === undefined ? 'high' : 'medium',
    message: messageOf(all),
    evidence: {
      source: cost.source,
      ...windowOf(cost),
      executions: cost.executions,
      executionsPerDay: rounded(cost.executionsPerDay),
      [lengths.cut === undefined ? 'medianValues' : 'medianValuesAtLeast']: lengths.median,
      [lengths.cut === undefined ? 'mostValues' : 'mostValuesAtLeast']: lengths.longest,
      keysExamined: rounded(cost.keysExamined),
      documentsExamined: rounded(cost.documentsExamined),
      documentsReturned: rounded(cost.documentsReturned),
      ...(order !== null && { keysExaminedInBatchesEstimated: Math.round(order.keysInBatches) }),
      ...(from !== null && { listedIn: from.base, documentsListed: from.returned, lists: from.executions }),
      queries: all.map((each) => queryText(each.query)),
    },
    operations: all.map((each) => each.query.operation),
    remedy: { steps: longListSteps(list) },
  };
}

function messageOf(all: readonly [LongList, ...LongList[]]): string {
  const [{ cost, path, lengths, from, order }] = all;
  const atLeast = lengths.cut === undefined ? '' : 'at least ';
  const keys = cost.keysExamined === null ? null : plural(Math.round(cost.keysExamined), 'index key');
  return (
    `${textOf(all)} asks for many values of \`${path}\`: median ${atLeast}${formatCount(lengths.median)}, max ${atLeast}${formatCount(lengths.longest)} (${cost.window}).` +
    (keys === null ? '' : ` An execution examines ${keys}.`) +
    (order === null
      ? ''
      : ` Above ${BATCH} values no index provides the sort order, so all that match are sorted before the first is returned.`) +
    (from === null
      ? ''
      : ` The values seem to come from ${from.base}: the same application read ${plural(from.returned, 'document')} there, as often.`)
  );
}

function textOf(lists: readonly LongList[]): string {
  return withSimilar({ queries: lists.map(({ query }) => query) as [Query, ...Query[]] });
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

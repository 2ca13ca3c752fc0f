import { formatCount, inWords, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { atJudgedSize, judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import type { EarlyBecause } from './early-joins.js';
import { earlyLookups, type EarlyLookup } from './early-lookups.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import { isBelow, sizeFor } from '../../src/judgement/queries/judged-query.js';
import { RECURRING } from '../../src/judgement/queries/query-thresholds.js';
import { loweredIfRare } from '../../src/judgement/severity-lines.js';
import {
  defineClusterCheck,
  type ClusterVerdict,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { windowOf } from '../../src/workload/coverage/join-telling.js';

/** Pipelines that the remedy writes out, the most expensive first. */
const WRITTEN = 3;
/** Documents examined for each one returned, below which much of what is joined is on the page. */
const EXAMINED_PER_RETURNED = 10;
/** The same in a small collection, whose pages are large shares of it: one examined, and one joined. */
const EXAMINED_PER_RETURNED_OF_FEW = 3;

const thresholds = {
  info: {
    default: 1_000,
    unit: 'documents',
    description:
      'documents examined per execution from which it is reported; a smaller collection is too small to tell',
    source: 'judgement: about a millisecond of processor per execution',
  },
  recurring: {
    ...RECURRING,
    description: 'recorded executions from which it is a warning; at an expected size one is enough',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents examined per execution from which an error is given',
    source: 'judgement: a second of processor per execution and more',
  },
  errorPerDay: {
    default: 100_000_000,
    unit: 'documents',
    description: 'documents examined a day, by all executions, from which an error is given',
    source: 'judgement: minutes of processor a day, for documents that nobody sees',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly report may take a second',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

const WHY: Readonly<Record<EarlyBecause, string>> = {
  unread: 'nothing reads what it brings',
  limit: 'it runs for all documents that match, and the `$limit` after it keeps a few',
  page: 'it runs for all documents that match, and the `$facet` after it shows a page of them and counts the rest',
};

export const earlyLookup = defineClusterCheck({
  id: 'early-lookup',
  title: 'Join made too early',
  summary: 'joins made for documents that a later stage leaves out, or that nothing reads',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const wasting = earlyLookups(cluster).filter((early) => isWasting(early, limits));
    const verdicts = [...groupedBy(wasting, ({ query }) => query.known.collection.namespace)].flatMap(
      ([namespace, all]): ClusterVerdict[] => {
        const much = all.filter((each) => atSize(each) >= limits.info);
        const [worst, ...others] = much.toSorted((one, other) => examinedInAll(other) - examinedInAll(one));
        if (worst !== undefined) return [verdictOn(namespace, [worst, ...others], limits)];
        const small = all.find(({ query }) => isBelow(query, limits.info));
        const size = small === undefined ? null : sizeFor(small.query);
        return size === null ? [] : [{ namespace, ...tooSmallToTell(size, 'joined before a `$limit`, or in vain') }];
      },
    );
    return [...workloadGaps(cluster.workload), ...cutAggregates(cluster), ...verdicts];
  },
});

/** A page that holds most of what matches is joined whole anyway. Pages stay as they are at any size. */
function isWasting(early: EarlyLookup, limits: Limits): boolean {
  const { because, cost, query } = early;
  if (cost.documentsReturned === null || because.some((each) => each !== 'limit')) return true;
  const least = isBelow(query, limits.info) ? EXAMINED_PER_RETURNED_OF_FEW : EXAMINED_PER_RETURNED;
  return atSize(early) >= least * Math.max(1, cost.documentsReturned);
}

/** Documents per execution at the judged size. */
function atSize({ query, documentsForJoins }: EarlyLookup): number {
  const size = sizeFor(query);
  return size === null ? documentsForJoins : atJudgedSize(documentsForJoins, size);
}

function examinedInAll({ cost, documentsForJoins }: EarlyLookup): number {
  return documentsForJoins * cost.executions;
}

function severityFor(early: EarlyLookup, limits: Limits): Severity {
  const { executions, executionsPerDay } = early.cost;
  const examined = atSize(early);
  const isError = examined >= limits.error || examined * (executionsPerDay ?? 0) >= limits.errorPerDay;
  const isRepeated = executions >= limits.recurring || (sizeFor(early.query)?.from ?? null) !== null;
  const severity = isError ? 'error' : isRepeated ? 'warning' : 'info';
  return loweredIfRare(severity, executionsPerDay, limits.perDay);
}

function verdictOn(namespace: string, all: readonly [EarlyLookup, ...EarlyLookup[]], limits: Limits): ClusterVerdict {
  const [{ query, cost, documentsForJoins, because, joined }, ...others] = all;
  const size = sizeFor(query);
  return {
    namespace,
    path: null,
    severity: severityFor(all[0], limits),
    confidence: 'high',
    message:
      `An aggregate examines ${plural(Math.round(cost.documentsExamined ?? documentsForJoins), 'document')} per execution` +
      `${returnedText(cost.documentsReturned)} (${cost.window}). Its \`$lookup\` of ${inWords(joined)} is too early: ` +
      `${because.map((each) => WHY[each]).join('; ')}.${similarText(others)}` +
      (size === null ? '' : judgedAtText(size)),
    evidence: {
      source: cost.source,
      ...windowOf(cost),
      executions: cost.executions,
      documentsExamined: Math.round(cost.documentsExamined ?? documentsForJoins),
      documentsReturned: cost.documentsReturned === null ? null : Math.round(cost.documentsReturned),
      executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
      joined: [...new Set(all.flatMap((each) => each.joined))],
    },
    ...(size !== null && judgedAt(size)),
    operations: all.map((each) => each.query.operation),
    remedy: { steps: remedySteps(namespace, all) },
  };
}

function returnedText(returned: number | null): string {
  return returned === null ? '' : ` to return ${formatCount(Math.round(returned))}`;
}

function similarText(others: readonly EarlyLookup[]): string {
  return others.length === 0 ? '' : ` The same is true of ${plural(others.length, 'more aggregate')}.`;
}

const WHAT_TO_DO: Readonly<Record<EarlyBecause, string>> = {
  unread: 'Leave the join out.',
  limit: 'Sort and limit first, and join the page only.',
  page: 'Join within the branch that shows the page, behind its `$limit`.',
};

function remedySteps(namespace: string, all: readonly EarlyLookup[]): RemedyStep[] {
  return [
    ...all.slice(0, WRITTEN).map(({ because, rewritten }): RemedyStep => ({
      text:
        `${because.map((each) => WHAT_TO_DO[each]).join(' ')} Put your values in place of those in angle brackets. ` +
        'The results are the same, but for the order of what no `$sort` orders.',
      code: pipelineText(namespace, rewritten),
    })),
    ...indexSteps(all),
    { text: 'Check that totalDocsExamined of the new pipeline is lower, in explain("executionStats").' },
  ];
}

/** A page in the order of an index is read alone; without it, all that match are read to be sorted. */
function indexSteps(all: readonly EarlyLookup[]): RemedyStep[] {
  const first = all.find(({ sortedBy }) => sortedBy.length > 0);
  if (first === undefined) return [];
  const equal = equalPaths(first.query.conditions);
  const key = Object.fromEntries([...equal.map((path) => [path, 1] as const), ...first.sortedBy]);
  return accompanyingIndex(
    key,
    first.query.known,
    'Give the new order an index: the sort then reads the documents of the page only.',
  );
}

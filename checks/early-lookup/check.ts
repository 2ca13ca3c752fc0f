import type { ThresholdValues } from '../../src/check.js';
import { formatCount, inWords, plural } from '../../src/format.js';
import { cutAggregates } from '../../src/judgement/joins/cut-aggregates.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { isBelow, isRepeated } from '../../src/judgement/queries/judged-query.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import { PER_DAY, RECURRING } from '../../src/judgement/queries/query-thresholds.js';
import { defineWorstQueryCheck } from '../../src/judgement/queries/worst-query-check.js';
import type { EarlyBecause } from './early-joins.js';
import { earlyLookups, type EarlyLookup } from './early-lookups.js';
import { remedySteps } from './remedy.js';

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
  perDay: PER_DAY,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

const WHY: Readonly<Record<EarlyBecause, string>> = {
  unread: 'nothing reads what it brings',
  group: 'it runs for all documents that match, and the `$group` after it makes few of them',
  limit: 'it runs for all documents that match, and the `$limit` after it keeps a few',
  page: 'it runs for all documents that match, and the `$facet` after it shows a page of them and counts the rest',
};

export const earlyLookup = defineWorstQueryCheck({
  id: 'early-lookup',
  title: 'Join made too early',
  summary: 'joins made for documents that a later stage leaves out or groups, or that nothing reads',
  thresholds,
  find: ({ cluster, limits }) => earlyLookups(cluster).filter((early) => isWasting(early, limits)),
  gaps: ({ cluster }) => cutAggregates(cluster),
  path: () => null,
  rank: ({ cost, documentsForJoins }) => documentsForJoins * cost.executions,
  severity(early, { limits }) {
    const { query, cost } = early;
    const examined = atSize(early);
    if (examined < limits.info) return null;
    if (examined >= limits.error || examined * (cost.executionsPerDay ?? 0) >= limits.errorPerDay) return 'error';
    return isRepeated(query, cost, limits.recurring) ? 'warning' : 'info';
  },
  confidence: 'high',
  message([{ cost, documentsForJoins, because, joined }, ...others]) {
    const returned =
      cost.documentsReturned === null ? '' : ` to return ${formatCount(Math.round(cost.documentsReturned))}`;
    return (
      `An aggregate examines ${plural(Math.round(cost.documentsExamined ?? documentsForJoins), 'document')} per execution` +
      `${returned} (${cost.window}). Its \`$lookup\` of ${inWords(joined)} is too early: ` +
      `${because.map((each) => WHY[each]).join('; ')}.` +
      (others.length === 0 ? '' : ` The same is true of ${plural(others.length, 'more aggregate')}.`)
    );
  },
  figures(all) {
    const [{ cost, documentsForJoins }] = all;
    return {
      documentsExamined: Math.round(cost.documentsExamined ?? documentsForJoins),
      documentsReturned: cost.documentsReturned === null ? null : Math.round(cost.documentsReturned),
      joined: [...new Set(all.flatMap((each) => each.joined))],
    };
  },
  saved: ({ documentsForJoins }) => documentsForJoins,
  growsWithCollection: true,
  tooSmall: {
    text: 'joined before a `$limit`, or in vain',
    of: ({ query }, { limits }) => isBelow(query, limits.info),
  },
  remedy: (_, all) => remedySteps(all),
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

import type { IndexDescription, Severity, ThresholdValues } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatBytes, plural } from '../../src/format.js';
import { bySortingIndex, obstacleOf, type QueryPlace } from '../../src/judgement/advice/query-suggestions.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { severityOf, worst } from '../../src/judgement/margins.js';
import { queryWithoutSort } from '../../src/judgement/pipelines/needless-sort.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { canBeFound } from '../../src/judgement/queries/conditions.js';
import { withSimilar } from '../../src/judgement/queries/judged-query.js';
import { breaksOrder } from '../../src/judgement/queries/long-lists.js';
import { defineQueryCheck } from '../../src/judgement/queries/query-check.js';
import { isFilled, isScanned, type QueryCost, returnsAllThatMatch } from '../../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import {
  documentsText,
  documentWeight,
  isBelow,
  isRepeated,
  isShareOfAll,
  ofJudgedSize,
  sizeFor,
} from '../../src/judgement/queries/query-size.js';
import { RETIRED_OF_OPERATIONS } from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { isRecurringSearch } from '../../src/judgement/queries/search-severity.js';
import { placeOfSpecial } from '../../src/judgement/queries/special-searches.js';
import { facetPage, facetPageSteps } from './facet-page.js';

const WITHOUT_INDEX = stepsOf(
  'No index both finds these documents and provides this order. Sort by the field of the range first, set another field equal, ' +
    'or add a condition that leaves fewer documents to sort.',
);

const OF_SPECIAL = stepsOf(
  'A text or geo index provides no such order: everything it finds is sorted. Narrow the search: ask for phrases or for more words that must be there, a smaller area, or a field in front of the words that each search sets equal.',
  'To rank many documents by relevance, use a search engine (Atlas Search or another) that keeps them ranked.',
);

const stepsWithoutSort = (code: string) =>
  stepsOf(
    {
      text: 'Leave out the `$sort`. Replace the placeholders in angle brackets. `$group` returns its groups in no order, with or without it: put a `$sort` behind it if readers need one.',
      code,
    },
    'Check that explain("executionStats") shows no SORT stage.',
  );

const thresholds = {
  info: {
    default: 1_000,
    unit: 'documents',
    description: 'documents sorted per execution; smaller collections are not judged',
    source: 'judgement: about a millisecond of processor per execution, and nothing is returned until all are read',
  },
  warning: {
    default: 10_000,
    unit: 'documents',
    description: 'documents sorted per execution; a sort that spilled is a warning too',
    source:
      'judgement: at 10 KB a document this is the 100 MB that a sort may hold (MongoDB manual, "Limits and Thresholds")',
  },
  page: {
    default: 100,
    unit: 'documents',
    description:
      'documents that a repeated query sorts to return a tenth or less: an info if an index can provide the order',
    source: 'judgement: with the index it reads its page alone, however many belong to the same value',
  },
} as const;

/** Times `page` from which a sort for a page is a warning. Judgement: half a millisecond of processor, for a page of some. */
const MUCH_FOR_A_PAGE = 5;

/** Documents sorted for each one returned, from which a query sorts them for a page. */
const SORTED_PER_RETURNED = 10;

type Limits = ThresholdValues<typeof thresholds>;

/**
 * A recorded query that is sorted in memory is a finding by the documents that an execution sorts: with a limit, all that it
 * examines. It is a warning if it spilled to disk, or if an application sorts a share of the collection, or many that belong to
 * one value, again and again to show the first few. A scan that an index would replace is collection-scan's.
 */
export const inMemorySort = defineQueryCheck({
  id: 'in-memory-sort',
  title: 'Sort in memory',
  explainedBy: ['case-insensitive-regex'],
  summary: 'queries whose sort order no index provides, so that all matching documents are sorted first',
  thresholds,
  retiredThresholds: [...RETIRED_OF_OPERATIONS, 'pageWarning'],
  floor: 'info',
  isAbout: (query) =>
    ((query.sort.length > 0 || query.conditions.special) && !query.joins) || facetPage(query) !== null,
  match(query, cost, { limits, cluster }) {
    if (!isSorted(query, cost)) return false;
    if (gradeOf(query, cost, limits) !== null) return !breaksOrder(query, cluster);
    return isShareOfAll(query, sortedIn({ queries: [query], cost }) ?? 0) && 'few';
  },
  wasted(query, cost, { cluster }) {
    const sorted = sortedIn({ queries: [query], cost });
    const isForFew = query.limited && query.returnsEachMatch && isSorted(query, cost);
    if (!isForFew || sorted === null || breaksOrder(query, cluster)) return null;
    return sorted - (cost.documentsReturned ?? 0);
  },
  place: byRemedy,
  specialPlace: placeOfSpecial,
  severity: ({ queries, cost }, { limits }) => worst(queries.map((query) => gradeOf(query, cost, limits))),
  confidence: ({ queries }) => (queries.some(({ limited }) => limited) ? 'medium' : 'high'),
  message: messageOf,
  figures: (group) => ({
    documentsSorted: Math.round(sortedIn(group) ?? 0),
    shareSortedInMemory: (group.cost.inMemorySorts ?? 0) / group.cost.executions,
  }),
  withoutIndex: ({ queries: [query] }) => (query.conditions.special ? OF_SPECIAL : WITHOUT_INDEX),
});

/** The index that collection-scan proposes sorts too. What a pattern leaves of most of a collection is few to sort. */
function isSorted(query: Query, cost: QueryCost): boolean {
  if ((cost.inMemorySorts ?? 0) === 0 || (isScanned(query) && canBeFound(query.conditions))) return false;
  return obstacleOf(query) === null || isScanned(query) || !query.limited || !returnsAllThatMatch(query);
}

/**
 * With a limit, up to all that were examined, or that there are; else those returned, as also if no execution filled its page.
 * Null if the source does not say.
 */
function sortedIn({ queries, cost }: Pick<QueryGroup, 'queries' | 'cost'>): number | null {
  const { documentsExamined: examined, documentsReturned: returned } = cost;
  if (!queries.some((query) => isFilled(query) || !query.returnsEachMatch)) return returned ?? examined;
  return examined === null ? null : Math.min(examined, sizeFor(queries[0])?.recorded ?? examined);
}

function gradeOf(query: Query, cost: QueryCost, limits: Limits): Severity | null {
  const sorted = sortedIn({ queries: [query], cost });
  if (sorted === null) return null;
  const atSize = ofJudgedSize(query, sorted);
  const bySize = severityOf(atSize * documentWeight(query), { ...limits, error: Infinity });
  const isPageOfAll = query.limited && isShareOfAll(query, sorted) && isRecurringSearch(query, cost, atSize);
  const isMuch = isForPage(query, cost, MUCH_FOR_A_PAGE * limits.page, limits);
  if (spilled(cost) > 0 || (bySize !== null && isPageOfAll) || isMuch) return 'warning';
  return bySize ?? (isForPage(query, cost, limits.page, limits) ? 'info' : null);
}

/** An application sorts what belongs to a value, again and again, to show the first few, and nothing but a missing index is why. */
function isForPage(query: Query, cost: QueryCost, least: number, { info }: Limits): boolean {
  const { documentsReturned } = cost;
  const isOfFacet = facetPage(query) !== null;
  if (!isOfFacet && (!query.limited || !query.returnsEachMatch || documentsReturned === null || query.joins))
    return false;
  const sorted = sortedIn({ queries: [query], cost }) ?? 0;
  // How long the page of a $facet is, nothing tells.
  const isPage = isOfFacet || sorted >= SORTED_PER_RETURNED * (documentsReturned ?? 0);
  const isMuch = sorted * documentWeight(query) >= least;
  return isPage && isMuch && isRepeated(query, cost) && !isBelow(query, info);
}

function messageOf(group: QueryGroup): string {
  const [first] = group.queries;
  const { cost } = group;
  const atMost = first.limited || facetPage(first) !== null ? 'up to ' : '';
  const bytes = cost.spills?.['sort'];
  const most = bytes === undefined ? '' : `, up to ${formatBytes(bytes)}`;
  const disk = spilled(cost) === 0 ? '' : `; ${plural(spilled(cost), 'execution')} spilled to disk${most}`;
  return (
    `${whyOf(first, withSimilar(group))} An execution sorts ${atMost}${documentsText(first, sortedIn(group) ?? 0)} ` +
    `in memory before it returns the first (${cost.window})${disk}.`
  );
}

function whyOf(query: Query, text: string): string {
  if (facetPage(query) !== null)
    return `The page within the \`$facet\` of ${text} sorts everything it finds, because no index provides the order.`;
  if (queryWithoutSort(query) !== null)
    return `Nothing needs the sort order of ${text}: the \`$group\` behind it has the same result in any order.`;
  return `No index provides the sort order of ${text}.`;
}

/** Executions that used the disk. 8.1 and later tell which stage did: another one says nothing about the sort. */
function spilled({ diskUses, spills }: QueryCost): number {
  return spills !== null && spills['sort'] === undefined ? 0 : (diskUses ?? 0);
}

/** A sort that nothing needs gets no index: it is left out. */
function byRemedy(query: Query, existing: readonly IndexDescription[], cluster: JoinedCluster): QueryPlace | 'served' {
  const page = facetPage(query);
  if (page !== null) return { path: page.sort[0]?.[0] ?? null, remedy: { steps: facetPageSteps(page, query) } };
  const pipeline = queryWithoutSort(query);
  if (pipeline === null) return bySortingIndex(query, existing, cluster);
  const code = pipelineText(query.known.collection.namespace, pipeline);
  return { path: query.sort[0]?.[0] ?? null, remedy: { steps: stepsWithoutSort(code) } };
}

import type { RemedyStep } from '../../src/check.js';
import { formatBytes, formatShare, inWords, plural } from '../../src/format.js';
import {
  HEAVY_SHARE,
  type HeavyPath,
  payloadPaths,
  weighedFields,
} from '../../src/judgement/documents/heaviest-paths.js';
import { accompanyingIndex } from '../../src/judgement/indexes/index-steps.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { equalPaths, isEmpty } from '../../src/judgement/queries/conditions.js';
import { exclusion, projectedFind } from '../../src/judgement/queries/left-out-fields.js';
import { isBelow, isFrequent, isRepeated, sizeFor } from '../../src/judgement/queries/query-size.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import { RETIRED_OF_OPERATIONS, SCAN_SIZE } from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { pageOrder, rangePageSteps } from '../../src/judgement/queries/range-page.js';
import { defineWorstQueryCheck, textOf } from '../../src/judgement/queries/worst-query-check.js';
import type { SortField } from '../../src/planner/access.js';
import { isQueryable } from '../../src/profile/path-steps.js';
import { type UnboundedFind, unboundedFinds } from './unbounded-finds.js';

/** Documents of a page, as an example. */
const DOCUMENTS_PER_PAGE = 100;

const MB = 1024 * 1024;

/** Documents returned per execution below which it is a page, however large they are. Judgement. */
const PAGE = 20;

const thresholds = {
  info: {
    default: MB,
    unit: 'bytes',
    description: 'bytes returned per execution; a warning if requests send it',
    source: 'judgement: ten milliseconds of a line of 1 Gbit/s, and five to decode it',
  },
  warning: {
    default: 16 * MB,
    unit: 'bytes',
    description: 'bytes returned per execution, if repeated',
    source: 'MongoDB manual, "Cursor Batches": 16 mebibytes',
  },
  warningPerDay: {
    default: 100 * 1024 * MB,
    unit: 'bytes',
    description: 'bytes returned a day by all executions, for a warning if repeated',
    source: 'judgement: a hundredth of what a line of 1 Gbit/s carries in a day',
  },
} as const;

/**
 * A recorded read without a limit, a condition on unique values or a list of wanted fields is a finding from a megabyte per
 * execution on: a warning if requests send it, or if an application repeats it and it returns more than one full batch, or too
 * much in a day.
 */
export const unboundedFind = defineWorstQueryCheck({
  id: 'unbounded-find',
  title: 'Unbounded find',
  summary: 'reads without a limit or a projection that return megabytes per execution',
  thresholds,
  retiredThresholds: [...RETIRED_OF_OPERATIONS, 'documents', 'smallCollection'],
  byPlans: true,
  find: ({ cluster }) => unboundedFinds(cluster).filter(({ missing }) => missing === null),
  gaps: ({ cluster }) =>
    unboundedFinds(cluster)
      .filter(({ missing, documents }) => missing !== null && documents >= SCAN_SIZE.default)
      .map(({ query: { known, operation }, documents, missing }) => ({
        namespace: known.collection.namespace,
        notJudged: 'insufficient',
        detail: `a ${operation.shape.kind} returns ${plural(Math.round(documents), 'document')} per execution, but ${missing}.`,
      })),
  path: () => null,
  causedBy: ({ query: { known } }) =>
    known.fieldTypes.present ? (payloadPaths(weighedFields(known.fieldTypes.value.fields))?.[0].path ?? null) : null,
  rank: (find) => atSize(find, find.bytes) * find.cost.executions,
  severity(find, { limits }) {
    const { query, cost } = find;
    const bytes = atSize(find, find.bytes);
    if (atSize(find, find.documents) < PAGE || bytes < limits.info) return null;
    const isMuch = bytes >= limits.warning || bytes * (cost.executionsPerDay ?? 0) >= limits.warningPerDay;
    return isFrequent(query, cost) || (isMuch && isRepeated(query, cost)) ? 'warning' : 'info';
  },
  confidence: 'medium',
  message: (all) =>
    `Without a limit or a projection: ${textOf(all)} returns ${plural(Math.round(all[0].documents), 'document')} and ` +
    `${formatBytes(all[0].bytes)} per execution on average (${all[0].cost.window}). It grows with what matches.`,
  figures(all) {
    const [{ query, documents, bytes }] = all;
    const heavy = heavyFields(query);
    return {
      documentsReturned: Math.round(documents),
      bytesReturned: Math.round(bytes),
      ...(heavy.length > 0 && { heaviest: heavy.map(({ path, share }) => ({ path, share })) }),
      queries: all.map((each) => queryText(each.query)),
    };
  },
  growsWithCollection: true,
  tooSmall: {
    text: 'read as a whole',
    of: ({ query }) => isEmpty(query.conditions) && isBelow(query, SCAN_SIZE.default),
  },
  remedy: remedySteps,
});

/** Only what reads the whole collection is known to grow with it. */
function atSize({ query }: UnboundedFind, figure: number): number {
  const size = sizeFor(query);
  return size === null || !isEmpty(query.conditions) ? figure : atJudgedSize(figure, size);
}

function remedySteps(find: UnboundedFind): RemedyStep[] {
  const { query, leftOut } = find;
  const paged = pagedQuery(query);
  const heavy = heavyFields(paged ?? query).filter(({ path }) => !leftOut.includes(path));
  const excluded = [...leftOut, ...heavy.map(({ path }) => path)];
  const projection = excluded.length === 0 ? '' : exclusion(excluded);
  return [
    projectionStep(query, heavy, projection),
    ...(paged === null
      ? [{ text: 'Give it a limit and an order, and ask for the next page by the last document of the one before.' }]
      : [
          ...rangePageSteps(paged, { documents: DOCUMENTS_PER_PAGE, ...(projection !== '' && { projection }) }),
          ...(Object.keys(paged.key).join() === '_id'
            ? []
            : accompanyingIndex(
                paged.key,
                query.known,
                'Give this order an index: each page reads its own documents.',
              )),
        ]),
    {
      text: 'If the documents are only counted or added up, let the server do it with `$group`. If a job needs all of them, read them from a secondary, and raise `info` for this collection.',
    },
    { text: 'Check that `responseLength` of the new query is lower in the profiler (`reslen` in the log).' },
  ];
}

function projectionStep(query: Query, heavy: readonly HeavyPath[], projection: string): RemedyStep {
  const unknown = 'Which fields the application reads is not recorded.';
  if (heavy.length === 0) return { text: `Name the fields that are read in a projection. ${unknown}` };
  const share = heavy.reduce((sum, each) => sum + each.share, 0);
  const verb = heavy.length === 1 ? 'is' : 'are';
  return {
    text:
      `Return only the fields that are read. ${unknown} ${inWords(heavy.map(({ path }) => `\`${path}\``))} ${verb} ` +
      `${formatShare(share)} of the bytes: leave out what is not needed.`,
    code: projectedFind(query, projection),
  };
}

/** The heaviest fields of the documents that a query's pages do not need for their order. */
function heavyFields({ known: { fieldTypes }, sort }: Pick<Query, 'known' | 'sort'>): HeavyPath[] {
  if (!fieldTypes.present) return [];
  const ordering = new Set(sort.map(([path]) => path.split('.')[0]));
  return fieldTypes.value.fields
    .filter(({ path }) => path !== '_id' && !/[.[]/.test(path) && isQueryable(path) && !ordering.has(path))
    .flatMap(({ path, shareOfBytes = 0 }) => (shareOfBytes >= HEAVY_SHARE ? [{ path, share: shareOfBytes }] : []))
    .toSorted((one, other) => other.share - one.share)
    .slice(0, 3);
}

/**
 * The query in the order in which one index finds its pages: its own, else that of the range it asks for, else `_id`. Null
 * if pages could make it read more than it does at once.
 */
function pagedQuery(query: Query): (Query & { readonly key: Readonly<Record<string, 1 | -1>> }) | null {
  const { conditions, collation } = query;
  if (conditions.alternatives.length > 0 || conditions.special || collation !== null) return null;
  const isPlain = conditions.all.every(
    ({ role, element, path }) => (role === 'equality' || role === 'range') && element === null && path !== '',
  );
  const ranges = [...new Set(conditions.all.flatMap(({ path, role }) => (role === 'range' ? [path] : [])))];
  if (!isPlain || ranges.length > 1) return null;
  const [range] = ranges;
  const sort: readonly SortField[] = query.sort.length > 0 || range === undefined ? query.sort : [[range, 1]];
  if (range !== undefined && sort[0]?.[0] !== range) return null;
  const equal = equalPaths(conditions);
  const key = Object.fromEntries([...[...new Set(equal)].map((path): SortField => [path, 1]), ...pageOrder({ sort })]);
  return { ...query, sort, key };
}

import type { RemedyStep } from '../../src/check.js';
import { formatShare, inWords } from '../../src/format.js';
import type { HeavyPath } from '../../src/judgement/documents/heaviest-paths.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import type { Query, SortField } from '../../src/judgement/queries/query.js';
import { pageOrder, rangePageSteps, sortText } from '../../src/judgement/queries/range-page.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { isQueryable } from '../../src/profile/path-steps.js';
import type { UnboundedFind } from './unbounded-finds.js';

/** Documents of a page, as an example. */
const PAGE = 100;

export function remedySteps(find: UnboundedFind): RemedyStep[] {
  const { query, leftOut } = find;
  const paged = pagedQuery(query);
  const heavy = heavyFields(paged ?? query).filter(({ path }) => !leftOut.includes(path));
  const excluded = [...leftOut, ...heavy.map(({ path }) => path)];
  const projection =
    excluded.length === 0 ? '' : `{ ${excluded.map((path) => `${JSON.stringify(path)}: 0`).join(', ')} }`;
  return [
    projectionStep(query, heavy, projection),
    ...(paged === null
      ? [{ text: 'Give it a limit and an order, and ask for the next page by the last document of the one before.' }]
      : [
          ...rangePageSteps(paged, { documents: PAGE, ...(projection !== '' && { projection }) }),
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

function projectionStep({ filters, sort, known }: Query, heavy: readonly HeavyPath[], projection: string): RemedyStep {
  const unknown = 'Which fields the application reads is not recorded.';
  if (heavy.length === 0) return { text: `Name the fields that are read in a projection. ${unknown}` };
  const share = heavy.reduce((sum, each) => sum + each.share, 0);
  const verb = heavy.length === 1 ? 'is' : 'are';
  const order = sort.length === 0 ? '' : `.sort(${sortText(sort)})`;
  return {
    text:
      `Return only the fields that are read. ${unknown} ${inWords(heavy.map(({ path }) => `\`${path}\``))} ${verb} ` +
      `${formatShare(share)} of the bytes: leave out what is not needed of that.`,
    code: `${shellStatement(known.collection.namespace, 'find', filterText(filters), projection)}${order}`,
  };
}

/** Share of all bytes from which leaving out a field is worth it. */
const HEAVY_SHARE = 0.2;

/** The heaviest fields of the documents that a query's pages do not need for their order. */
export function heavyFields({ known: { fieldTypes }, sort }: Pick<Query, 'known' | 'sort'>): HeavyPath[] {
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

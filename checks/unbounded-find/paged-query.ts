import { equalPaths } from '../../src/judgement/queries/conditions.js';
import { isQueryable } from '../../src/profile/path-steps.js';
import type { HeavyPath } from '../../src/judgement/documents/heaviest-paths.js';
import { pageOrder } from '../../src/judgement/queries/range-page.js';
import type { Query, SortField } from '../../src/judgement/queries/query.js';

/** Share of all bytes from which leaving out a field is worth it. */
const HEAVY_SHARE = 0.2;
const MOST_FIELDS = 3;

/** The heaviest fields of the documents that a query's pages do not need for their order. */
export function heavyFields({ known: { fieldTypes }, sort }: Pick<Query, 'known' | 'sort'>): HeavyPath[] {
  if (!fieldTypes.present) return [];
  const ordering = new Set(sort.map(([path]) => path.split('.')[0]));
  return fieldTypes.value.fields
    .filter(({ path }) => path !== '_id' && !/[.[]/.test(path) && isQueryable(path) && !ordering.has(path))
    .flatMap(({ path, shareOfBytes = 0 }) => (shareOfBytes >= HEAVY_SHARE ? [{ path, share: shareOfBytes }] : []))
    .toSorted((one, other) => other.share - one.share)
    .slice(0, MOST_FIELDS);
}

/**
 * The query in the order in which one index finds its pages: its own, else that of the range it asks for, else `_id`. Null
 * if pages could make it read more than it does at once.
 */
export function pagedQuery(query: Query): (Query & { readonly key: Readonly<Record<string, 1 | -1>> }) | null {
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

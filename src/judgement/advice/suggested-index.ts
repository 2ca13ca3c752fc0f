import type { SortField } from '../../planner/access.js';
import { type FieldTypes, LEAST_COMPARED } from '../../profile/field-types.js';
import { queryPath } from '../../profile/path-steps.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import { holdsArrays } from '../joins/joined-values.js';
import {
  isOfMixedOnly,
  nullPaths,
  type Condition,
  type ConditionRole,
  type Conditions,
} from '../queries/conditions.js';

/** The key of an index in equality–sort–range order. */
export interface SuggestedIndex {
  /** Fields whose value the query fixes: first, in any order and direction. */
  readonly equality: readonly string[];
  /** The sort's fields, then those of ranges, then those that are only tested. */
  readonly further: readonly SortField[];
  /** True if it provides the sort order. */
  readonly sorts: boolean;
  /** Present if it provides no order, and finds so few documents that sorting them costs less than keys in order. */
  readonly sortsFew?: true;
  /** Present if no condition is on its first field: the server tests nothing on its keys (measured on 6.0.5), and reads it in order. */
  readonly ordersOnly?: true;
  /** Present if it is to hold only documents that have its field: the query asks for no more than these. */
  readonly sparse?: true;
  /** Those of the equality's fields that are to be null or missing; absent if there are none. */
  readonly nulls?: readonly string[];
}

export interface IndexedQuery {
  readonly conditions: Conditions;
  readonly sort: readonly SortField[];
  /** The longest list of `$in`, for example; null if unknown. */
  readonly longestLiteralArray: number | null;
  /** What is to stand first of ranges and the sort; absent: the sort behind equalities, and else the ranges. */
  readonly first?: 'ranges' | 'sort';
  /** Whether the recording shows that few documents match; absent if it shows nothing of that. */
  readonly returnsFew?: boolean;
  /** Whether it only counts: it reads all keys of its first range. */
  readonly counts?: boolean;
}

/** Source: MongoDB manual, "Limits and Thresholds". */
const MOST_FIELDS = 32;

/** Default of `internalQueryMaxScansToExplode`: above it `$in` breaks a sort (MongoDB manual, "The ESR Guideline"). */
export const MOST_SCANS_TO_MERGE = 200;

/** The most useful first, for fields with several conditions. */
const ROLES: readonly ConditionRole[] = ['equality', 'list', 'range', 'residual'];

/**
 * The indexes that serve a query, in equality, sort, range order: one, or one for each branch of `$or`; null if none
 * can.
 */
export function suggestedIndexes(query: IndexedQuery, fieldTypes: FieldTypes | null): readonly SuggestedIndex[] | null {
  const { conditions, sort } = query;
  const [branches] = conditions.alternatives;
  const finds = conditions.all.some(
    ({ role, path }) => (role === 'equality' || role === 'list' || role === 'range') && isNamed(path),
  );
  if (finds || branches === undefined) {
    const one = suggestedIndex(query, fieldTypes);
    return one === null ? null : [one];
  }
  // The index on `_id` serves its branch, and what it finds is sorted.
  const others = branches.filter((branch) => !asksById(branch));
  const order = others.length < branches.length ? [] : sort;
  const each = others.map((branch) => suggestedIndexes({ ...query, conditions: branch, sort: order }, fieldTypes));
  if (
    each.some((indexes) => indexes === null || indexes.length !== 1 || !finding(indexes[0] as SuggestedIndex, branches))
  )
    return null;
  const distinct = new Map<string, SuggestedIndex>();
  for (const index of each.flatMap((indexes) => indexes ?? [])) {
    const key = JSON.stringify(keyOf(index));
    const known = distinct.get(key);
    distinct.set(key, known === undefined ? index : withNulls(index, index.nulls?.filter(isIn(known.nulls)) ?? []));
  }
  return distinct.size === 0 ? null : [...distinct.values()];
}

function asksById({ all }: Conditions): boolean {
  return all.some(({ path, role }) => path === '_id' && (role === 'equality' || role === 'list'));
}

function isIn(paths: readonly string[] = []): (path: string) => boolean {
  return (path) => paths.includes(path);
}

function withNulls({ nulls: _nulls, ...index }: SuggestedIndex, nulls: readonly string[]): SuggestedIndex {
  return nulls.length === 0 ? index : { ...index, nulls };
}

export function keyOf({ equality, further }: SuggestedIndex): Readonly<Record<string, 1 | -1>> {
  return Object.fromEntries([...equality.map((path): SortField => [path, 1]), ...further]);
}

function finding({ equality, further }: SuggestedIndex, branches: readonly Conditions[]): boolean {
  const first = equality[0] ?? further[0]?.[0];
  return branches.some(({ all }) =>
    all.some(({ path, role }) => path === first && role !== 'residual' && role !== 'none'),
  );
}

function suggestedIndex(
  { conditions, sort, longestLiteralArray, first: wanted, returnsFew, counts = false }: IndexedQuery,
  fieldTypes: FieldTypes | null,
): SuggestedIndex | null {
  const isArray = (path: string) => holdsArrays(fieldTypes, path) === true;
  const byPath = fieldsOf(
    withMixed(conditions.all, sort.length === 0 && isOfMixedOnly(conditions.all) ? 'list' : 'residual'),
    isArray,
  );
  const pathsOf = (role: ConditionRole) => [...byPath].filter(([, each]) => each === role).map(([path]) => path);
  const lists = pathsOf('list');
  // An array would return documents once per element.
  const sortable = sort.every(([path]) => isNamed(path) && !isArray(path)) ? sort : [];
  const merges = (longestLiteralArray ?? 1) ** lists.length <= MOST_SCANS_TO_MERGE;
  const merged = lists.filter(
    (path) => sortable.length === 0 || (merges && !sortable.some(([other]) => other === path)),
  );
  const equality = tellingFirst([...pathsOf('equality'), ...merged], fieldTypes);
  if (equality.includes('_id')) return null;
  const order = sortable.filter(([path]) => !equality.includes(path));
  const ofRanges = counts ? rarestFirst(pathsOf('range'), fieldTypes) : pathsOf('range');
  const ranges = [...lists, ...ofRanges].filter((path) => !equality.includes(path));
  // Without an equality, an index that begins with the sort is read whole, unless the range is on that very field, or a page ends it.
  const isOrderFirst =
    equality.length > 0 || ranges.length === 0 || ranges.includes(order[0]?.[0] ?? '') || wanted === 'sort';
  // Measured on 6.0.5: scans for the values of $in are not merged in order if the sort's fields have conditions too.
  const isMerged = merged.length > 0 && order.some(([path]) => byPath.has(path));
  const sorts = sortable.length > 0 && isOrderFirst && !isMerged && wanted !== 'ranges';
  const leading = isOrderFirst && wanted !== 'ranges' ? order : [];
  const found = [...equality, ...leading.map(([path]) => path), ...ranges];
  if (found.length === 0) return sparseIndex(conditions, fieldTypes);
  // A range finds most documents if there are only two values, or nearly so.
  const isOfFew = returnsFew === true || ranges.some((path) => isSelective(path, fieldTypes));
  if (equality.length + leading.length === 0 && !isOfFew) return null;
  const ordersOnly = equality.length === 0 && leading[0] !== undefined && !byPath.has(leading[0][0]);
  const trailing = ordersOnly
    ? []
    : [...ranges, ...pathsOf('residual')].filter((path) => !leading.some(([other]) => other === path));
  const further = [...leading, ...trailing.map((path): SortField => [path, 1])].slice(0, MOST_FIELDS - equality.length);
  const first = equality.slice(0, MOST_FIELDS);
  return withNulls(
    {
      equality: first,
      further,
      sorts,
      ...(wanted === 'ranges' && { sortsFew: true as const }),
      ...(ordersOnly && { ordersOnly }),
    },
    first.filter(isIn(nullPaths(conditions))),
  );
}

/**
 * Chance that two documents have the same value from which a field tells them apart no better than one of two values: it is
 * 0.5 for two, and 0.33 for three. How many values a sample shows depends on the rare ones. Judgement.
 */
const MOST_ALIKE = 0.4;

/** Fields of two values last, or nearly so, and behind them those of one: an index then serves searches by the others alone. */
function tellingFirst(paths: readonly string[], fieldTypes: FieldTypes | null): string[] {
  const rankOf = (path: string) => (isSelective(path, fieldTypes) ? 0 : hasOneValue(path, fieldTypes) ? 2 : 1);
  return paths.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Those that the fewest documents have leave out the most. */
function rarestFirst(paths: readonly string[], fieldTypes: FieldTypes | null): string[] {
  const all = fieldTypes?.documents ?? 0;
  const heldBy = (path: string) => fieldTypes?.fields.find((field) => field.path === path)?.documents ?? all;
  return paths.toSorted((one, other) => heldBy(one) - heldBy(other));
}

/** Whether all documents have the same value of a field; false if that is unknown. */
export function hasOneValue(path: string, fieldTypes: FieldTypes | null): boolean {
  const { spread = null, documents = 0 } = fieldTypes?.fields.find((field) => field.path === path) ?? {};
  return (
    spread !== null && spread.compared >= LEAST_COMPARED && spread.distinct === 1 && documents === fieldTypes?.documents
  );
}

/**
 * Whether a field has more than two values, or nearly so; true if that is unknown.
 *
 * @param mostAlike chance that two documents have the same value from which it has not
 */
export function isSelective(path: string, fieldTypes: FieldTypes | null, mostAlike = MOST_ALIKE): boolean {
  const spread = fieldTypes?.fields.find((field) => field.path === path)?.spread ?? null;
  return spread === null || spread.compared < LEAST_COMPARED || spread.alike < mostAlike;
}

/** Share of the documents that have a field, from which an index of these leaves out too little. Judgement: half of them. */
const MOST_HELD = 0.5;

function sparseIndex({ all }: Conditions, fieldTypes: FieldTypes | null): SuggestedIndex | null {
  const isRare = ({ path, role }: Condition) => {
    if (role !== 'held' || !isNamed(path) || fieldTypes === null || fieldTypes.documents < LEAST_COMPARED) return false;
    // In documents of arrays, too. What so many documents lack is rare.
    const seen = fieldTypes.fields.filter((each) => queryPath(each.path) === path).map(({ documents }) => documents);
    return Math.max(0, ...seen) < MOST_HELD * fieldTypes.documents;
  };
  const held = all.find(isRare);
  return held === undefined ? null : { equality: [], further: [[held.path, 1]], sorts: false, sparse: true };
}

function withMixed(conditions: readonly Condition[], role: ConditionRole): Condition[] {
  return conditions.map((each) => (each.role === 'mixed' ? { ...each, role } : each));
}

/** An index holds one array, and several fields of its elements only if one element must meet all conditions. */
function fieldsOf(
  conditions: readonly Condition[],
  isArray: (path: string) => boolean,
): ReadonlyMap<string, ConditionRole> {
  const fields = new Map<string, ConditionRole>();
  let array: { readonly path: string; readonly element: string | null } | null = null;
  for (const role of ROLES) {
    for (const { path, element } of conditions.filter((each) => each.role === role && isNamed(each.path))) {
      if (fields.has(path)) continue;
      if (element !== null || isArray(path)) {
        if (role === 'residual') continue;
        if (array !== null && (element === null || array.element !== element)) continue;
        array ??= { path, element };
      }
      fields.set(path, role);
    }
  }
  return fields;
}

/** False for operators without a field, and for names that are data: an index on such a name serves one value only. */
function isNamed(path: string): boolean {
  return path !== '' && !path.split('.').includes(DATA_NAME);
}

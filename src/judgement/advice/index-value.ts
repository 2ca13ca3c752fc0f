import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { type FieldTypes, LEAST_COMPARED } from '../../profile/field-types.js';
import { plainIndex } from '../indexes/index-proposal.js';
import { holdsArrays } from '../joins/joined-values.js';
import { type ConditionRole, equalPaths } from '../queries/conditions.js';
import { plannedFigures } from '../queries/query-cost.js';
import { sizeFor } from '../queries/query-size.js';
import type { Query } from '../queries/query.js';

/** Shares of the collection, 0 to 1, that one value of a field finds: on average, and that of a rare one. */
export interface ValueShares {
  readonly average: number;
  readonly rare: number;
}

export interface Found {
  /** That an execution is estimated to read. */
  readonly documents: number;
  /** True if they come in the order that the query asks for, or if it asks for none. */
  readonly inOrder: boolean;
  /** The first fields of its key, which the query compares with values. */
  readonly equal: readonly string[];
}

/**
 * What an index finds: the documents with the values that its first fields are compared with, or, if it gives the order of a
 * page, those up to its end. Values are taken as independent, and asked for as often as documents have them. Null if the sample
 * does not tell, or if the index does not narrow the search.
 */
export function foundWith(query: Query, key: IndexDescription['key']): Found | null {
  const size = sizeFor(query);
  const fields = Object.keys(key);
  const end = fields.findIndex((path) => equalityOn(query, path) === null);
  const equal = end === -1 ? fields : fields.slice(0, end);
  if (size === null) return null;
  const inOrder = isInOrder(query, key);
  const page = inOrder ? documentsOfPage(query, equal) : null;
  const shares = equal.map((path) => averageShare(query, path));
  if (equal.length === 0 || !shares.every((share) => share !== null))
    return page === null ? null : { documents: page, inOrder, equal };
  const documents = shares.reduce((product, share) => product * share, size.documents);
  return { documents: Math.min(documents, page ?? documents), inOrder, equal };
}

/** The share of the documents that conditions of equality find together; 0 if there are none, or if it is unknown. */
export function shareFound(query: Query, of: keyof ValueShares): number {
  const shares = equalPaths(query.conditions).map((path) => sharesOf(query, path)?.[of] ?? 0);
  return shares.length === 0 ? 0 : shares.reduce((product, share) => product * share, 1);
}

/** The share of the documents that a field's condition finds, on average; null if it is unknown. */
export function averageShare(query: Query, path: string): number | null {
  const shares = sharesOf(query, path);
  const values = equalityOn(query, path) === 'list' ? plannedFigures(query.operation)?.figures.longestLiteralArray : 1;
  return shares === null || values === undefined || values === null ? null : Math.min(1, shares.average * values);
}

/** Whether an index on the key, of the query's collation, gives the order that the query asks for; true if it asks for none. */
export function isInOrder({ planned, collection, collation, sort }: Query, key: IndexDescription['key']): boolean {
  const access = accessOf(plainIndex(key, collation, ''), collection, planned);
  return sort.length === 0 || (!isRefused(access) && access.givesOrder);
}

/** Documents read in order until the page is full, if no more match than if rare values are asked for. */
function documentsOfPage(query: Query, equal: readonly string[]): number | null {
  const { executions, documentsReturned = null } = plannedFigures(query.operation)?.figures ?? {};
  const { conditions, sort, limited, tellsMatches } = query;
  if (executions === undefined || documentsReturned === null) return null;
  if (!limited || !tellsMatches || sort.length === 0) return null;
  if (conditions.alternatives.length > 0) return null;
  const tested = conditions.all.filter(({ path }) => !equal.includes(path));
  const matching = tested.map(({ path, role }) => (role === 'equality' ? (sharesOf(query, path)?.rare ?? 0) : 0));
  const share = matching.reduce((product, each) => product * each, 1);
  return share === 0 ? null : documentsReturned / executions / share;
}

function equalityOn({ conditions }: Query, path: string): 'equality' | 'list' | null {
  const isOf = (role: ConditionRole) => conditions.all.some((each) => each.path === path && each.role === role);
  return isOf('equality') ? 'equality' : isOf('list') ? 'list' : null;
}

/** Null if the sample does not tell: values of arrays, and documents without a value, are not told apart. */
function sharesOf({ conditions, known: { fieldTypes } }: Query, path: string): ValueShares | null {
  if (!fieldTypes.present || conditions.all.some((each) => each.path === path && each.ofNull)) return null;
  return valueShares(fieldTypes.value, path);
}

function valueShares(types: FieldTypes, path: string): ValueShares | null {
  const field = types.fields.find((each) => each.path === path);
  const spread = field?.spread ?? null;
  if (field === undefined || spread === null || spread.compared < LEAST_COMPARED || holdsArrays(types, path) !== false)
    return null;
  const have = field.documents / types.documents;
  const others = Math.max(2, spread.distinct) - 1;
  return { average: have * spread.alike, rare: (have * (1 - spread.commonest)) / others };
}

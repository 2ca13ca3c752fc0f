import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { type KnownValues, shareMeeting } from '../../planner/condition-share.js';
import { both, type Share } from '../../planner/held-values.js';
import { type Condition, partsOf, type Predicate } from '../../planner/predicate.js';
import { readsOf } from '../../planner/reads.js';
import { plainIndex } from '../indexes/index-proposal.js';
import { equalPaths } from '../queries/conditions.js';
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
 * page, those up to its end, if no more match than if rare values are asked for. Null if the sample does not tell, or if the
 * index does not narrow the search.
 */
export function foundWith(query: Query, key: IndexDescription['key']): Found | null {
  const fields = Object.entries(key);
  const equal = partsOf(query.planned.filter).conditions.filter(isEquality);
  const end = fields.findIndex(([path]) => !equal.some(({ comparison }) => comparison.path === path));
  const first = end === -1 ? fields : fields.slice(0, end);
  const inOrder = isInOrder(query, key);
  const wanted = inOrder ? documentsOfPage(query) : null;
  const found = first.length === 0 ? null : documentsBy(query, Object.fromEntries(first), null);
  const page = wanted === null ? null : documentsBy(query, key, wanted);
  const documents = [found?.estimate, page?.most].filter((each) => each !== undefined);
  if (documents.length === 0) return null;
  return { documents: Math.min(...documents), inOrder, equal: first.map(([path]) => path) };
}

/** The share of the documents that conditions of equality find together; 0 if there are none, or if it is unknown. */
export function shareFound(query: Query, of: keyof ValueShares): number {
  const shares = equalPaths(query.conditions).map((path) => shareOn(query, path));
  const together = shares.length === 0 ? null : shares.reduce(both);
  return together === null ? 0 : of === 'average' ? together.estimate : together.least;
}

/** The share of the documents that a field's condition finds on average, also one within `$or`; null if it is unknown. */
export function averageShare(query: Query, path: string): number | null {
  return shareOn(query, path)?.estimate ?? null;
}

/** Whether an index on the key, of the query's collation, gives the order that the query asks for; true if it asks for none. */
export function isInOrder({ planned, collection, collation, sort }: Query, key: IndexDescription['key']): boolean {
  const access = accessOf(plainIndex(key, collation, ''), collection, planned);
  return sort.length === 0 || (!isRefused(access) && access.givesOrder);
}

/** Null if the index does not serve the query, or if the sample does not tell. */
function documentsBy(query: Query, key: IndexDescription['key'], wanted: number | null): Share | null {
  const [size, known] = [sizeFor(query), knownValues(query)];
  const access = accessOf(plainIndex(key, query.collation, ''), query.collection, query.planned);
  if (size === null || known === null || isRefused(access)) return null;
  return readsOf(access, { ...known, query: query.planned, documents: size.documents, wanted }).documents;
}

/** Documents of a page that is asked for in order; null for all, or if that is not known. */
function documentsOfPage({ operation, sort, limited, returnsEachMatch }: Query): number | null {
  const { executions, documentsReturned = null } = plannedFigures(operation)?.figures ?? {};
  if (executions === undefined || documentsReturned === null) return null;
  return limited && returnsEachMatch && sort.length > 0 ? documentsReturned / executions : null;
}

function isEquality({ comparison: { operator }, negated }: Condition): boolean {
  return !negated && (operator === '$eq' || operator === '$in');
}

function everyCondition(predicate: Predicate): readonly Condition[] {
  const { conditions, alternatives } = partsOf(predicate);
  return [...conditions, ...alternatives.flatMap(({ branches }) => branches.flatMap(everyCondition))];
}

function shareOn(query: Query, path: string): Share | null {
  const known = knownValues(query);
  const conditions = everyCondition(query.planned.filter).filter(
    (each) => each.comparison.path === path && isEquality(each),
  );
  if (known === null || conditions.length === 0) return null;
  return conditions.map((condition) => shareMeeting(condition, known)).reduce(both);
}

function knownValues({ known: { fieldTypes }, operation }: Query): KnownValues | null {
  const listed = plannedFigures(operation)?.figures.longestLiteralArray ?? null;
  return fieldTypes.present ? { fieldTypes: fieldTypes.value, listed } : null;
}

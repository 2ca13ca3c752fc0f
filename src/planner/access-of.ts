import { hasReached } from '../connect/server-version.js';
import { isSameCollation, isSimpleCollation } from '../inventory/collation.js';
import type { IndexDescription } from '../inventory/collection.js';
import { isOrderKnown } from '../inventory/index-key.js';
import type {
  Access,
  IndexScan,
  PlannedCollection,
  PlannedQuery,
  PlannedServer,
  Refusal,
  RefusalReason,
} from './access.js';
import { boundsOf } from './bounds.js';
import { predicateOf } from './filter-predicate.js';
import { type StringComparison, implies } from './implied.js';
import type { OperandType } from './operand.js';
import { isNever, partsOf, withoutCertainParts } from './predicate.js';
import { refusalOf, refusalOfPath } from './refusal.js';
import { bestOf, type Missed, type Search, type Searched, searchesOf } from './search.js';
import { giveOrder, type ReadField, type SearchedField } from './searched-field.js';
import { arraysOf, isCompoundWildcard, isWildcard, keyFieldsOf } from './wildcard.js';

/** What a question to one index is about. */
interface Question {
  readonly index: IndexDescription;
  readonly collection: PlannedCollection;
  readonly query: PlannedQuery;
  readonly server: PlannedServer;
}

/**
 * What the server does with an index for a query, or why it does not use it. The planner knows nothing of values and their
 * number: this says what it may do, and `reads.ts` what that costs.
 */
export function accessOf(
  index: IndexDescription,
  collection: PlannedCollection,
  asked: PlannedQuery,
  server: PlannedServer = {},
): Access | Refusal {
  const query = isOf7(server) ? { ...asked, filter: withoutCertainParts(asked.filter) } : asked;
  const question = { index, collection, query, server };
  const refuse = (because: RefusalReason, path = ''): Refusal => ({ index, because, path });
  if (index.hidden) return refuse('hidden');
  if (index.building === true) return refuse('building');
  if (hasSpecialField(index) || isCompoundWildcard(index)) return refuse('special');
  const isHeld = heldByPartial(question);
  if (isHeld === false) return refuse('partial filter');
  const found = isNever(query.filter) ? NOTHING : searchesOf(partsOf(query.filter), searchedBy(question));
  const chosen = Array.isArray(found) ? bestOf(found) : walkedInOrder(question);
  if (chosen === null) return refuse((found as Missed).because, (found as Missed).path);
  return { ...described(chosen, question), ...(isHeld === null && { hangsOnValues: true as const }) };
}

const NOTHING: Missed = { because: 'operator', path: '' };

function hasSpecialField({ key }: IndexDescription): boolean {
  return !isOrderKnown(key) || Object.values(key).some((kind) => typeof kind === 'string' && kind !== 'hashed');
}

/** Whether a partial index holds every document that is asked for; null if that hangs on values that are not known. */
function heldByPartial({ index, query }: Question): boolean | null {
  if (index.partialFilterExpression === undefined) return true;
  return implies(query.filter, predicateOf(index.partialFilterExpression), stringsOf(index, query));
}

function stringsOf(index: IndexDescription, query: PlannedQuery): StringComparison {
  if (!isSameCollation(index.collation, query.collation)) return 'different';
  return isSimpleCollation(query.collation) ? 'simple' : 'same';
}

/** It simplifies more of a filter, and does not test again what all documents of a partial index meet. */
function isOf7({ version }: PlannedServer): boolean {
  return version !== undefined && hasReached(version, ['7.0.0']);
}

function searchedBy({ index, collection, query, server }: Question): Searched {
  const { partialFilterExpression: filter } = index;
  return {
    collection,
    fieldsFor: (conditions) =>
      keyFieldsOf(
        index,
        collection,
        query,
        conditions.map(({ comparison }) => comparison.path),
      ),
    refusalOf: (condition, field) =>
      (field.position === 0 ? refusalOfPath(field, query.filter, server) : null) ?? refusalOf(condition, field, server),
    isHeld: (predicate) =>
      filter !== undefined &&
      isOf7(server) &&
      implies(predicateOf(filter), predicate, stringsOf(index, query)) === true,
  };
}

/** An index that is searched by nothing may still be read whole, for the order that it gives. */
function walkedInOrder(question: Question): Search | null {
  const { index, query, collection } = question;
  if (
    query.sort.length === 0 ||
    index.sparse ||
    isWildcard(index) ||
    !isSameCollation(index.collation, query.collation)
  )
    return null;
  const [fields = []] = keyFieldsOf(index, collection, query, []);
  const scan = fields.map((field): SearchedField => ({ field, kind: 'all', points: null, by: [] }));
  const testsDocuments = !(query.filter.kind === 'and' && query.filter.of.length === 0);
  const search = { scans: [scan], testsDocuments, mayBeSplit: false };
  return giveOrder([read(scan, question)], query.sort, search.mayBeSplit) ? search : null;
}

function described(search: Search, question: Question): Access {
  const { index, query } = question;
  const { scans, testsDocuments, mayBeSplit, inOneWalk } = search;
  const walks = scans.map((scan) => read(scan, question));
  const givesOrder =
    inOneWalk === undefined || walks.length === 1
      ? giveOrder(walks, query.sort, mayBeSplit)
      : giveOrder([oneWalk(walks, inOneWalk)], query.sort, mayBeSplit || walks[0]?.[0]?.direction !== 0);
  // What is sorted in memory has to be there.
  const needed =
    query.returns === null ? null : [...query.returns, ...(givesOrder ? [] : query.sort.map(([path]) => path))];
  return {
    index,
    scans: scans.map((scan): IndexScan => ({
      bounds: scan.map(({ field: { path }, kind, points, by }) => ({ path, kind, points, by })),
      decides: scan.flatMap(({ field, by }) => by.filter((each) => boundsOf(each, field).rest !== 'documents')),
    })) as [IndexScan, ...IndexScan[]],
    testsDocuments,
    givesOrder,
    covered:
      !testsDocuments &&
      needed !== null &&
      needed.every((path) =>
        scans.every((scan) => scan.some((field) => field.field.path === path && isReadable(field))),
      ),
  };
}

/** As one, of which the first field has so many values; null if it has others than single ones. */
function oneWalk(walks: readonly (readonly ReadField[])[], points: number | null): ReadField[] {
  const [first, ...others] = walks[0]!;
  const isSameOrder = walks.every(([field]) => field!.isSameOrder);
  return [{ ...first!, kind: points === null ? 'range' : 'points', points, isSameOrder }, ...others];
}

/** Whether the values of documents can be read from the keys. Those of a wildcard index that are not bounded are of parts, too. */
function isReadable(searched: SearchedField): boolean {
  const { kind, isMultikey, isCollated } = searched.field;
  if (kind === 'wildcard' && searched.kind === 'all') return false;
  return kind !== 'hashed' && !isMultikey && !(isCollated && mayHoldWords(searched));
}

function read(scan: readonly SearchedField[], { index, collection }: Question): ReadField[] {
  return scan.map((searched) => {
    const { field, kind, points } = searched;
    // Keys of a wildcard index are in the order of paths first, and all below a path are several.
    const direction = field.kind === 'wildcard' ? Number(kind !== 'all') : index.key[field.path];
    return {
      path: field.path,
      kind,
      points,
      direction: typeof direction === 'number' ? (Math.sign(direction) as 1 | -1 | 0) : 0,
      arrays: arraysOf(field.path, collection),
      isSameOrder: field.isSameCollation || !mayHoldWords(searched),
    };
  });
}

/** In the order across types, those that come before strings, objects and arrays, and those that come after them. */
const BEFORE_WORDS: ReadonlySet<OperandType> = new Set(['null', 'number']);
const AFTER_WORDS: ReadonlySet<OperandType> = new Set(['binData', 'objectId', 'bool', 'date', 'timestamp']);

/** Whether keys may be strings, or hold some, whose order in an index is that of its collation. */
function mayHoldWords({ by }: SearchedField): boolean {
  return !by.some(({ comparison: { operator, operand, inExpression }, negated }) => {
    if (negated) return operator === '$exists';
    if (operator === '$mod') return true;
    const isRange = operator.startsWith('$gt') || operator.startsWith('$lt');
    if (!['$eq', '$in', '$type'].includes(operator) && !isRange) return false;
    // An expression compares across types.
    if (isRange && inExpression === true) {
      const wordless = operator.startsWith('$lt') ? BEFORE_WORDS : AFTER_WORDS;
      return [...operand.types].every((type) => wordless.has(type));
    }
    return !['string', 'object', 'array', 'symbol', 'regex'].some((type) => operand.types.has(type as OperandType));
  });
}

import { isSameCollation, isSimpleCollation } from '../inventory/collation.js';
import type { IndexDescription } from '../inventory/collection.js';
import type {
  Access,
  BoundsKind,
  IndexScan,
  PathBounds,
  PlannedCollection,
  PlannedQuery,
  PlannedServer,
  Refusal,
  RefusalReason,
} from './access.js';
import { boundsOf, type Condition, type ConditionBounds, type KeyField } from './bounds.js';
import { type Conjunction, partsOf, partsWithout } from './conjunction.js';
import { implies } from './implied.js';
import { givesOrder, type ReadField } from './order.js';
import { conjunction, predicateOf, type Predicate } from './predicate.js';
import { coversPath, isCompoundWildcard, isWildcard } from './wildcard.js';

/** What a question to one index is about. */
interface Question {
  readonly index: IndexDescription;
  readonly collection: PlannedCollection;
  readonly query: PlannedQuery;
  readonly server: PlannedServer;
}

/** A scan, and whether documents have to be tested on what it finds. */
interface Scanned {
  readonly scan: IndexScan;
  readonly testsDocuments: boolean;
}

/**
 * What the server does with an index for a query, or why it does not use it. The planner knows nothing of values and their
 * number: this says what it may do, and `reads.ts` what that costs.
 */
export function accessOf(
  index: IndexDescription,
  collection: PlannedCollection,
  query: PlannedQuery,
  server: PlannedServer = {},
): Access | Refusal {
  const question = { index, collection, query, server };
  const refuse = (because: RefusalReason, path = ''): Refusal => ({ index, because, path });
  if (index.hidden) return refuse('hidden');
  if (index.building === true) return refuse('building');
  if (hasSpecialField(index) || isCompoundWildcard(index)) return refuse('special');
  const isHeld = heldByPartial(question);
  if (isHeld === false) return refuse('partial filter');
  const found = search(query.filter, question);
  if (!Array.isArray(found)) {
    const walked = walkedInOrder(question);
    return walked ?? refuse(found.because, found.path);
  }
  return {
    ...described(found, question),
    ...(isHeld === null && { hangsOnValues: true as const }),
  };
}

function hasSpecialField({ key }: IndexDescription): boolean {
  return Object.values(key).some((kind) => typeof kind === 'string' && kind !== 'hashed');
}

/** Whether a partial index holds every document that is asked for; null if that hangs on values that are not known. */
function heldByPartial({ index, query }: Question): boolean | null {
  if (index.partialFilterExpression === undefined) return true;
  const isSame = isSameCollation(index.collation, query.collation);
  const strings = !isSame ? 'different' : isSimpleCollation(query.collation) ? 'simple' : 'same';
  return implies(query.filter, predicateOf(index.partialFilterExpression), strings);
}

type Missed = Pick<Refusal, 'because' | 'path'>;

/** The scans that find what a predicate asks for: one, or one for each alternative. */
function search(predicate: Predicate, question: Question): Scanned[] | Missed {
  const parts = partsOf(predicate);
  const own = scanFor(parts, question);
  if (!('because' in own)) return [own];
  for (const branches of parts.alternatives) {
    const rest = conjunction(partsWithout(predicate, branches));
    const each = branches.map((branch) => search(conjunction([branch, rest]), question));
    if (each.length > 0 && each.every((found) => Array.isArray(found))) return each.flat();
  }
  return own;
}

/** A condition as one field of the index meets it. */
interface Met {
  readonly condition: Condition;
  readonly bounds: ConditionBounds;
}

function scanFor({ conditions, alternatives, asksForMore }: Conjunction, question: Question): Scanned | Missed {
  const fields = keyFields(question, conditions);
  const taken: { readonly field: KeyField; readonly met: readonly Met[] }[] = [];
  let missed: Missed | null = null;
  for (const field of fields) {
    const met: Met[] = [];
    for (const condition of conditions.filter(({ comparison }) => comparison.path === field.path)) {
      const bounds = boundsOf(condition, field, question.server);
      if (typeof bounds === 'string') missed ??= { because: bounds, path: field.path };
      else met.push({ condition, bounds });
    }
    taken.push({ field, met: combined(met, field, taken, question.collection) });
    if (field.position === 0 && taken[0]?.met.length === 0) return missed ?? refusalOfFirst(field, conditions);
  }
  if (taken.length === 0) return { because: 'wildcard', path: '' };
  const used = new Map(
    taken.flatMap(({ met }) => met.map(({ condition, bounds }) => [condition, bounds.rest] as const)),
  );
  return {
    scan: { bounds: taken.map(({ field, met }) => pathBounds(field, met)) },
    testsDocuments:
      asksForMore ||
      alternatives.length > 0 ||
      conditions.some((condition) => (used.get(condition) ?? 'documents') === 'documents'),
  };
}

function refusalOfFirst({ path }: KeyField, conditions: readonly Condition[]): Missed {
  const isByPosition = conditions.some(({ comparison }) => withoutPositions(comparison.path) === path);
  return { because: isByPosition ? 'array position' : 'other field', path };
}

function withoutPositions(path: string): string {
  return path
    .split('.')
    .filter((name) => !/^\d+$/.test(name))
    .join('.');
}

/** Of a wildcard index, the field that a query asks for: one alone. */
function keyFields({ index, collection, query }: Question, conditions: readonly Condition[]): KeyField[] {
  const isSame = isSameCollation(index.collation, query.collation);
  const common = { sparse: index.sparse, isSameCollation: isSame };
  const isMultikey = (path: string) => arraysOf(path, collection).length > 0;
  if (!isWildcard(index))
    return Object.entries(index.key).map(([path, kind], position) => ({
      ...common,
      path,
      position,
      kind: kind === 'hashed' ? 'hashed' : 'ordered',
      isMultikey: isMultikey(path),
    }));
  const asked = conditions
    .filter(({ comparison }) => coversPath(index, comparison.path))
    .map(({ comparison: { path } }): KeyField => ({
      ...common,
      path,
      position: 0,
      kind: 'wildcard',
      isMultikey: isMultikey(path),
    }));
  const usable = asked.find((field) =>
    conditions.some((each) => each.comparison.path === field.path && typeof boundsOf(each, field, {}) !== 'string'),
  );
  const first = usable ?? asked[0];
  return first === undefined ? [] : [first];
}

/** The arrays at a path and on the way to it. What is not known counts as none. */
function arraysOf(path: string, collection: PlannedCollection): string[] {
  const names = path.split('.');
  return names
    .map((_, end) => names.slice(0, end + 1).join('.'))
    .filter((each) => collection.holdsArray(each) === true);
}

const KINDS: readonly BoundsKind[] = ['points', 'range', 'type', 'all'];

/**
 * The conditions by which one field is searched together with those before it. Of conditions below one array, each may be met by
 * another element: an index is searched by one of them, unless one element has to meet them all.
 */
function combined(
  met: readonly Met[],
  field: KeyField,
  before: readonly { readonly field: KeyField; readonly met: readonly Met[] }[],
  collection: PlannedCollection,
): readonly Met[] {
  const best = met.toSorted((one, other) => KINDS.indexOf(one.bounds.kind) - KINDS.indexOf(other.bounds.kind));
  const usable = best.filter(({ condition }) =>
    before.every((other) =>
      other.met.every((each) => areOfOne(condition, field.path, each.condition, other.field.path, collection)),
    ),
  );
  const [first] = usable;
  if (first === undefined) return [];
  if (!field.isMultikey) return usable;
  return usable.filter(
    (each) => each === first || areOfOne(each.condition, field.path, first.condition, field.path, collection),
  );
}

/** Whether two conditions are about one and the same element of each array that they share. */
function areOfOne(
  one: Condition,
  path: string,
  other: Condition,
  otherPath: string,
  collection: PlannedCollection,
): boolean {
  const shared = arraysOf(path, collection).filter((array) => arraysOf(otherPath, collection).includes(array));
  if (shared.length === 0) return true;
  const elements = one.elements.filter((element) => other.elements.includes(element)) as { readonly path: string }[];
  const innermost = shared.at(-1);
  return elements.some((element) => element.path === innermost);
}

function pathBounds({ path }: KeyField, met: readonly Met[]): PathBounds {
  const kind = KINDS.find((each) => met.some(({ bounds }) => bounds.kind === each)) ?? 'all';
  return {
    path,
    kind,
    isOneValue: met.some(({ bounds }) => bounds.kind === 'points' && bounds.isOneValue),
    by: met.map(({ condition }) => condition.comparison),
  };
}

function described(found: readonly Scanned[], question: Question): Access {
  const { index, query } = question;
  const testsDocuments = found.some((each) => each.testsDocuments);
  const scans = found.map(({ scan }) => scan) as [IndexScan, ...IndexScan[]];
  return {
    index,
    scans,
    testsDocuments,
    givesOrder: query.sort.length === 0 || scans.every((scan) => isOrdered(scan, question)),
    covered: !testsDocuments && scans.length === 1 && isCovered(scans[0], question),
  };
}

function isOrdered({ bounds }: IndexScan, { index, query, collection }: Question): boolean {
  const isSame = isSameCollation(index.collation, query.collation);
  const fields = bounds.map(({ path, kind, isOneValue, by }): ReadField => {
    const direction = isWildcard(index) ? 1 : index.key[path];
    const types = by.flatMap(({ operand }) => [...operand.types]);
    return {
      path,
      direction: typeof direction === 'number' ? (direction < 0 ? -1 : 1) : 0,
      bounds: isOneValue ? 'one value' : kind === 'type' ? 'range' : kind,
      isMultikey: arraysOf(path, collection).length > 0,
      isSameOrder:
        isSame || (by.length > 0 && !types.some((type) => type === 'string' || type === 'object' || type === 'array')),
    };
  });
  const lists = bounds.flatMap(({ by }) => by.filter(({ operator }) => operator === '$in'));
  return givesOrder(
    fields,
    query.sort,
    (path) => lists.find((each) => each.path === path)?.operand.values?.length ?? null,
  );
}

function isCovered({ bounds }: IndexScan, { index, query, collection }: Question): boolean {
  if (query.returns === null) return false;
  const isOfWords = !isSimpleCollation(index.collation);
  return query.returns.every((path) => {
    const isKey = bounds.some((each) => each.path === path) && index.key[path] !== 'hashed';
    return isKey && !isOfWords && arraysOf(path, collection).length === 0;
  });
}

/** An index that bounds nothing may still be read whole, for the order that it gives. */
function walkedInOrder(question: Question): Access | null {
  const { index, query, collection } = question;
  if (query.sort.length === 0 || index.sparse || index.partialFilterExpression !== undefined || isWildcard(index))
    return null;
  if (!isSameCollation(index.collation, query.collation)) return null;
  const fields = keyFields(question, []);
  if (
    fields.some(({ path }) => arraysOf(path, collection).length > 0 && query.sort.some(([sorted]) => sorted === path))
  )
    return null;
  const scan = { bounds: fields.map((field) => pathBounds(field, [])) };
  const { conditions, alternatives, asksForMore } = partsOf(query.filter);
  const isEmpty = conditions.length + alternatives.length === 0 && !asksForMore;
  const access = described([{ scan, testsDocuments: !isEmpty }], question);
  return access.givesOrder ? access : null;
}

import { nameInField, nameOfTarget, suggestsTarget } from '../../references/suggested-target.js';
import { databaseOf, nameOf } from '../../namespace.js';
import type { ListLengths } from '../../workload/operations/list-tally.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import type { FigureSource, Operation, OperationFigures } from '../../workload/workload.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { queriesOf, type Query } from './query.js';
import type { FieldTypes } from '../../profile/field-types.js';
import type { BsonType } from '../../profile/document-profile.js';
import type { Evidence } from '../../presence.js';

/** Types that hold nothing but identifiers, so that a field of one may lead to a document under any name. */
const OF_IDENTIFIERS: ReadonlySet<BsonType> = new Set(['objectId', 'binData']);
const NUMBERS: readonly BsonType[] = ['int', 'long', 'double', 'decimal'];

/** A read of another collection whose documents seem to give the values of a list. */
export interface ValueSource {
  readonly query: Query;
  readonly base: string;
  readonly stages: readonly ObjectShape[];
  /** The field with the values: `_id` if the list is of references to these documents; null if it is not known. */
  readonly field: '_id' | null;
  readonly executions: number;
  readonly returned: number;
}

interface RecordedLists {
  readonly source: FigureSource;
  readonly lengths: ListLengths;
}

type ReadCluster = Pick<JoinedCluster, 'collections' | 'workload'>;

/** As many executions and values, within this share: some lists may be empty, or ended by the application. */
const TOLERANCE = 0.1;

/** What the same application reads as often, that comes to as many documents as there are values. */
export function valueSource(
  query: Query,
  path: string,
  recorded: RecordedLists,
  cluster: ReadCluster,
): ValueSource | null {
  const { source, lengths } = recorded;
  const figures = query.operation.figures[source];
  const value = elementsOf(query, path);
  if (figures === undefined || lengths.cut !== undefined || value === null) return null;
  const { namespace, database } = query.known.collection;
  const sources = queriesOf(cluster).flatMap((read): ValueSource[] => {
    const { collection, fieldTypes } = read.known;
    const of = read.operation.figures[source];
    if (of === undefined || collection.namespace === namespace || collection.database !== database) return [];
    const returned = isRead(read) ? of.documentsReturned : null;
    if (returned === null || !isNear(returned, lengths.values) || !isNear(of.executions, lengths.executions)) return [];
    if (!isRunBySame(figures, of)) return [];
    const isReference = suggestsTarget(nameInField(path), nameOfTarget(nameOf(collection.namespace)));
    if (!isReference && !holdsValueFor({ query, path, value }, fieldTypes)) return [];
    const traced = cluster.workload.tracedOperations.find(({ operation }) => operation === read.operation);
    if (traced === undefined || databaseOf(traced.base) !== database) return [];
    const field = isReference && path !== '_id' ? '_id' : null;
    return [{ query: read, base: traced.base, stages: traced.stages, field, executions: of.executions, returned }];
  });
  return sources.length === 1 ? (sources[0] ?? null) : null;
}

/** The placeholder of the list's values; null if they are of several types. */
function elementsOf({ conditions, operation }: Query, path: string): string | null {
  const isAsked = conditions.all.some((each) => each.path === path && each.operator === '$in');
  if (!isAsked) return null;
  const [, type] = /^\?array<(\?\w+)>$/.exec(String(listIn(operation, path))) ?? [];
  return type ?? null;
}

function listIn({ shape }: Operation, path: string): unknown {
  const filters = [shape.filter, ...(shape.pipeline ?? []).map(({ $match }) => $match)];
  return filters
    .map((filter) => (filter as Record<string, ObjectShape | undefined> | undefined)?.[path]?.['$in'])
    .find((list) => list !== undefined);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE * other;
}

function isRead({ operation: { shape } }: Query): boolean {
  return (shape.kind === 'find' || shape.kind === 'aggregate') && shape.truncated !== true;
}

function isRunBySame({ clients = [] }: OperationFigures, { clients: others = [] }: OperationFigures): boolean {
  const isUnknown = clients.length === 0 || others.length === 0;
  return isUnknown || clients.some(({ appName }) => others.some((other) => other.appName === appName));
}

/**
 * Whether documents hold what a find asks for: a field of the type of its value, whose name suggests the field or the
 * collection that is searched. Identifiers need no name. False if the fields are not known.
 *
 * @param asked a find by one value, a placeholder such as `?objectId`, of one field
 */
export function holdsValueFor(
  { query, path, value }: { readonly query: Query; readonly path: string; readonly value: string },
  fieldTypes: Evidence<FieldTypes> | undefined,
): boolean {
  if (fieldTypes?.present !== true) return false;
  const wanted = typesOf(value);
  const target = nameOfTarget(query.known.collection.name);
  return fieldTypes.value.fields.some((field) => {
    const shared = wanted.filter((type) => (field.types[type] ?? 0) > 0);
    if (field.path === '_id' || shared.length === 0) return false;
    const name = nameInField(field.path);
    const isNamed = suggestsTarget(name, target) || (path !== '_id' && name !== null && name === nameInField(path));
    return isNamed || (path === '_id' && shared.some((type) => OF_IDENTIFIERS.has(type)));
  });
}

function typesOf(placeholder: string): readonly BsonType[] {
  const type = placeholder.replace(/^\?/, '');
  return type === 'number' ? NUMBERS : [type as BsonType];
}

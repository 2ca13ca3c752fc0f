import type { BsonType, Evidence, FieldTypes } from '../../check.js';
import { placesOf } from '../../code/explains.js';
import { databaseOf, nameOf } from '../../namespace.js';
import { queryPath } from '../../profile/path-steps.js';
import { typesOfFamily } from '../../profile/type-families.js';
import { nameInField, nameOfTarget, suggestsTarget } from '../../references/suggested-target.js';
import { BURST_MS, type Burst } from '../../workload/operations/list-tally.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import { FIGURE_SOURCES, type Operation, type OperationFigures } from '../../workload/workload.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { valuesAt } from '../joins/joined-values.js';
import { queriesOf, type Query } from './query.js';

/** A read by one value of one field that an application repeats within seconds. */
export interface RepeatedFind {
  readonly query: Query;
  /** The field that it asks for. */
  readonly path: string;
  /** Placeholder of the value: `?objectId`. */
  readonly value: string;
  readonly busiest: Burst;
  /** How many times its average over the recorded time that is; null if it was recorded too briefly to say. */
  readonly timesAverage: number | null;
  /** What the application read that came to as many documents; null if nothing did. */
  readonly list: ListRead | null;
}

/** Documents of a list, for each of which a find follows. */
export interface ListRead {
  readonly operation: Operation;
  readonly base: string;
  readonly stages: readonly ObjectShape[];
  readonly executions: number;
  readonly returned: number;
  /** An array of the documents that holds the values; absent if they have one each. */
  readonly array?: { readonly path: string; readonly values: number };
}

/** Types that hold nothing but identifiers, so that a field of one may lead to a document under any name. */
const OF_IDENTIFIERS: ReadonlySet<BsonType> = new Set(['objectId', 'binData']);

/** Spans of ten seconds that an average needs. */
const LEAST_SPANS = 60;
/** Documents per execution from which a read is one of a list; one, if the source shows a loop. */
const LIST = 5;
/** Executions within ten seconds that do if the source shows a loop: a test has few documents. Judgement. */
const IN_LOOP = 20;

export function repeatedFinds(cluster: JoinedCluster, least: number): RepeatedFind[] {
  return queriesOf(cluster).flatMap((query): RepeatedFind[] => {
    const asked = askedValue(query);
    const recorded = busiestSource(query.operation);
    if (asked === null || recorded === null || recorded.busiest.executions < Math.min(least, IN_LOOP)) return [];
    const isLooped = isSentInLoop(query, cluster);
    if (!isLooped && recorded.busiest.executions < least) return [];
    const { busiest, executions, window } = recorded;
    const span = window === null ? 0 : window.to - window.from;
    const isBrief = span < LEAST_SPANS * BURST_MS;
    const timesAverage = isBrief ? null : busiest.executions / (executions / (span / BURST_MS));
    const list = listBehind({ query, ...asked }, recorded, { isBrief, fewest: isLooped ? 1 : LIST }, cluster);
    return [{ query, ...asked, busiest, timesAverage, list }];
  });
}

/** Whether every line of the application that may send it stands in a loop. */
function isSentInLoop({ operation }: Query, { code }: JoinedCluster): boolean {
  const places = placesOf(operation.shape, code?.places ?? []).filter(({ role }) => role === 'application');
  return places.length > 0 && places.every(({ repeats }) => repeats === true);
}

const READS: ReadonlySet<string> = new Set(['find', 'count', 'aggregate', 'distinct']);

/** Null if it asks stored documents for anything but one value of one field, beside conditions that are always the same. */
function askedValue({ operation: { shape }, known, filters, joins }: Query): { path: string; value: string } | null {
  if (!READS.has(shape.kind) || shape.truncated === true || joins) return null;
  const [filter = {}, ...further] = filters;
  if (shape.namespace !== known.collection.namespace || further.length > 0) return null;
  const [field, ...others] = Object.entries(filter).filter(([, condition]) => !isConstant(condition));
  if (field === undefined || others.length > 0) return null;
  const [path, condition] = field as [string, ObjectShape];
  const value = Object.keys(condition).length === 1 ? condition['$eq'] : undefined;
  return typeof value === 'string' && !/^\$|\*/.test(path) ? { path, value } : null;
}

const CONSTANTS: ReadonlySet<unknown> = new Set(['?bool', '?null']);

/** Whether a condition has no value of which there are many. */
function isConstant(condition: Shape): boolean {
  return (
    isObjectShape(condition) &&
    Object.entries(condition).every(
      ([operator, value]) => operator === '$exists' || (operator === '$eq' && CONSTANTS.has(value)),
    )
  );
}

/** The figures of one source. */
interface Recorded extends OperationFigures {
  readonly source: (typeof FIGURE_SOURCES)[number];
  readonly busiest: Burst;
}

function busiestSource({ figures }: Operation): Recorded | null {
  const recorded = FIGURE_SOURCES.flatMap((source): Recorded[] => {
    const { busiest, ...of } = figures[source] ?? {};
    return busiest === undefined ? [] : [{ ...(of as OperationFigures), source, busiest }];
  });
  return recorded.toSorted((one, other) => other.busiest.executions - one.busiest.executions)[0] ?? null;
}

type AskedValue = Pick<RepeatedFind, 'query' | 'path' | 'value'>;

/** In the same database: across two, equal numbers are chance. */
function listBehind(
  asked: AskedValue,
  recorded: Recorded,
  { isBrief, fewest }: { readonly isBrief: boolean; readonly fewest: number },
  { collections, workload }: JoinedCluster,
): ListRead | null {
  const { executions } = recorded;
  const { operation: find, known } = asked.query;
  const lists = workload.tracedOperations.flatMap(({ operation, base, stages }): ListRead[] => {
    const figures = operation.figures[recorded.source];
    if (figures === undefined || operation === find || databaseOf(base) !== known.collection.database) return [];
    const { kind } = operation.shape;
    const returned = figures.documentsReturned;
    if ((kind !== 'find' && kind !== 'aggregate') || returned === null) return [];
    // Lists may overlap, and a find may also run for itself; of minutes, the numbers alone tell. Judgement.
    const { least, most } = isBrief ? { least: 0.9, most: 1.1 } : { least: 0.5, most: 1.25 };
    const isOfLists = (values: number) =>
      values >= fewest * figures.executions && executions >= least * values && executions <= most * values;
    if (!isRunBy(recorded.busiest, figures) || !isTimed(recorded, figures, isBrief)) return [];
    const found = { operation, base, stages, executions: figures.executions, returned };
    return fieldsHolding(asked, base, collections.get(base)?.fieldTypes).flatMap(({ path, each }): ListRead[] => {
      if (!isOfLists(returned * (each ?? 1))) return [];
      return [each === null ? found : { ...found, array: { path, values: Math.round(returned * each) } }];
    });
  });
  const distance = ({ returned, array }: ListRead) => Math.abs(Math.log(executions / (array?.values ?? returned)));
  return lists.toSorted((one, other) => distance(one) - distance(other))[0] ?? null;
}

/**
 * Whether finds begin with the first list and end with the last, up to a burst and the usual pause between lists apart; within
 * minutes, no find comes before its list.
 */
function isTimed(
  { window: finds }: OperationFigures,
  { window: lists, executions }: OperationFigures,
  isBrief: boolean,
) {
  if (finds === null || lists === null) return true;
  const [begun, ended] = [finds.from - lists.from, finds.to - lists.to];
  const pause = BURST_MS + (lists.to - lists.from) / executions;
  return Math.max(Math.abs(begun), Math.abs(ended)) <= pause && (!isBrief || (begun >= 0 && ended >= 0));
}

function isRunBy({ appName }: Burst, { clients = [] }: OperationFigures): boolean {
  return appName === null
    ? clients.every((each) => each.appName === null)
    : clients.some((each) => each.appName === appName);
}

/** A field of a list's documents. */
interface HeldValue {
  /** As a query names it. */
  readonly path: string;
  /** Values in a document on average, if they are in an array; null for one. */
  readonly each: number | null;
}

/**
 * Where documents hold what a find asks for: fields of the type of its value, whose name suggests the field or the
 * collection that is searched, or their own `_id`, if the field that is searched names them. Identifiers need no name when they
 * lead to an `_id`. None if the fields are not known.
 */
function fieldsHolding(
  { query, path, value }: AskedValue,
  base: string,
  fieldTypes: Evidence<FieldTypes> | undefined,
): readonly HeldValue[] {
  if (fieldTypes?.present !== true) return [];
  const type = value.replace(/^\?/, '');
  const wanted = type === 'number' ? typesOfFamily('number') : [type as BsonType];
  const target = nameOfTarget(query.known.collection.name);
  const isHolding = (field: FieldTypes['fields'][number]) => {
    const shared = wanted.filter((each) => (field.types[each] ?? 0) > 0);
    if (shared.length === 0) return false;
    if (field.path === '_id') return path !== '_id' && suggestsTarget(nameInField(path), nameOfTarget(nameOf(base)));
    const name = nameInField(field.path);
    const isNamed = suggestsTarget(name, target) || (path !== '_id' && name !== null && name === nameInField(path));
    return isNamed || (path === '_id' && shared.some((each) => OF_IDENTIFIERS.has(each)));
  };
  return fieldTypes.value.fields.filter(isHolding).map((field) => {
    const each = queryPath(field.path);
    return { path: each, each: valuesAt(fieldTypes.value, each)?.elementsPerArray ?? null };
  });
}

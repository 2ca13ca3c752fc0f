import type { Document } from 'mongodb';
import { databaseOf } from '../../namespace.js';
import type { OperationKind, OperationShape } from '../workload.js';
import { projectionShape } from './expression-shape.js';
import { filterShape } from './filter-shape.js';
import { pipelineShape } from './pipeline-shape.js';
import { literalPlaceholder, scalarText, type LiteralReader } from './placeholder.js';
import { type ObjectShape, REGULAR_EXPRESSION_IN_KEY, SCRIPT_IN_KEY, type Shape, shapeKey } from './shape.js';
import { slicesOf, type Slices } from './slices.js';
import { fieldPath, sortShape } from './sort-shape.js';

const PUSH_MODIFIERS = new Set(['$each', '$slice', '$position', '$sort']);

export interface RecordedCommand {
  readonly kind: OperationKind;
  readonly namespace: string;
  readonly command: Document;
  readonly truncated: boolean;
}

export interface ReadShape {
  readonly shape: OperationShape;
  readonly key: string;
  readonly longestLiteralArray: number;
  readonly slices: Slices;
}

export function readShape(command: RecordedCommand): ReadShape {
  let longestLiteralArray = 0;
  const shape = operationShape(command, (value) => {
    if (Array.isArray(value)) longestLiteralArray = Math.max(longestLiteralArray, value.length);
    return literalPlaceholder(value);
  });
  return { shape, key: operationKey(shape), longestLiteralArray, slices: slicesOf(command.command) };
}

export function operationShape(
  { kind, namespace, command, truncated }: RecordedCommand,
  literal: LiteralReader,
): OperationShape {
  const collation = collationOf(command['collation']);
  return {
    namespace,
    kind,
    ...argumentShapes(kind, command, databaseOf(namespace), literal),
    ...(collation !== undefined && { collation }),
    ...(truncated && { truncated }),
  };
}

export function operationKey(shape: OperationShape): string {
  return shapeKey(shape as unknown as Shape);
}

/** The key without what `$queryStats` lacks: flags of regular expressions, and scripts. */
export function keyWithoutDetails(key: string): string {
  return key.replaceAll(REGULAR_EXPRESSION_IN_KEY, '?regex\0').replaceAll(SCRIPT_IN_KEY, '$where\0?javascript\0');
}

type Arguments = Omit<OperationShape, 'namespace' | 'kind' | 'collation' | 'truncated'>;

function argumentShapes(kind: OperationKind, command: Document, database: string, literal: LiteralReader): Arguments {
  switch (kind) {
    case 'aggregate':
      return { pipeline: pipelineShape(command['pipeline'], database, literal) };
    case 'find':
      return {
        ...filterAndSort(command, 'filter', literal),
        ...projection(command['projection'], literal),
        ...limited(command),
        ...(command['tailable'] === true && { tailable: true }),
      };
    case 'count':
      return { ...filterAndSort(command, 'query', literal), ...limited(command) };
    case 'distinct':
      return { ...filterAndSort(command, 'query', literal), distinctField: fieldPath(scalarText(command['key'])) };
    case 'update':
      return {
        ...filterAndSort(command, 'q', literal),
        update: updateShape(command['u'], database, literal),
        ...(command['multi'] === true && { multi: true }),
        ...upserting(command),
      };
    case 'delete':
      return {
        ...filterAndSort(command, 'q', literal),
        ...(Number(scalarText(command['limit'] ?? 0)) === 0 && { multi: true }),
      };
    case 'findAndModify':
      return {
        ...filterAndSort(command, 'query', literal),
        ...(command['update'] !== undefined && { update: updateShape(command['update'], database, literal) }),
        ...upserting(command),
        ...projection(command['fields'], literal),
      };
    default:
      return {};
  }
}

function filterAndSort(
  command: Document,
  filterName: string,
  literal: LiteralReader,
): Pick<Arguments, 'filter' | 'sort'> {
  const sort: ObjectShape = sortShape(command['sort']);
  return {
    filter: filterShape(command[filterName] ?? {}, literal),
    ...(Object.keys(sort).length > 0 && { sort }),
  };
}

function projection(fields: unknown, literal: LiteralReader): Pick<Arguments, 'projection'> {
  const shape = projectionShape(fields ?? {}, literal);
  return Object.keys(shape).length > 0 ? { projection: shape } : {};
}

/** `$queryStats` gives a limit as a placeholder. A limit of 0 means no limit. */
function limited(command: Document): { limited?: true } {
  const limit: unknown = command['limit'];
  return limit === undefined || scalarText(limit) === '0' ? {} : { limited: true };
}

function upserting(command: Document): { upsert?: true } {
  return command['upsert'] === true ? { upsert: true } : {};
}

/** Some drivers write the default, others leave it out. */
function collationOf(collation: unknown): Document | undefined {
  if (typeof collation !== 'object' || collation === null) return undefined;
  const settings = Object.entries(collation as Document).filter(([, value]) => typeof value !== 'object');
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}

/** What an update does: operators with the paths they write, stages, or `?object` for a replacement. */
function updateShape(update: unknown, database: string, literal: LiteralReader): Shape {
  if (Array.isArray(update)) return pipelineShape(update, database, literal) as unknown as Shape;
  if (typeof update !== 'object' || update === null) return '?object';
  const entries = Object.entries(update);
  if (entries[0]?.[0].startsWith('$') !== true) return '?object';
  return Object.fromEntries(entries.map(([operator, fields]) => [operator, operandShapes(operator, fields, literal)]));
}

function operandShapes(operator: string, fields: unknown, literal: LiteralReader): Shape {
  if (typeof fields !== 'object' || fields === null) return '?object';
  return Object.fromEntries(
    Object.entries(fields).map(([path, operand]) => [fieldPath(path), operandShape(operator, operand, literal)]),
  );
}

function operandShape(operator: string, operand: unknown, literal: LiteralReader): Shape {
  if (operator === '$rename') return typeof operand === 'string' ? fieldPath(operand) : '?string';
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return literal(operand);
  const [first] = Object.keys(operand);
  if (first === undefined || !first.startsWith('$')) return literal(operand);
  if (operator === '$pull') return filterShape({ element: operand }, literal)['element'] ?? '?object';
  if (!PUSH_MODIFIERS.has(first)) return literal(operand);
  return Object.fromEntries(
    Object.entries(operand).map(([name, value]) => [name, name === '$sort' ? pushOrder(value) : literal(value)]),
  );
}

function pushOrder(order: unknown): Shape {
  return typeof order === 'object' ? sortShape(order) : '?number';
}

import type { Document } from 'mongodb';
import { databaseOf } from '../../namespace.js';
import { fieldPath } from './field-path.js';
import { filterShape } from './filter-shape.js';
import { pipelineShape } from './pipeline-shape.js';
import type { LiteralReader } from './placeholder.js';
import { projectionShape } from './projection-shape.js';
import { scalarText } from './scalar-text.js';
import { shapeKey, REGULAR_EXPRESSION_IN_KEY, SCRIPT_IN_KEY, type ObjectShape, type Shape } from './shape.js';
import { sortShape } from './sort-shape.js';
import { updateShape } from './update-shape.js';
import type { OperationKind, OperationShape } from '../workload.js';

export interface RecordedCommand {
  readonly kind: OperationKind;
  readonly namespace: string;
  readonly command: Document;
  readonly truncated: boolean;
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
export function operationKeyWithoutDetails(shape: OperationShape): string {
  return operationKey(shape)
    .replaceAll(REGULAR_EXPRESSION_IN_KEY, '?regex\0')
    .replaceAll(SCRIPT_IN_KEY, '$where\0?javascript\0');
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

/** Some drivers write the default, others leave it out. */
function collationOf(collation: unknown): Document | undefined {
  if (typeof collation !== 'object' || collation === null) return undefined;
  const settings = Object.entries(collation as Document).filter(([, value]) => typeof value !== 'object');
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}

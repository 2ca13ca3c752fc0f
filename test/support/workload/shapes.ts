import type { Document } from 'mongodb';
import { operationShape } from '../../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import type { OperationKind, OperationShape } from '../../../src/workload/workload.js';

/** The shape of a command on `shop.orders`. */
export function shapeOf(kind: OperationKind, command: Document): OperationShape {
  return operationShape({ kind, namespace: 'shop.orders', command, truncated: false }, literalPlaceholder);
}

/** The shape of a filter. */
export function filterOf(filter: Document): unknown {
  return shapeOf('find', { filter }).filter;
}

/** The shapes of stages. */
export function pipelineOf(...pipeline: Document[]): unknown {
  return shapeOf('aggregate', { pipeline }).pipeline;
}

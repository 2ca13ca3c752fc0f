import type { Document } from 'mongodb';
import { operationShape } from '../../src/evidence/workload/operation-shape.js';
import { literalPlaceholder } from '../../src/evidence/workload/placeholder.js';
import type { OperationKind, OperationShape } from '../../src/evidence/workload/workload.js';

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

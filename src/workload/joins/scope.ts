import { isObjectShape, type ObjectShape, type PipelineShape, type Shape } from '../shapes/shape.js';
import type { ResolvedView } from '../workload.js';

export type Views = ReadonlyMap<string, ResolvedView>;

export function viewsByNamespace(views: readonly ResolvedView[]): Views {
  return new Map(views.map((view) => [view.namespace, view]));
}

/** A variable of `let`: an expression of the documents at the point where its join stands. */
export interface Variable {
  readonly expression: Shape;
  readonly scope: Scope;
}

/** A point in a pipeline: the documents that arrive there, and what is known of them. */
export interface Scope {
  readonly namespace: string;
  readonly base: string;
  /** Every stage before the point, those of views first. */
  readonly stages: readonly ObjectShape[];
  readonly variables: ReadonlyMap<string, Variable>;
  readonly views: Views;
  readonly depth: number;
}

/** A namespace's documents, and the stages of its views. */
export function openScope(
  namespace: string,
  views: Views,
  variables: Scope['variables'],
  depth: number,
): { scope: Scope; view: PipelineShape } {
  const view = views.get(namespace);
  const scope = { namespace, base: view?.base ?? namespace, stages: [], variables, views, depth };
  return { scope, view: view?.pipeline ?? NO_STAGES };
}

export function after(scope: Scope, stages: readonly ObjectShape[]): Scope {
  return { ...scope, stages: [...scope.stages, ...stages] };
}

export const NO_STAGES = [] as unknown as PipelineShape;

export function stagesOf(shape: Shape | undefined): PipelineShape {
  return Array.isArray(shape) ? (shape.filter(isObjectShape) as unknown as PipelineShape) : NO_STAGES;
}

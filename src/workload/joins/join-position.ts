import { isObjectShape, type ObjectShape, type PipelineShape, type Shape } from '../shapes/shape.js';
import type { ResolvedView } from '../workload.js';
import type { JoinPosition } from './join.js';
import { below, referencesOf, stageOf, type NamedStage } from './references.js';

export const NO_STAGES = [] as unknown as PipelineShape;

const REDUCING = new Set(['$match', '$limit', '$sample', '$group']);

export function joinPosition(local: Scope, following: readonly ObjectShape[], as: string | null): JoinPosition {
  const before = local.stages.map(stageOf);
  const isFiltered = ({ name, body }: NamedStage) => name === '$match' && as !== null && readsField(body, as);
  return {
    afterUnwind: before.flatMap(({ name, body }) => (name === '$unwind' ? [unwoundPath(body)] : [])),
    filteredAfter:
      !before.some(({ name }) => REDUCING.has(name)) && untilGroup(following.map(stageOf)).some(isFiltered),
  };
}

/** After a `$group` the documents are others, and so are the fields that a `$match` reads. */
function untilGroup(stages: readonly NamedStage[]): readonly NamedStage[] {
  const group = stages.findIndex(({ name }) => name === '$group');
  return group === -1 ? stages : stages.slice(0, group);
}

function readsField(filter: Shape, field: string): boolean {
  if (Array.isArray(filter)) return filter.some((part: Shape) => readsField(part, field));
  if (!isObjectShape(filter)) return false;
  return Object.entries(filter).some(([subject, operand]) => {
    if (subject === '$expr') return [...referencesOf(operand).fields].some((path) => below(path, field) !== null);
    if (subject.startsWith('$')) return readsField(operand, field);
    return below(subject, field) !== null;
  });
}

function unwoundPath(body: Shape): string {
  const path = isObjectShape(body) ? body['path'] : body;
  return String(path).replace(/^\$/, '');
}

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

export function stagesOf(shape: Shape | undefined): PipelineShape {
  return Array.isArray(shape) ? (shape.filter(isObjectShape) as unknown as PipelineShape) : NO_STAGES;
}

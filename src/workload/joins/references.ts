import { isObjectShape, type ObjectShape, type PipelineShape, type Shape } from '../shapes/shape.js';
import type { ResolvedView } from '../workload.js';
import type { JoinPosition } from './join.js';

export const NO_STAGES = [] as unknown as PipelineShape;

export type Views = ReadonlyMap<string, ResolvedView>;

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

const DOCUMENT_VARIABLES = new Set(['ROOT', 'CURRENT']);

export interface References {
  /** Paths of the document; the empty path is the whole document. */
  readonly fields: ReadonlySet<string>;
  /** Names of all variables, also those of the system and those bound by the expression itself. */
  readonly variables: ReadonlySet<string>;
}

export function referencesOf(expression: Shape): References {
  const fields = new Set<string>();
  const variables = new Set<string>();
  const visit = (shape: Shape): void => {
    if (typeof shape === 'string') {
      const field = fieldOf(shape);
      const variable = variableOf(shape);
      if (field !== null) fields.add(field);
      if (variable !== null) variables.add(variable.name);
    } else if (typeof shape === 'object') Object.values(shape).forEach(visit);
  };
  visit(expression);
  return { fields, variables };
}

/** `$a.b`, `$$ROOT.a.b`, `$$CURRENT.a.b`: empty for the whole document, null for anything else. */
export function fieldOf(expression: Shape): string | null {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return null;
  if (!expression.startsWith('$$')) return expression.slice(1);
  const [name = '', ...path] = expression.slice(2).split('.');
  return DOCUMENT_VARIABLES.has(name) ? path.join('.') : null;
}

/** Name and path in `$$name.path`; null for anything else. */
export function variableOf(expression: Shape): { name: string; path: string } | null {
  if (typeof expression !== 'string' || !expression.startsWith('$$')) return null;
  const [name = '', ...path] = expression.slice(2).split('.');
  return DOCUMENT_VARIABLES.has(name) ? null : { name, path: path.join('.') };
}

export function operatorOf(expression: Shape): { operator: string; operand: Shape } | null {
  if (!isObjectShape(expression)) return null;
  const [entry] = Object.entries(expression);
  return entry?.[0].startsWith('$') === true ? { operator: entry[0], operand: entry[1] } : null;
}

/** An operator's arguments: a single one need not be in an array. */
export function argumentsOf(operand: Shape): readonly Shape[] {
  return Array.isArray(operand) ? operand : [operand];
}

interface NamedStage {
  readonly name: string;
  readonly body: Shape;
}

export function stageOf(stage: ObjectShape): NamedStage {
  const [name = '', body = '?object'] = Object.entries(stage)[0] ?? [];
  return { name, body };
}

/** The rest of a path below a prefix: empty if they are equal, null if the path is not below it. */
export function below(path: string, prefix: string): string | null {
  if (path === prefix) return '';
  return path.startsWith(`${prefix}.`) ? path.slice(prefix.length + 1) : null;
}

/** Whether two paths are equal, or one is below the other. */
export function overlap(one: string, other: string): boolean {
  return below(one, other) !== null || below(other, one) !== null;
}

export function joined(path: string, rest: string): string {
  return path === '' ? rest : rest === '' ? path : `${path}.${rest}`;
}

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

export function viewsByNamespace(views: readonly ResolvedView[]): Views {
  return new Map(views.map((view) => [view.namespace, view]));
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

import { isObjectShape, type ObjectShape, type Shape } from '../shapes/shape.js';

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

export interface NamedStage {
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

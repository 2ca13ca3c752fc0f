import { isObjectShape, type ObjectShape, type Shape } from '../shapes/shape.js';
import type { Origin } from './join.js';
import {
  after,
  argumentsOf,
  fieldOf,
  joined,
  openScope,
  operatorOf,
  type Scope,
  stageOf,
  stagesOf,
  variableOf,
} from './references.js';
import { stageEffect } from './stage-effect.js';

/** A field followed back, and what keeps the server from comparing it before the stages in between. */
export interface Trace {
  readonly origin: Origin;
  /** The nearest stage that blocks a comparison, and how; null if none does. */
  readonly barrier: { readonly kind: 'stage' | 'nested-rename'; readonly stage: string } | null;
}

export const CONVERSIONS: ReadonlySet<string> = new Set([
  '$toString',
  '$toObjectId',
  '$toInt',
  '$toLong',
  '$toDouble',
  '$toDecimal',
  '$toDate',
  '$toBool',
  '$convert',
]);

const PICKS = new Set(['$ifNull', '$arrayElemAt', '$first', '$last']);

/** The server refuses deeper nesting of pipelines, and deeper chains of views. Source: `kMaxSubPipelineDepth` in its `expression_context.h`. */
export const DEEPEST_NESTING = 20;

export function traceField(path: string, scope: Scope, inExpression: boolean): Trace {
  let current = path;
  let barrier: Trace['barrier'] = null;
  for (let index = scope.stages.length - 1; index >= 0; index -= 1) {
    const stage = scope.stages[index] as ObjectShape;
    const { name, body } = stageOf(stage);
    const effect = stageEffect(stage, current, inExpression);
    const before = { ...scope, stages: scope.stages.slice(0, index) };
    const here = { kind: 'stage', stage: name } as const;
    switch (effect.kind) {
      case 'field':
        current = effect.path;
        if (effect.barrier !== null) barrier ??= { kind: effect.barrier, stage: name };
        break;
      case 'expression':
        return { origin: originOf(effect.expression, before), barrier: here };
      case 'joined':
        return { origin: joinedOrigin(name, body, effect.path, before), barrier: here };
      case 'removed':
        return { origin: { traced: false, because: 'removed', stage: name }, barrier };
      default:
        return { origin: { traced: false, because: 'opaque-stage', stage: name }, barrier: here };
    }
  }
  return { origin: { traced: true, namespace: scope.base, path: current, conversion: null }, barrier };
}

export function originOf(expression: Shape, scope: Scope): Origin {
  const field = fieldOf(expression);
  if (field !== null) return field === '' ? COMPUTED : traceField(field, scope, true).origin;
  const variable = variableOf(expression);
  if (variable !== null) return variableOrigin(variable, scope);
  if (typeof expression !== 'object') return { traced: false, because: 'constant', stage: null };
  const operation = operatorOf(expression);
  if (operation === null) return COMPUTED;
  const [first] = inputsOf(operation.operand);
  if (first === undefined) return COMPUTED;
  if (PICKS.has(operation.operator)) return originOf(first, scope);
  if (!CONVERSIONS.has(operation.operator)) return COMPUTED;
  const origin = originOf(first, scope);
  return origin.traced ? { ...origin, conversion: conversionOf(operation.operator, operation.operand) } : origin;
}

const COMPUTED: Origin = { traced: false, because: 'computed', stage: null };

function variableOrigin({ name, path }: { name: string; path: string }, { variables }: Scope): Origin {
  const variable = variables.get(name);
  // A variable of the system, or one that the command itself sets.
  if (variable === undefined) return { traced: false, because: 'constant', stage: null };
  const { expression, scope } = variable;
  if (path === '') return originOf(expression, scope);
  const document = fieldOf(expression);
  if (document !== null) return traceField(joined(document, path), scope, true).origin;
  const outer = variableOf(expression);
  if (outer !== null) return variableOrigin({ name: outer.name, path: joined(outer.path, path) }, scope);
  const origin = originOf(expression, scope);
  return origin.traced ? { ...origin, path: joined(origin.path, path) } : origin;
}

function joinedOrigin(stage: string, body: Shape, path: string, scope: Scope): Origin {
  const from = isObjectShape(body) ? body['from'] : undefined;
  if (typeof from !== 'string' || path === '' || scope.depth >= DEEPEST_NESTING)
    return { traced: false, because: 'computed', stage };
  const { scope: foreign, view } = openScope(from, scope.views, scope.variables, scope.depth + 1);
  const own = isObjectShape(body) && stage === '$lookup' ? stagesOf(body['pipeline']) : [];
  return traceField(path, after(foreign, [...view, ...own]), false).origin;
}

function inputsOf(operand: Shape): readonly Shape[] {
  return isObjectShape(operand) && operatorOf(operand) === null
    ? [operand['input'] ?? '?object']
    : argumentsOf(operand);
}

/** `$convert` is named by its target type, the other operators by their names. */
function conversionOf(operator: string, operand: Shape): string {
  const to = operator === '$convert' && isObjectShape(operand) ? operand['to'] : undefined;
  return typeof to === 'string' && !to.startsWith('?') ? `$convert to ${to}` : operator;
}

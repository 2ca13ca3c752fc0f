import { isObjectShape, type ObjectShape, type Shape } from '../shapes/shape.js';
import { DATA_NAME } from '../shapes/sort-shape.js';
import {
  alternatives,
  comparisonsOf,
  together,
  type Comparison,
  type Comparisons,
  type IsOuterVariable,
} from './comparison.js';
import type { Hindrance, Indexability, JoinCondition, JoinKey } from './join.js';
import { after, fieldOf, type Scope, stageOf, variableOf } from './references.js';
import { originOf, traceField, type Trace } from './trace.js';

export interface Correlation {
  readonly keys: readonly JoinKey[];
  readonly conditions: readonly JoinCondition[];
}

/** Reads every `$match` of a join's pipeline, whose documents are `foreign`; `local` is where the join stands. */
export function correlationOf(foreign: Scope, stages: readonly ObjectShape[], local: Scope): Correlation {
  const keys: JoinKey[] = [];
  const conditions: JoinCondition[] = [];
  const isOuter: IsOuterVariable = (name) => foreign.variables.has(name);
  stages.forEach((stage, index) => {
    const { name, body } = stageOf(stage);
    if (name !== '$match') return;
    const at = after(foreign, stages.slice(0, index));
    const { keys: comparisons } = filterComparisons(body, isOuter);
    keys.push(...comparisons.map((comparison) => joinKey(comparison, at, local)));
    conditions.push(...conditionsOf(body, isOuter, at));
  });
  return { keys, conditions };
}

export function conditionsOf(filter: Shape | undefined, isOuter: IsOuterVariable, at: Scope): JoinCondition[] {
  return filterComparisons(filter, isOuter).constants.map(({ foreign, operator, operand }) => {
    const { origin, barrier } = traceField(foreign, at, false);
    const isField = origin.traced && origin.namespace === at.base && origin.conversion === null;
    return { path: isField ? origin.path : null, operator, operand, isIndexable: isField && barrier === null };
  });
}

function filterComparisons(filter: Shape | undefined, isOuter: IsOuterVariable): Comparisons {
  if (!isObjectShape(filter)) return { keys: [], constants: [] };
  return together(
    Object.entries(filter).map(([subject, operand]): Comparisons => {
      const branches = Array.isArray(operand) ? operand.map((branch: Shape) => filterComparisons(branch, isOuter)) : [];
      if (subject === '$expr') return comparisonsOf(operand, isOuter);
      if (subject === '$and') return together(branches);
      if (subject === '$or') return alternatives(branches);
      if (subject === '$nor') return negated(branches);
      if (subject.startsWith('$') || !isObjectShape(operand)) return { keys: [], constants: [] };
      const constants = Object.entries(operand).map(([operator, value]) => ({
        foreign: subject,
        operator,
        operand: value,
      }));
      return { keys: [], constants };
    }),
  );
}

function negated(branches: readonly Comparisons[]): Comparisons {
  const { keys } = together(branches);
  const negatedKeys = keys.map((key): Comparison =>
    Object.assign({}, key, { hindrance: key.hindrance ?? 'wrapped-comparison' }),
  );
  return { keys: negatedKeys, constants: [] };
}

function joinKey(comparison: Comparison, at: Scope, local: Scope): JoinKey {
  const { operator, foreign, local: localExpression, branch } = comparison;
  const trace: Trace =
    foreign === null
      ? { origin: { traced: false, because: 'computed', stage: null }, barrier: null }
      : traceField(foreign, at, true);
  const outer: Scope = { ...local, variables: at.variables };
  return {
    operator,
    local: { written: writtenLocal(localExpression), origin: originOf(localExpression, outer) },
    foreign: { written: fieldOf(comparison.foreignExpression) === null ? null : foreign, origin: trace.origin },
    index: comparison.hindrance === null ? indexability(trace, at.base) : hindered(comparison.hindrance, null),
    branch,
  };
}

export function indexability({ origin, barrier }: Trace, base: string): Indexability {
  if (barrier !== null) return hindered(barrier.kind === 'stage' ? 'stage-before' : 'nested-rename', barrier.stage);
  if (!origin.traced) return { possible: null, because: origin.because, stage: origin.stage };
  if (origin.path.split('.').includes(DATA_NAME)) return { possible: null, because: 'name-is-data', stage: null };
  if (origin.namespace !== base || origin.conversion !== null) return hindered('computed-foreign-field', null);
  return { possible: true, namespace: origin.namespace, path: origin.path };
}

function hindered(because: Hindrance, stage: string | null): Extract<Indexability, { possible: false }> {
  return { possible: false, because, stage };
}

function writtenLocal(expression: Shape): string | null {
  const variable = variableOf(expression);
  return variable === null ? fieldOf(expression) : String(expression);
}

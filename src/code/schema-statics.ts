import type { Expression, Node } from 'oxc-parser';
import type { SourceModule } from './source-module.js';
import { memberName } from './syntax.js';
import { NO_FRAME, type Evaluating, type Value } from './value.js';

/**
 * What `this` is in a function that a schema makes a static of its model, `schema.statics.open = function () { … }` or
 * `schema.static('open', function () { … })`: the model. Null in any other function, and if no model of the schema is known.
 */
export function modelOfStatic(evaluator: Evaluating, node: Node, module: SourceModule): Value | null {
  let around = module.functionAround(node);
  while (around?.type === 'ArrowFunctionExpression') around = module.functionAround(around);
  const made = around === null ? undefined : module.parents.get(around);
  const of = made === undefined ? null : schemaOf(made);
  const schema = of === null ? null : evaluator.valueOf(of, module, NO_FRAME);
  if (schema?.kind !== 'schema') return null;
  const isOfSchema = (model: Value) => model.kind === 'collection' && model.schema?.at.node === schema.at.node;
  return [...evaluator.models().values()].find(isOfSchema) ?? null;
}

/** The schema whose static an assignment or a call makes. */
function schemaOf(made: Node): Expression | null {
  if (made.type === 'AssignmentExpression' && made.left.type === 'MemberExpression') {
    const { object } = made.left;
    return object.type === 'MemberExpression' && memberName(object) === 'statics'
      ? (object.object as Expression)
      : null;
  }
  if (made.type !== 'CallExpression' || made.callee.type !== 'MemberExpression') return null;
  return memberName(made.callee) === 'static' ? (made.callee.object as Expression) : null;
}

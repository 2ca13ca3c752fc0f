import type { Expression, Node } from 'oxc-parser';
import type { SourceModule } from './source-module.js';
import { memberName, plainArguments, writtenName } from './syntax.js';
import { NO_FRAME, type Evaluating, type Value } from './value.js';

/**
 * What `this` is in a function that is a static of a model: the model. A schema gets statics by `schema.statics.open = …`,
 * `schema.static('open', …)`, `schema.loadClass(Orders)` and its options, and of typegoose's classes they are the static methods.
 * Null in any other function, and if no model of the schema is known.
 */
export function modelOfStatic(evaluator: Evaluating, node: Node, module: SourceModule): Value | null {
  const made = aroundOwnFunction(node, module);
  if (made === undefined) return null;
  const of = isStaticMethod(made) ? loadingSchema(made, module) : schemaOf(made, module);
  const schema = of === null ? null : evaluator.valueOf(of, module, NO_FRAME);
  const source = schema?.kind === 'schema' ? schema.at.node : isStaticMethod(made) ? module.classAround(made) : null;
  if (source === null) return null;
  const isOfSchema = (model: Value) => model.kind === 'collection' && model.schema?.at.node === source;
  return [...evaluator.registry.models().values()].find(isOfSchema) ?? null;
}

/** Whether `this` is a class, and no object of it. */
export function isInStatic(node: Node, module: SourceModule): boolean {
  const made = aroundOwnFunction(node, module);
  return made !== undefined && isStaticMethod(made);
}

/** What the function stands in whose `this` is meant: arrows have none of their own. */
function aroundOwnFunction(node: Node, module: SourceModule): Node | undefined {
  let around = module.functionAround(node);
  while (around?.type === 'ArrowFunctionExpression') around = module.functionAround(around);
  return around === null ? undefined : module.parents.get(around);
}

function isStaticMethod(made: Node): boolean {
  return made.type === 'MethodDefinition' && made.static;
}

/** `schema` of `schema.loadClass(Orders)`, if a method is of that class. */
function loadingSchema(made: Node, module: SourceModule): Expression | null {
  const name = module.classAround(made)?.id?.name;
  for (const { callee, arguments: given } of module.calls) {
    if (callee.type !== 'MemberExpression' || memberName(callee) !== 'loadClass') continue;
    const [of] = plainArguments(given) ?? [];
    if (of?.type === 'Identifier' && of.name === name) return callee.object as Expression;
  }
  return null;
}

/** The schema whose static an assignment, a call or an option makes. */
function schemaOf(made: Node, module: SourceModule): Expression | null {
  if (made.type === 'AssignmentExpression' && made.left.type === 'MemberExpression') {
    const { object } = made.left;
    return object.type === 'MemberExpression' && memberName(object) === 'statics'
      ? (object.object as Expression)
      : null;
  }
  if (made.type === 'Property') {
    const statics = module.parents.get(module.parents.get(made) as Node);
    const schema = statics?.type === 'Property' ? module.parents.get(module.parents.get(statics) as Node) : undefined;
    return statics?.type === 'Property' && writtenName(statics) === 'statics' && schema?.type === 'NewExpression'
      ? schema
      : null;
  }
  if (made.type !== 'CallExpression' || made.callee.type !== 'MemberExpression') return null;
  return memberName(made.callee) === 'static' ? (made.callee.object as Expression) : null;
}

import type { Expression } from 'oxc-parser';
import type { Evaluator } from './evaluator.js';
import type { Scope } from './scope.js';
import type { SourceModule } from './source-module.js';
import { bare, memberName } from './syntax.js';
import { NO_FRAME, UNKNOWN, fieldOf, waysOf, type CollectionValue, type Value } from './value.js';

/**
 * The collection in a table that is built from declarations under the same keys, as in
 * `collections[key] = db.collection(plugin.collections[key].name)`; null unless one place builds it and one declares it.
 *
 * @param table the name of the property that holds the table
 */
export function collectionInTable(evaluator: Evaluator, table: string, key: string): CollectionValue | null {
  const built = evaluator.modules.all.flatMap((module) =>
    module.computed.flatMap(({ left, right }) => {
      const name = left.property.type === 'Identifier' ? left.property.name : null;
      if (name === null || partName(left.object as Expression) !== table) return [];
      const value = valueUnder(evaluator, module, right, name, key);
      return waysOf(value).flatMap((way) => (way.kind === 'collection' && way.name !== null ? [way] : []));
    }),
  );
  const [only, ...others] = built;
  return only !== undefined && others.every((each) => each.name === only.name) ? only : null;
}

/** What an expression stands for if what is taken from declarations under a computed name is what they declare under a key. */
function valueUnder(evaluator: Evaluator, module: SourceModule, right: Expression, name: string, key: string): Value {
  for (let scope: Scope | null = module.scopeOf(right); scope !== null; scope = scope.outer)
    for (const binding of scope.bindings.values()) {
      const [origin] = binding.origins;
      const from = origin?.from === 'expression' && origin.way.length === 0 ? bare(origin.node) : null;
      if (from?.type !== 'MemberExpression' || !from.computed) continue;
      if (from.property.type !== 'Identifier' || from.property.name !== name) continue;
      const declaring = partName(from.object as Expression);
      const declared = evaluator.registry
        .kept(declaring ?? '')
        .flatMap((site) => fieldOf(evaluator.ask(site.node as Expression, site.module), key) ?? [])
        .filter(({ kind }) => kind === 'object');
      if (declared.length !== 1) continue;
      const bound = new Map([[binding, declared[0] as Value]]);
      return evaluator.ask(right, module, { ...NO_FRAME, bound });
    }
  return UNKNOWN;
}

function partName(expression: Expression): string | null {
  const object = bare(expression);
  return object.type === 'Identifier' ? object.name : memberName(object);
}

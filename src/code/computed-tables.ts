import type { ComputedMemberExpression, Expression } from 'oxc-parser';
import { groupedBy } from '../grouped-by.js';
import type { Evaluator } from './evaluator.js';
import { MOST_KEPT } from './registry.js';
import type { Scope } from './scope.js';
import type { SourceModule } from './source-module.js';
import { bare, memberName } from './syntax.js';
import { NO_FRAME, UNKNOWN, fieldOf, waysOf, type CollectionValue, type Value } from './value.js';

/** `collections[key] = db.collection(plugin.collections[key].name)`: a table with the keys of another one. */
interface Building {
  readonly left: ComputedMemberExpression;
  readonly right: Expression;
  readonly module: SourceModule;
}

/** Tables of collections that are built from declarations under the same keys. */
export class ComputedTables {
  /** By the name of the property that holds the table; null until one is asked for. */
  private byName: ReadonlyMap<string | null, readonly Building[]> | null = null;

  constructor(private readonly evaluator: Evaluator) {}

  /** The collection under a key of a table; null unless one place builds it and one declares it. */
  collectionIn(table: string, key: string): CollectionValue | null {
    this.byName ??= groupedBy(
      this.evaluator.modules.all.flatMap((module) => module.computed.map((each) => ({ ...each, module }))),
      ({ left }) => partName(left.object as Expression),
    );
    const building = this.byName.get(table) ?? [];
    if (building.length > MOST_KEPT) return null;
    const [only, ...others] = building.flatMap(({ left, right, module }) => {
      const name = left.property.type === 'Identifier' ? left.property.name : null;
      const ways = name === null ? [] : waysOf(this.valueUnder(module, right, name, key));
      return ways.flatMap((way) => (way.kind === 'collection' && way.name !== null ? [way] : []));
    });
    return only !== undefined && others.every((each) => each.name === only.name) ? only : null;
  }

  /** What an expression stands for if what is taken from declarations under a computed name is what they declare under a key. */
  private valueUnder(module: SourceModule, right: Expression, name: string, key: string): Value {
    for (let scope: Scope | null = module.scopeOf(right); scope !== null; scope = scope.outer)
      for (const binding of scope.bindings.values()) {
        const [origin] = binding.origins;
        const from = origin?.from === 'expression' && origin.way.length === 0 ? bare(origin.node) : null;
        if (from?.type !== 'MemberExpression' || !from.computed) continue;
        if (from.property.type !== 'Identifier' || from.property.name !== name) continue;
        const declared = this.declaredUnder(partName(from.object as Expression) ?? '', key);
        if (declared === null) continue;
        const bound = new Map([[binding, declared]]);
        return this.evaluator.ask(right, module, { ...NO_FRAME, bound });
      }
    return UNKNOWN;
  }

  private declaredUnder(name: string, key: string): Value | null {
    const sites = this.evaluator.registry.kept(name);
    if (sites.length > MOST_KEPT) return null;
    const declared = sites
      .flatMap((site) => fieldOf(this.evaluator.ask(site.node as Expression, site.module), key) ?? [])
      .filter(({ kind }) => kind === 'object');
    return declared.length === 1 ? (declared[0] as Value) : null;
  }
}

function partName(expression: Expression): string | null {
  const object = bare(expression);
  return object.type === 'Identifier' ? object.name : memberName(object);
}

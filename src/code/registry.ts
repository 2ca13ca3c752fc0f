import type { Expression, Node } from 'oxc-parser';
import { groupedBy, noted } from '../grouped-by.js';
import { modelsByName, modelsIn, providedBy, type Models } from './libraries.js';
import { roleOf } from './place.js';
import type { SourceModule } from './source-module.js';
import { choice, fieldOf, textOf, type Evaluating, type ObjectValue, type Site, type Value } from './value.js';

/** Does something with each module of the source. */
export type EachModule = (use: (module: SourceModule) => void) => void;

/** Values of one property, wherever they are assigned. Beyond, none of them is known to be the one. */
export const MOST_KEPT = 200;

const ASSIGNED: ReadonlySet<Value['kind']> = new Set(['function', 'collection', 'database', 'client', 'instance']);

/** What the source registers in one place and asks for in another: models by name, providers by token, makers by type. */
export class Registry {
  /** By the name of the type; null until it is asked for. */
  private byType: Map<string, Site[]> | null = null;
  /** Those of a type, by its declaration. */
  private readonly byDeclaration = new Map<string, ReadonlyMap<Node | null, readonly Site[]>>();
  /** With their tokens; null until one is asked for. */
  private providers: (readonly [Value | undefined, ObjectValue])[] | null = null;
  /** By the name of the property; null until it is asked for. */
  private byProperty: Map<string, Site[]> | null = null;
  /** By the name of the property. */
  private readonly onlyAssigned = new Map<string, Value | null>();
  private registered: ReadonlyMap<string, Value> = new Map();
  /** Without tests. */
  private readonly modules: readonly SourceModule[];

  constructor(
    private readonly evaluator: Evaluating,
    all: readonly SourceModule[],
  ) {
    this.modules = all.filter(({ file }) => roleOf(file) !== 'test');
  }

  /** Finds the models. One that is asked for meanwhile is unknown. */
  register(each: EachModule): void {
    const found: Models[number][] = [];
    each((module) => void found.push(...modelsIn(this.evaluator, module)));
    this.registered = modelsByName(found);
  }

  /** Models that are registered under a name. */
  models(): ReadonlyMap<string, Value> {
    return this.registered;
  }

  /** What NestJS hands out for a token; null if nothing is known to provide it. */
  provided(token: Value): Value | null {
    if (this.providers === null) {
      this.providers = [];
      for (const module of this.modules)
        for (const node of module.providers) {
          const provider = this.evaluator.ask(node, module);
          if (provider.kind === 'object') this.providers.push([fieldOf(provider, 'provide'), provider]);
        }
    }
    const meant = this.providers.filter(([known]) => isSameToken(known, token));
    return meant.length === 0 ? null : choice(meant.map(([, provider]) => providedBy(this.evaluator, provider)));
  }

  /** What is assigned to properties of that name, or stands in objects, anywhere but in tests. */
  kept(name: string): readonly Site[] {
    this.byProperty ??= this.sites(({ kept }) => kept);
    return this.byProperty.get(name) ?? [];
  }

  /** The only function, collection or database that is assigned to a property of that name; null if there is none or several. */
  assigned(name: string): Value | null {
    const known = this.onlyAssigned.get(name);
    if (known !== undefined) return known;
    this.onlyAssigned.set(name, null);
    const sites = this.kept(name).filter(
      ({ node, module }) => module.parents.get(node)?.type === 'AssignmentExpression',
    );
    const [only, ...others] = sites.map(({ node, module }) => this.evaluator.ask(node as Expression, module));
    const found = only !== undefined && others.length === 0 && ASSIGNED.has(only.kind) ? only : null;
    this.onlyAssigned.set(name, found);
    return found;
  }

  /** What the source says to be of a type of that name, by its declaration. */
  madeAs(name: string, declarationOf: (site: Site) => Node | null): ReadonlyMap<Node | null, readonly Site[]> {
    const known = this.byDeclaration.get(name);
    if (known !== undefined) return known;
    this.byType ??= this.sites(({ madeAs }) => madeAs);
    const found = groupedBy(this.byType.get(name) ?? [], declarationOf);
    this.byDeclaration.set(name, found);
    return found;
  }

  private sites(of: (module: SourceModule) => ReadonlyMap<string, readonly Node[]>): Map<string, Site[]> {
    const byName = new Map<string, Site[]>();
    for (const module of this.modules)
      for (const [name, nodes] of of(module)) for (const node of nodes) noted(byName, name, { node, module });
    return byName;
  }
}

function isSameToken(one: Value | undefined, other: Value): boolean {
  if (one === undefined || one.kind !== other.kind) return false;
  if (one.kind === 'class') return one.node === (other as typeof one).node;
  return textOf(one) !== null && textOf(one) === textOf(other);
}

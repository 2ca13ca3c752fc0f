import { isBuiltin } from 'node:module';
import type { Expression, MemberExpression } from 'oxc-parser';
import { ComputedTables } from './computed-tables.js';
import type { Evaluator } from './evaluator.js';
import { CHAIN_METHODS, operationNamed, type Operation } from './operations.js';
import { NOT_READ, type Cause } from './place.js';
import { MOST_KEPT } from './registry.js';
import type { SourceModule } from './source-module.js';
import { bare, memberName } from './syntax.js';
import {
  isNullish,
  waysOf,
  type ClassValue,
  type CollectionValue,
  type Frame,
  type InstanceValue,
  type Site,
  type Value,
} from './value.js';

/** Classes that extend others. */
const MOST_BASES = 8;

/** Objects of every program that have methods of such names. */
const OTHER_GLOBALS = new Set([
  'Object',
  'Reflect',
  'Promise',
  'Array',
  'Math',
  'JSON',
  'console',
  'document',
  '$',
  '_',
]);

/** Modules whose methods have such names, and send nothing to MongoDB. */
const OTHERS =
  /^(?:(?:fs-extra|sequelize(?:-typescript)?|knex|objection|pg|mysql2?|drizzle-orm|ioredis|redis|lodash|ramda|rxjs|stripe|aws-sdk|@aws-sdk)(?:\/.*)?)$/;

/** Packages by which those that talk to several databases talk to MongoDB. */
const MONGO_SPECIFIERS = /^@mikro-orm\/mongodb$/;

function importsMongo({ scopes, program }: SourceModule): boolean {
  return ['MongoRepository', 'MongoEntityManager', 'ObjectIdColumn'].some((name) =>
    scopes.get(program)?.bindings.has(name),
  );
}

/** What methods are called on that may send operations. */
export class Receivers {
  /** Whether what talks to several databases talks to MongoDB; null until it is asked for. */
  private isMongoNamed: boolean | null = null;
  /** By package and property. */
  private readonly found = new Map<string, CollectionValue | null>();
  private readonly tables: ComputedTables;

  constructor(private readonly evaluator: Evaluator) {
    this.tables = new ComputedTables(evaluator);
  }

  /** What a method is called on, without the ways in which it is not there. */
  waysOf({ object }: MemberExpression, module: SourceModule, frame: Frame): readonly Value[] {
    const value = this.evaluator.ask(object as Expression, module, frame);
    const ways = waysOf(value).filter((way) => !isNullish(way));
    if (!ways.every((way) => way.kind === 'unknown' && way.from === undefined)) return ways;
    const [name = null, table = null] = namesOfPart(bare(object as Expression), module);
    const kept = name === null ? null : this.collectionKept(name, table, module);
    return kept === null ? ways : [kept];
  }

  /** Whether a method of that name may be an operation of a collection that is not known. */
  mayBeOperation({ object, property }: MemberExpression, named: Operation, module: SourceModule): boolean {
    if (object.type === 'Identifier' && OTHER_GLOBALS.has(object.name)) return false;
    if (this.isChained(bare(object as Expression))) return false;
    const { name } = property as { readonly name: string };
    const ways = waysOf(this.evaluator.ask(object as Expression, module));
    return ways.some((way) => {
      switch (way.kind) {
        case 'constant':
          // Whatever is there then, it is set elsewhere.
          return isNullish(way) && ways.length === 1;
        case 'unknown':
          return way.from === undefined || this.mayBeMongo(way.from);
        case 'document':
          return true;
        case 'package':
          // A function of a package, such as `find` of lodash, is given what it works on.
          return this.mayBeMongo(way.name) && (named.common !== true || way.path.length > 0);
        case 'instance':
        case 'class': {
          const base = this.evaluator.member(way, name).kind === 'unknown' ? this.unreadBase(way) : null;
          return base !== null && (base.kind !== 'package' || this.mayBeMongo(base.name));
        }
        default:
          return false;
      }
    });
  }

  private mayBeMongo(from: string): boolean {
    if (OTHERS.test(from) || isBuiltin(from)) return false;
    if (!NOT_READ.test(from)) return true;
    this.isMongoNamed ??= this.evaluator.modules.all.some((module) =>
      [...module.specifiers].some(
        (each) => MONGO_SPECIFIERS.test(each) || (each === 'typeorm' && importsMongo(module)),
      ),
    );
    return this.isMongoNamed || (from === '@prisma/client' && this.evaluator.modules.isPrismaOnMongo);
  }

  /** Why it is not known which collection a method is called on. */
  causeOf(node: Expression, module: SourceModule, depth = 0): Cause {
    const object = bare(node);
    for (const way of waysOf(this.evaluator.ask(object, module))) {
      if (way.kind === 'package') return { kind: 'package', name: way.name };
      if (way.kind === 'unknown' && way.from !== undefined) return { kind: 'package', name: way.from };
      if (way.kind === 'collection') return { kind: 'name', name: null };
      const base = way.kind === 'instance' || way.kind === 'class' ? this.unreadBase(way) : null;
      if (base?.kind === 'package' && this.mayBeMongo(base.name)) return { kind: 'package', name: base.name };
    }
    if (depth > MOST_BASES) return { kind: 'other', name: null };
    switch (object.type) {
      case 'MemberExpression':
        return this.causeOf(object.object as Expression, module, depth + 1);
      case 'CallExpression': {
        const callee = bare(object.callee);
        const cause = callee.type === 'MemberExpression' ? this.causeOf(callee, module, depth + 1) : null;
        return cause?.kind === 'package' ? cause : { kind: 'result', name: null };
      }
      case 'ThisExpression':
        return { kind: 'this', name: null };
      case 'Identifier':
        return this.causeOfName(object.name, object, module, depth);
      default:
        return { kind: 'other', name: null };
    }
  }

  private causeOfName(name: string, object: Expression, module: SourceModule, depth: number): Cause {
    const [origin] = module.scopeOf(object).find(name)?.origins ?? [];
    if (origin?.from === 'expression') return this.causeOf(origin.node, module, depth + 1);
    return { kind: origin?.from === 'parameter' ? 'parameter' : 'other', name: null };
  }

  /** What a class extends in the end, if it was not read; null if all of it was. */
  private unreadBase(of: ClassValue | InstanceValue): Value | null {
    let at = of.kind === 'class' ? of : of.of;
    for (let depth = 0; depth < MOST_BASES; depth += 1) {
      const { superClass } = at.node;
      if (superClass === null) return null;
      const base = this.evaluator.valueOf(superClass, at.module, at.frame);
      if (base.kind !== 'class') return base;
      at = base;
    }
    return null;
  }

  /** Whether it is what an operation returned: methods then add to it. */
  private isChained(object: Expression): boolean {
    let at = object;
    while (at.type === 'CallExpression') {
      const callee = bare(at.callee);
      const name = memberName(callee);
      if (callee.type !== 'MemberExpression' || name === null) return false;
      const operation = operationNamed(name);
      if (name === 'find' || (operation !== null && operation.common !== true)) return true;
      if (!CHAIN_METHODS.has(name)) return false;
      at = bare(callee.object as Expression);
    }
    return false;
  }

  /** The collection that is kept in a property of that name, if there is only one in the package, or else in all of the source. */
  private collectionKept(name: string, table: string | null, module: SourceModule): CollectionValue | null {
    const { modules } = this.evaluator;
    const folder = modules.packageOf(module);
    const key = `${folder}\0${table}\0${name}`;
    const known = this.found.get(key);
    if (known !== undefined) return known;
    this.found.set(key, null);
    const all = this.evaluator.registry.kept(name);
    const own = all.filter((site) => modules.packageOf(site.module) === folder);
    const found =
      this.onlyOne(own) ??
      (own.length === all.length ? null : this.onlyOne(all)) ??
      (table === null ? null : this.tables.collectionIn(table, name));
    this.found.set(key, found);
    return found;
  }

  private onlyOne(sites: readonly Site[]): CollectionValue | null {
    if (sites.length > MOST_KEPT) return null;
    const all = sites.flatMap(({ node, module }) => waysOf(this.evaluator.ask(node as Expression, module)));
    const [first, ...others] = all.filter(
      ({ kind }) => kind === 'collection' || kind === 'instance' || kind === 'class',
    );
    if (first?.kind !== 'collection' || first.name === null) return null;
    return others.every((each) => each.kind === 'collection' && each.name === first.name) ? first : null;
  }
}

/** `Orders` and `collections` of `context.collections.Orders`, and of a name that is taken from there. */
function namesOfPart(object: Expression, module: SourceModule): readonly (string | null)[] {
  if (object.type === 'MemberExpression') {
    const inner = bare(object.object as Expression);
    return [memberName(object), inner.type === 'MemberExpression' ? memberName(inner) : nameOf(inner, module)];
  }
  if (object.type !== 'Identifier') return [];
  const [origin, ...others] = module.scopeOf(object).find(object.name)?.origins ?? [];
  if (origin === undefined || others.length > 0) return [];
  if (origin.from === 'parameter') return origin.way.toReversed();
  if (origin.from !== 'expression') return [];
  const before = bare(origin.node);
  if (origin.way.length === 0) return namesOfPart(before, module);
  return [...origin.way.toReversed(), before.type === 'MemberExpression' ? memberName(before) : nameOf(before, module)];
}

function nameOf(object: Expression, module: SourceModule): string | null {
  return object.type === 'Identifier' ? (namesOfPart(object, module)[0] ?? object.name) : null;
}

import type { CallExpression, Expression, MemberExpression } from 'oxc-parser';
import { ownValue } from '../plain.js';
import { ADDING, calledName, chainOf, continued, isLazy } from './call-chain.js';
import { codeShapes } from './code-shapes.js';
import type { Evaluator } from './evaluator.js';
import { isOfOtherDatabase, usesMongoose } from './libraries.js';
import { operationNamed, OPERATIONS, type Operation } from './operations.js';
import type { FileRole, Place } from './place.js';
import type { SourceModule } from './source-module.js';
import { bare, memberName, type AnyFunction } from './syntax.js';
import {
  NO_FRAME,
  UNDEFINED,
  UNKNOWN,
  isNullish,
  lineAt,
  waysOf,
  type CollectionValue,
  type Frame,
  type FunctionValue,
  type Value,
} from './value.js';

/** More callers of a wrapper are not followed: the place is then the wrapper itself. */
const MOST_CALLERS = 200;

/** Functions that return what others return. */
const MOST_RETURNS = 3;

/** Objects of every program that have methods of such names. */
const OTHER_GLOBALS = new Set(['Object', 'Reflect', 'Promise', 'Array', 'Math', 'JSON', 'console', 'document', '$']);

interface Call {
  readonly node: CallExpression;
  readonly module: SourceModule;
}

/** Finds the calls that send operations to MongoDB. */
export class PlaceFinder {
  private readonly byName: ReadonlyMap<string, readonly Call[]>;
  /** What a method that only collections have is called on, if nothing else is known of it. */
  private readonly someCollection: CollectionValue;
  private readonly continued = new Map<AnyFunction, readonly string[]>();

  constructor(
    private readonly evaluator: Evaluator,
    private readonly roleOf: (file: string) => FileRole,
  ) {
    const library = usesMongoose(evaluator.modules.all) ? 'unknown' : 'driver';
    this.someCollection = { kind: 'collection', name: null, database: null, library, schema: null };
    const byName = new Map<string, Call[]>();
    for (const module of evaluator.modules.all) {
      for (const node of module.calls) {
        const name = node.type === 'CallExpression' ? calledName(node) : null;
        if (name === null || node.type !== 'CallExpression') continue;
        const calls = byName.get(name) ?? [];
        calls.push({ node, module });
        byName.set(name, calls);
      }
    }
    this.byName = byName;
  }

  /** All of them, in the order of files and lines. */
  all(): readonly Place[] {
    return this.evaluator.modules.all.flatMap((module) =>
      isOfOtherDatabase(module)
        ? []
        : module.calls.flatMap((node) => (node.type === 'CallExpression' ? this.at({ node, module }) : [])),
    );
  }

  private at(call: Call): readonly Place[] {
    const named = operationNamed(memberName(bare(call.node.callee)) ?? '');
    if (named === null) return [];
    const read = this.read(call, NO_FRAME);
    const place = read ?? (this.mayBeOperation(call) ? this.placeOf(call, named, this.someCollection, NO_FRAME) : null);
    if (place === null) return [];
    if (place.complete && place.collection !== null) return [place];
    const isDoubtful = read === null && named.common === true && !this.hasFilter(call, named);
    if (isDoubtful && !this.mayHaveFilter(call, named)) return [];
    const { callers, areAll } = this.throughCallers(call, place);
    const own = isDoubtful ? { ...place, unlisted: 'doubtful' as const } : place;
    if (!areAll) return [...callers, own];
    return this.isOwnAlone(call) ? callers : [...callers, { ...place, unlisted: 'wrapper' }];
  }

  /** The operation of a call; null if it is not called on a collection. */
  private read({ node, module }: Call, frame: Frame): Place | null {
    const callee = bare(node.callee);
    if (callee.type !== 'MemberExpression' || callee.computed) return null;
    const receiver = this.evaluator.ask(callee.object as Expression, module, frame);
    const all = waysOf(receiver).filter((way) => !isNullish(way));
    const ways = all.filter((way) => way.kind === 'collection');
    const [first] = ways;
    if (first === undefined) return null;
    const areCollections = ways.length === all.length;
    const library = areCollections && ways.every((way) => way.library === first.library) ? first.library : 'unknown';
    const operation =
      library === 'unknown'
        ? operationNamed(callee.property.name)
        : ownValue(OPERATIONS[library], callee.property.name);
    if (operation === undefined || operation === null) return null;
    const isSure = areCollections && ways.every(({ name }) => name === first.name);
    return this.placeOf({ node, module }, operation, { ...first, library, ...(!isSure && { name: null }) }, frame);
  }

  private placeOf({ node, module }: Call, operation: Operation, of: CollectionValue, frame: Frame): Place {
    const { property } = bare(node.callee) as MemberExpression;
    const chain = chainOf(node, module, (each) => this.evaluator.given(each, module, frame));
    const { shapes, complete } = codeShapes(
      of.library === 'unknown' ? { ...operation, options: 'any' } : operation,
      this.evaluator.given(node, module, frame),
      chain.calls,
    );
    const continues = isLazy(operation, of)
      ? [...chain.continues, ...this.continuedByCallers(chain.returnedFrom, module, of.library)]
      : [];
    const isWhole = continues.length === 0 && complete;
    const kinds = continues.flatMap((name) => operationNamed(name)?.kinds ?? []);
    return {
      ...lineAt({ module, node: property }),
      role: this.roleOf(module.file),
      method: (property as { readonly name: string }).name,
      kinds: [
        ...new Set([
          ...operation.kinds,
          ...chain.calls.flatMap(({ name }) => operationNamed(name)?.kinds ?? []),
          ...kinds,
        ]),
      ],
      collection: of.name,
      database: of.database,
      library: of.library,
      shapes: continues.length === 0 ? shapes : (shapes?.map((way) => continued(way, of.library)) ?? null),
      complete: of.name !== null && isWhole,
      ...(of.name === null ? { because: 'collection' as const } : !isWhole && { because: 'arguments' as const }),
    };
  }

  /** Whether all calls of the function around a call are known: it is only ever called, and in its own module. */
  private isOwnAlone({ node, module }: Call): boolean {
    const wrapper = module.functionAround(node);
    const name = wrapper === null || wrapper.type === 'ArrowFunctionExpression' ? null : (wrapper.id?.name ?? null);
    if (name === null || module.exports.has(name)) return false;
    const calls = (this.byName.get(name) ?? []).filter(
      (each) => each.module === module && each.node.callee.type === 'Identifier',
    );
    return module.mentions.get(name) === calls.length + 1;
  }

  /** The methods that callers of a function of that name call on what it returns: whoever they are, one may be meant. */
  private continuedByCallers(
    node: AnyFunction | null,
    module: SourceModule,
    library: CollectionValue['library'],
    depth = 0,
  ): readonly string[] {
    // A query of mongoose that an async function returns has run.
    if (node === null || depth > MOST_RETURNS || (node.async && library === 'mongoose')) return [];
    const before = this.continued.get(node);
    if (before !== undefined) return before;
    this.continued.set(node, []);
    const name = nameOfFunction(node, module);
    const callers = name === null ? [] : (this.byName.get(name) ?? []);
    const found = callers.flatMap((caller) => {
      const { calls, continues, returnedFrom } = chainOf(caller.node, caller.module, () => null);
      const own = calls.flatMap((each) => (ADDING.has(each.name) ? [each.name] : []));
      return [...own, ...continues, ...this.continuedByCallers(returnedFrom, caller.module, library, depth + 1)];
    });
    const distinct = [...new Set(found)];
    this.continued.set(node, distinct);
    return distinct;
  }

  /** The callers of a wrapper that say more than the wrapper itself does. */
  private throughCallers(call: Call, place: Place): { readonly callers: readonly Place[]; readonly areAll: boolean } {
    const wrapper = call.module.functionAround(call.node);
    const callers = wrapper === null ? [] : this.callersOf(wrapper, call.module);
    if (callers.length === 0 || callers.length > MOST_CALLERS) return { callers: [], areAll: false };
    const through = { file: place.file, line: place.line };
    const places = callers.map(({ caller, called }): Place | null => {
      const given = this.evaluator.given(caller.node, caller.module, NO_FRAME);
      const self = selfOf(this.evaluator, caller);
      const read = this.read(call, this.evaluator.framed(called, given, self));
      return read === null
        ? null
        : {
            ...read,
            ...lineAt(caller),
            role: this.roleOf(caller.module.file),
            through,
          };
    });
    // What a wrapper's callers leave as open as it was is the wrapper's own.
    const better = places.flatMap((each) =>
      each !== null && (each.complete || (place.collection === null && each.collection !== null)) ? [each] : [],
    );
    return { callers: better, areAll: better.length === callers.length };
  }

  private callersOf(wrapper: AnyFunction, module: SourceModule): { caller: Call; called: FunctionValue }[] {
    const name = nameOfFunction(wrapper, module);
    return (name === null ? [] : (this.byName.get(name) ?? [])).flatMap((caller) => {
      const called = this.evaluator.ask(caller.node.callee, caller.module);
      const found = waysOf(called).find((way): way is FunctionValue => way.kind === 'function' && way.node === wrapper);
      return found === undefined ? [] : [{ caller, called: found }];
    });
  }

  /** Whether it is given an object with fields where operations take a filter: methods of arrays are given functions. */
  private hasFilter({ node, module }: Call, { filter }: Operation): boolean {
    const given = filter === undefined ? undefined : this.evaluator.given(node, module, NO_FRAME)?.[filter];
    return given !== undefined && waysOf(given).some((way) => way.kind === 'object' && way.fields.size > 0);
  }

  /** Whether nothing that it is given, nor what it is called on, shows that it is a method of something else. */
  private mayHaveFilter({ node, module }: Call, { filter, update, kinds }: Operation): boolean {
    const { object } = bare(node.callee) as MemberExpression;
    if (object.type === 'Identifier' && OTHER_GLOBALS.has(object.name)) return false;
    // A hash has an `update` with one argument, an element of a page a `remove` with none.
    const fewest = update ?? (kinds.includes('delete') || kinds.includes('insert') ? 0 : -1);
    if (node.arguments.length <= fewest) return false;
    const given = this.evaluator.given(node, module, NO_FRAME);
    const value = given === null || filter === undefined ? UNKNOWN : (given[filter] ?? UNDEFINED);
    const change = update === undefined ? UNKNOWN : (given?.[update] ?? UNKNOWN);
    return waysOf(value).some(mayBeObject) && waysOf(change).some(mayBeObject);
  }

  private mayBeOperation({ node, module }: Call): boolean {
    const callee = bare(node.callee) as MemberExpression;
    const receiver = this.evaluator.ask(callee.object as Expression, module);
    return receiver.kind === 'unknown' || receiver.kind === 'choice' || receiver.kind === 'document';
  }
}

function selfOf(evaluator: Evaluator, { node, module }: Call): Value | null {
  const callee = bare(node.callee);
  return callee.type === 'MemberExpression' ? evaluator.ask(callee.object as Expression, module) : null;
}

function mayBeObject(value: Value): boolean {
  return value.kind === 'object' || value.kind === 'unknown' || isNullish(value);
}

/** The name under which a function is called: its own, or of what it is assigned to. */
function nameOfFunction(node: AnyFunction, module: SourceModule): string | null {
  if (node.type !== 'ArrowFunctionExpression' && node.id !== null) return node.id.name;
  const parent = module.parents.get(node);
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : null;
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return parent.key.type === 'Identifier' || parent.key.type === 'PrivateIdentifier' ? parent.key.name : null;
    case 'AssignmentExpression':
      return memberName(parent.left);
    default:
      return null;
  }
}

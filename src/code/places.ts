import type { Expression, MemberExpression } from 'oxc-parser';
import { ownValue } from '../plain.js';
import { ADDING, chainOf, continued, isLazy } from './call-chain.js';
import { Callers, nameOfFunction, type Call } from './callers.js';
import { codeShapes } from './code-shapes.js';
import type { Evaluator } from './evaluator.js';
import { isOfOtherDatabase, usesMongoose } from './libraries.js';
import { operationNamed, OPERATIONS, type Operation } from './operations.js';
import { roleOf, type Place } from './place.js';
import { Receivers } from './receivers.js';
import type { EachModule } from './registry.js';
import type { SourceModule } from './source-module.js';
import { bare, isFunction, memberName, type AnyFunction } from './syntax.js';
import {
  NO_FRAME,
  UNDEFINED,
  UNKNOWN,
  isNullish,
  lineAt,
  waysOf,
  type CollectionValue,
  type Frame,
  type Site,
  type Value,
} from './value.js';

/** Functions that return what others return. */
const MOST_RETURNS = 3;

/** Wrappers around wrappers. */
const MOST_WRAPPERS = 3;

const LOOPS: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/** Methods of lists that call what they are given for each element. */
const ITERATING = new Set(['map', 'forEach', 'flatMap', 'filter', 'reduce', 'some', 'every']);

/** Finds the calls that send operations to MongoDB. */
export class PlaceFinder {
  private readonly callers: Callers;
  private readonly receivers: Receivers;
  /** What a method that only collections have is called on, if nothing else is known of it. */
  private readonly someCollection: CollectionValue;
  /** By library and name of a function. */
  private readonly continued = new Map<string, readonly string[]>();

  constructor(private readonly evaluator: Evaluator) {
    const library = usesMongoose(evaluator.modules.all) ? 'unknown' : 'driver';
    this.someCollection = { kind: 'collection', name: null, database: null, library, schema: null };
    this.callers = new Callers(evaluator);
    this.receivers = new Receivers(evaluator);
  }

  /** All of them, in the order of files and lines. */
  all(each: EachModule): readonly Place[] {
    const places: Place[] = [];
    each((module) => {
      if (isOfOtherDatabase(module)) return;
      const calls = module.calls.filter((node) => node.type === 'CallExpression');
      places.push(...calls.flatMap((node) => this.at({ node, module })));
    });
    return places;
  }

  private at(call: Call): readonly Place[] {
    const { node, module } = call;
    const callee = bare(node.callee);
    const named = operationNamed(memberName(callee) ?? '');
    if (named === null || callee.type !== 'MemberExpression') return [];
    const read = this.read(call, NO_FRAME);
    if (read === null && !this.receivers.mayBeOperation(callee, named, module)) return [];
    const place = read ?? this.placeOf(call, named, this.someCollection, NO_FRAME);
    if (place.because === undefined) return [place];
    const isUnclear = read === null && named.common === true;
    if (isUnclear && !this.mayHaveFilter(call, named)) return [];
    const isDoubtful = isUnclear && !this.hasFilter(call, named);
    const { callers, open, more } = this.throughCallers(call, place, (frame) => this.read(call, frame));
    const cause = place.collection === null ? this.receivers.causeOf(callee.object as Expression, module) : undefined;
    const own = {
      ...place,
      ...(cause !== undefined && { cause }),
      ...(isDoubtful && { unlisted: 'doubtful' as const }),
      ...(open > 0 && place.because === 'collection' && !isDoubtful && { openCallers: open }),
      ...(more > 0 && { moreCallers: more }),
    };
    if (callers.length === 0 || open > 0 || more > 0) return [...callers, own];
    return this.callers.areKnown(call) ? callers : [...callers, { ...own, unlisted: 'wrapper' }];
  }

  /** The operation of a call; null if it is not called on a collection. */
  private read({ node, module }: Call, frame: Frame): Place | null {
    const callee = bare(node.callee);
    if (callee.type !== 'MemberExpression' || callee.computed) return null;
    const all = this.receivers.waysOf(callee, module, frame);
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
    const names = [...new Set(ways.flatMap(({ name }) => name ?? []))];
    const areKnown = areCollections && ways.every(({ name }) => name !== null);
    const isSure = areKnown && names.length === 1;
    const of = { ...first, library, ...(!isSure && { name: null }) };
    return this.placeOf({ node, module }, operation, of, frame, areKnown && !isSure ? names : undefined);
  }

  private placeOf(
    { node, module }: Call,
    operation: Operation,
    of: CollectionValue,
    frame: Frame,
    oneOf?: readonly string[],
  ): Place {
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
      ...spotOf({ module, node: property }),
      role: roleOf(module.file),
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
      ...(oneOf !== undefined && { oneOf }),
      ...(of.name === null && oneOf === undefined
        ? { because: 'collection' as const }
        : !isWhole && { because: 'arguments' as const }),
    };
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
    const name = nameOfFunction(node, module);
    if (name === null) return [];
    const key = `${library} ${name}`;
    const before = this.continued.get(key);
    if (before !== undefined) return before;
    this.continued.set(key, []);
    const found = this.callers.named(name).flatMap((caller) => {
      const { calls, continues, returnedFrom } = chainOf(caller.node, caller.module, () => null);
      const own = calls.flatMap((each) => (ADDING.has(each.name) ? [each.name] : []));
      return [...own, ...continues, ...this.continuedByCallers(returnedFrom, caller.module, library, depth + 1)];
    });
    const distinct = [...new Set(found)];
    this.continued.set(key, distinct);
    return distinct;
  }

  /**
   * The callers of a wrapper that say more than the wrapper itself does, and theirs.
   *
   * @param readIn the operation, by what the names in the wrapper stand for
   */
  private throughCallers(
    call: Call,
    place: Place,
    readIn: (frame: Frame) => Place | null,
    depth = 0,
  ): { readonly callers: readonly Place[]; readonly open: number; readonly more: number } {
    const wrapper = call.module.functionAround(call.node);
    if (wrapper === null || depth > MOST_WRAPPERS) return { callers: [], open: 0, more: 0 };
    const { callers, more } = this.callers.toFollow(wrapper, call.module);
    const through = place.through ?? { file: place.file, line: place.line };
    const found = callers.map(({ caller, called }) => {
      const readThere = (frame: Frame) => {
        const given = this.evaluator.given(caller.node, caller.module, frame);
        return readIn(this.evaluator.framed(called, given, selfOf(this.evaluator, caller, frame)));
      };
      const read = readThere(NO_FRAME);
      if (read === null) return { callers: [], open: 1, more: 0 };
      const own = { ...read, ...spotOf(caller), role: roleOf(caller.module.file), through };
      const isBetter = knownOf(own) > knownOf(place);
      if (own.complete) return { callers: isBetter ? [own] : [], open: isBetter ? 0 : 1, more: 0 };
      const further = this.throughCallers(caller, own, readThere, depth + 1);
      const areAll = further.callers.length > 0 && further.open + further.more === 0;
      return {
        // What callers leave as open as it was is the wrapper's own.
        callers: [...further.callers, ...(isBetter && !areAll ? [own] : [])],
        open: areAll ? 0 : isBetter ? further.open : Math.max(1, further.open),
        more: further.more,
      };
    });
    return {
      callers: found.flatMap((each) => each.callers),
      open: found.reduce((sum, each) => sum + each.open, 0),
      more: found.reduce((sum, each) => sum + each.more, more),
    };
  }

  /** Whether it is given an object with fields where operations take a filter: methods of arrays are given functions. */
  private hasFilter({ node, module }: Call, { filter }: Operation): boolean {
    const given = filter === undefined ? undefined : this.evaluator.given(node, module, NO_FRAME)?.[filter];
    return given !== undefined && waysOf(given).some((way) => way.kind === 'object' && way.fields.size > 0);
  }

  /** Whether nothing that it is given, nor what it is called on, shows that it is a method of something else. */
  private mayHaveFilter({ node, module }: Call, { filter, update, kinds }: Operation): boolean {
    // A hash has an `update` with one argument, an element of a page a `remove` with none.
    const fewest = update ?? (kinds.includes('delete') || kinds.includes('insert') ? 0 : -1);
    if (node.arguments.length <= fewest) return false;
    const given = this.evaluator.given(node, module, NO_FRAME);
    const value = given === null || filter === undefined ? UNKNOWN : (given[filter] ?? UNDEFINED);
    const change = update === undefined ? UNKNOWN : (given?.[update] ?? UNKNOWN);
    return waysOf(value).some(mayBeObject) && waysOf(change).some(mayBeObject);
  }
}

/** How much of an operation is known: the more, the larger. */
function knownOf({ collection, oneOf, shapes, complete }: Place): number {
  const areFieldsKnown = shapes?.every(({ filter }) => filter?.closed !== false) === true;
  const arePathsKnown = shapes?.some(({ filter }) => filter !== undefined) === true;
  return (
    (collection !== null ? 6 : oneOf === undefined ? 0 : 4) +
    Number(complete) +
    Number(areFieldsKnown) +
    Number(arePathsKnown)
  );
}

function spotOf(site: Site) {
  return {
    ...lineAt(site),
    column: site.module.columnOf(site.node),
    ...(isRepeated(site) && { repeats: true as const }),
  };
}

/** Whether it runs again and again whenever the function around it is called once. */
function isRepeated({ node, module }: Site): boolean {
  let at = node;
  for (let parent = module.parents.get(at); parent !== undefined; parent = module.parents.get(at)) {
    if (LOOPS.has(parent.type) && 'body' in parent && parent.body === at) return true;
    if (isFunction(at)) return parent.type === 'CallExpression' && ITERATING.has(memberName(bare(parent.callee)) ?? '');
    at = parent;
  }
  return false;
}

function selfOf(evaluator: Evaluator, { node, module }: Call, frame: Frame): Value | null {
  const callee = bare(node.callee);
  return callee.type === 'MemberExpression' ? evaluator.ask(callee.object as Expression, module, frame) : null;
}

function mayBeObject(value: Value): boolean {
  return value.kind === 'object' || value.kind === 'unknown' || isNullish(value);
}

import type { CallExpression, Expression, MemberExpression, Node } from 'oxc-parser';
import { codeShapes, type ChainCall } from './code-shapes.js';
import type { Evaluator } from './evaluator.js';
import { isOfOtherDatabase } from './libraries.js';
import { CHAIN_METHODS, operationNamed, OPERATIONS, type Operation } from './operations.js';
import type { FileRole, Place } from './place.js';
import type { SourceModule } from './source-module.js';
import { bare, type AnyFunction } from './syntax.js';
import { NO_FRAME, lineAt, waysOf, type CollectionValue, type Frame, type FunctionValue, type Value } from './value.js';

/** More callers of a wrapper are not followed: the place is then the wrapper itself. */
const MOST_CALLERS = 200;

/** What a method that only collections have is called on, if nothing else is known of it. */
const SOME_COLLECTION: CollectionValue = {
  kind: 'collection',
  name: null,
  database: null,
  library: 'driver',
  schema: null,
};

interface Call {
  readonly node: CallExpression;
  readonly module: SourceModule;
}

/** Finds the calls that send operations to MongoDB. */
export class PlaceFinder {
  private readonly byName: ReadonlyMap<string, readonly Call[]>;

  constructor(
    private readonly evaluator: Evaluator,
    private readonly roleOf: (file: string) => FileRole,
  ) {
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
    const callee = bare(call.node.callee);
    if (callee.type !== 'MemberExpression' || callee.computed) return [];
    const named = operationNamed(callee.property.name);
    if (named === null) return [];
    const read = this.read(call, NO_FRAME);
    const place = read ?? (this.mayBeOperation(call) ? this.placeOf(call, named, SOME_COLLECTION, NO_FRAME) : null);
    if (place === null) return [];
    if (place.complete && place.collection !== null) return [place];
    const callers = this.throughCallers(call, place);
    if (callers.length > 0) return callers;
    return read === null && named.common && !this.hasFilter(call, named) ? [] : [place];
  }

  /** The operation of a call; null if it is not called on a collection. */
  private read({ node, module }: Call, frame: Frame): Place | null {
    const callee = bare(node.callee);
    if (callee.type !== 'MemberExpression' || callee.computed) return null;
    const receiver = this.evaluator.ask(callee.object as Expression, module, frame);
    const ways = waysOf(receiver).filter((way): way is CollectionValue => way.kind === 'collection');
    const [first] = ways;
    if (first === undefined) return null;
    const operation = (OPERATIONS[first.library] as Readonly<Record<string, Operation>>)[callee.property.name];
    if (operation === undefined) return null;
    const isSure = ways.length === waysOf(receiver).length && ways.every(({ name }) => name === first.name);
    return this.placeOf({ node, module }, operation, isSure ? first : { ...first, name: null }, frame);
  }

  private placeOf({ node, module }: Call, operation: Operation, of: CollectionValue, frame: Frame): Place {
    const { property } = bare(node.callee) as MemberExpression;
    const chain = chainOf(node, module, (each) => this.evaluator.given(each, module, frame));
    const { shapes, complete } = codeShapes(operation, this.evaluator.given(node, module, frame), chain.calls);
    const isWhole = chain.isKnown && complete;
    return {
      ...lineAt({ module, node: property }),
      role: this.roleOf(module.file),
      method: (property as { readonly name: string }).name,
      kinds: [
        ...new Set([...operation.kinds, ...chain.calls.flatMap(({ name }) => operationNamed(name)?.kinds ?? [])]),
      ],
      collection: of.name,
      database: of.database,
      library: of.library,
      shapes: chain.isKnown ? shapes : null,
      complete: of.name !== null && isWhole,
      ...(of.name === null ? { because: 'collection' as const } : !isWhole && { because: 'arguments' as const }),
    };
  }

  /** The callers of a wrapper that say more than the wrapper itself does. */
  private throughCallers(call: Call, place: Place): readonly Place[] {
    const wrapper = call.module.functionAround(call.node);
    if (wrapper === null) return [];
    const callers = this.callersOf(wrapper, call.module);
    if (callers.length === 0 || callers.length > MOST_CALLERS) return [];
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
    return better.length === callers.length ? better : better.length > 0 ? [...better, place] : [];
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

  private mayBeOperation({ node, module }: Call): boolean {
    const callee = bare(node.callee) as MemberExpression;
    const receiver = this.evaluator.ask(callee.object as Expression, module);
    return receiver.kind === 'unknown' || receiver.kind === 'choice' || receiver.kind === 'document';
  }
}

function calledName(node: CallExpression): string | null {
  const callee = bare(node.callee);
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : null;
}

function selfOf(evaluator: Evaluator, { node, module }: Call): Value | null {
  const callee = bare(node.callee);
  return callee.type === 'MemberExpression' ? evaluator.ask(callee.object as Expression, module) : null;
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
      return parent.left.type === 'MemberExpression' && !parent.left.computed ? parent.left.property.name : null;
    default:
      return null;
  }
}

/** What is called on the result, one after the other: `.sort(…).limit(…)`. */
function chainOf(
  start: CallExpression,
  module: SourceModule,
  given: (node: CallExpression) => readonly Value[] | null,
): { readonly calls: readonly ChainCall[]; readonly isKnown: boolean } {
  const calls: ChainCall[] = [];
  let isWhole = true;
  let at: Node = start;
  for (;;) {
    const member = module.parents.get(at);
    if (
      member?.type === 'ParenthesizedExpression' ||
      member?.type === 'ChainExpression' ||
      member?.type === 'TSAsExpression' ||
      member?.type === 'TSNonNullExpression'
    ) {
      at = member;
      continue;
    }
    if (member?.type !== 'MemberExpression' || member.object !== at || member.computed) break;
    const call = module.parents.get(member);
    if (call?.type !== 'CallExpression' || call.callee !== member) break;
    const name = member.property.name;
    // A builder that adds conditions.
    isWhole &&= CHAIN_METHODS.has(name);
    calls.push({ name, given: given(call) });
    at = call;
  }
  // A query that is kept in a variable may get conditions later.
  const holder = module.parents.get(at);
  const isKept = holder?.type === 'VariableDeclarator' || holder?.type === 'AssignmentExpression';
  return { calls, isKnown: isWhole && !isKept };
}

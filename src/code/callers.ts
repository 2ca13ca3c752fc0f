import type { CallExpression } from 'oxc-parser';
import { noted } from '../grouped-by.js';
import { calledName } from './call-chain.js';
import type { Evaluator } from './evaluator.js';
import type { SourceModule } from './source-module.js';
import { memberName, type AnyFunction } from './syntax.js';
import { waysOf, type FunctionValue } from './value.js';

/** More callers of a function are not followed, but counted. */
const MOST_CALLERS = 2_000;

/** Callers that are followed from all places of a function together. */
const MOST_FOLLOWED = 10_000;

export interface Call {
  readonly node: CallExpression;
  readonly module: SourceModule;
}

/** A call of a function of the source. */
interface Caller {
  readonly caller: Call;
  readonly called: FunctionValue;
}

/** Who calls the functions of the source. */
export class Callers {
  private readonly byName = new Map<string, Call[]>();
  /** By name, of those that were asked for, and then by function. */
  private readonly found = new Map<string, ReadonlyMap<AnyFunction, readonly Caller[]>>();
  private readonly followed = new Map<AnyFunction, number>();

  constructor(private readonly evaluator: Evaluator) {
    for (const module of evaluator.modules.all) {
      for (const node of module.calls) {
        const name = node.type === 'CallExpression' ? calledName(node) : null;
        if (name === null || node.type !== 'CallExpression') continue;
        noted(this.byName, name, { node, module });
      }
    }
  }

  /** Calls of anything of that name. */
  named(name: string): readonly Call[] {
    return this.byName.get(name) ?? [];
  }

  /** The callers of a function to follow from one more place in it, and how many more it has. */
  toFollow(wrapper: AnyFunction, module: SourceModule): { readonly callers: readonly Caller[]; readonly more: number } {
    const name = nameOfFunction(wrapper, module);
    if (name === null) return { callers: [], more: 0 };
    const byFunction = this.found.get(name) ?? this.byFunction(this.named(name));
    this.found.set(name, byFunction);
    const all = byFunction.get(wrapper) ?? [];
    const before = this.followed.get(wrapper) ?? 0;
    const callers = all.slice(0, Math.min(MOST_CALLERS, MOST_FOLLOWED - before));
    this.followed.set(wrapper, before + callers.length);
    return { callers, more: all.length - callers.length };
  }

  /** Whether all calls of the function around a call are known: it is only ever called, and in its own module. */
  areKnown({ node, module }: Call): boolean {
    const wrapper = module.functionAround(node);
    const name = wrapper === null || wrapper.type === 'ArrowFunctionExpression' ? null : (wrapper.id?.name ?? null);
    if (name === null || module.exports.has(name)) return false;
    const calls = this.named(name).filter((each) => each.module === module && each.node.callee.type === 'Identifier');
    return module.mentions.get(name) === calls.length + 1;
  }

  private byFunction(calls: readonly Call[]): ReadonlyMap<AnyFunction, readonly Caller[]> {
    const known = new Map<AnyFunction, Caller[]>();
    for (const caller of calls) {
      const ways = waysOf(this.evaluator.ask(caller.node.callee, caller.module));
      for (const called of ways.filter((way) => way.kind === 'function')) {
        const before = known.get(called.node) ?? [];
        if (before.at(-1)?.caller !== caller) before.push({ caller, called });
        known.set(called.node, before);
      }
    }
    return known;
  }
}

/** The name under which a function is called: its own, or of what it is assigned to. */
export function nameOfFunction(node: AnyFunction, module: SourceModule): string | null {
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

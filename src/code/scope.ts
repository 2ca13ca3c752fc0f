import type { Class, Expression, Node, TSEnumDeclaration, TSType } from 'oxc-parser';
import { isFunction, type AnyFunction } from './syntax.js';

/** Names on the way from a value to a part of it; null for one that is computed. */
export type Way = readonly (string | null)[];

/** Where the value of a name comes from. */
export type Origin =
  | {
      readonly from: 'expression';
      readonly node: Expression;
      readonly way: Way;
      readonly otherwise: Expression | null;
      /** What TypeScript says of the whole. */
      readonly type: TSType | null;
    }
  | { readonly from: 'parameter'; readonly of: AnyFunction; readonly index: number; readonly way: Way }
  | { readonly from: 'function'; readonly node: AnyFunction }
  | { readonly from: 'class'; readonly node: Class }
  | { readonly from: 'enum'; readonly node: TSEnumDeclaration }
  | { readonly from: 'import'; readonly specifier: string; readonly name: string | null }
  | { readonly from: 'nowhere' };

export const NOWHERE: Origin = { from: 'nowhere' };

/** What is done to the value that a name stands for, after it was made. */
export interface Change {
  readonly how: 'set' | 'delete' | 'push' | 'unshift' | 'assign' | 'escape';
  readonly way: Way;
  readonly values: readonly Expression[];
  /** Whether it happens in a branch, a loop or another function than the name's own. */
  readonly sometimes: boolean;
  readonly at: Node;
}

/** A name, where its value comes from, and what is done to it. */
export class Binding {
  readonly origins: Origin[] = [];
  readonly changes: Change[] = [];
  constructor(readonly scope: Scope) {}
}

export class Scope {
  readonly bindings = new Map<string, Binding>();
  constructor(
    readonly outer: Scope | null,
    readonly node: Node,
  ) {}

  declare(name: string): Binding {
    const binding = this.bindings.get(name) ?? new Binding(this);
    this.bindings.set(name, binding);
    return binding;
  }

  find(name: string): Binding | null {
    return this.bindings.get(name) ?? this.outer?.find(name) ?? null;
  }
}

/** The scope that `var` declares names in. */
export function functionScope(scope: Scope): Scope {
  let at = scope;
  while (at.outer !== null && !isFunction(at.node)) at = at.outer;
  return at;
}

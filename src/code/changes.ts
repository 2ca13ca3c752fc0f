import type { BindingPattern, CallExpression, Class, Expression, Node } from 'oxc-parser';
import { exportedBy, type Exported } from './exports.js';
import { operationNamed } from './operations.js';
import { namesIn } from './pattern.js';
import { NOWHERE, type Change, type Origin, type Scope } from './scope.js';
import { isFunction, memberName, writtenPath, type AnyFunction } from './syntax.js';

/** What an object of a class keeps. */
export interface KeptInThis {
  readonly name: string;
  readonly value: Expression;
  readonly within: AnyFunction | null;
}

/** A module while what is done to the values of its names is read. */
interface ReadModule {
  readonly parents: ReadonlyMap<Node, Node>;
  readonly exports: Map<string, Exported>;
  /** `this.name = …` of a class, with the function that does it. */
  readonly keptInThis: Map<Class, KeptInThis[]>;
  /** What constructors hand to those of the class that they extend. */
  readonly superCalls: Map<Class, CallExpression>;
  functionAround(node: Node): AnyFunction | null;
  classAround(node: Node): Class | null;
}

/** Methods that leave what they are given as it is. */
const READERS = new Set(
  (
    'log debug info warn error trace stringify keys values entries isArray freeze concat includes has resolve ' +
    'equal deepEqual expect all'
  ).split(' '),
);

const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'SwitchCase',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
]);

/** Assignments, `delete`, pushes, and calls that hand the value on to somebody who may change it. */
export function readChange(of: ReadModule, node: Node, scope: Scope): void {
  if (node.type === 'AssignmentExpression') {
    const { left, right } = node;
    if (left.type === 'Identifier') {
      const origin: Origin =
        node.operator === '=' || node.operator.endsWith('?=') || node.operator === '||='
          ? { from: 'expression', node: right, way: [], otherwise: null, type: null }
          : NOWHERE;
      scope.find(left.name)?.origins.push(origin);
    } else if (left.type === 'MemberExpression') {
      const exported = exportedBy(left);
      if (exported !== null) of.exports.set(exported, { expression: right });
      noteKept(of, left, right);
      note(of, left, scope, { how: 'set', values: [right], at: node });
    } else if (left.type === 'ObjectPattern' || left.type === 'ArrayPattern') {
      for (const { name } of namesIn(left as unknown as BindingPattern)) scope.find(name)?.origins.push(NOWHERE);
    }
  } else if (node.type === 'UnaryExpression') {
    note(of, node.argument, scope, { how: 'delete', values: [], at: node });
  } else if (node.type === 'CallExpression') {
    readCall(of, node, scope);
  }
}

function readCall(of: ReadModule, node: CallExpression, scope: Scope): void {
  const values = node.arguments.map((argument) => (argument.type === 'SpreadElement' ? argument.argument : argument));
  const { callee } = node;
  const ofClass = callee.type === 'Super' ? of.classAround(node) : null;
  if (ofClass !== null) of.superCalls.set(ofClass, node);
  const method = memberName(callee);
  if (callee.type === 'MemberExpression' && (method === 'push' || method === 'unshift')) {
    const spread = node.arguments.some(({ type }) => type === 'SpreadElement');
    note(of, callee.object, scope, { how: spread ? 'escape' : method, values, at: node });
    return;
  }
  const [first, ...others] = values;
  if (writtenPath(callee) === 'Object.assign' && first !== undefined) {
    note(of, first, scope, { how: 'assign', values: others, at: node });
    return;
  }
  // An operation reads its arguments; any other function may change them.
  if (method !== null && (operationNamed(method) !== null || READERS.has(method))) return;
  for (const value of values)
    if (value.type === 'Identifier') note(of, value, scope, { how: 'escape', values: [], at: node });
}

function note(of: ReadModule, target: Node, scope: Scope, change: Pick<Change, 'how' | 'values' | 'at'>): void {
  const way: (string | null)[] = [];
  let at = target;
  while (at.type === 'MemberExpression') {
    way.unshift(at.computed ? (at.property.type === 'Literal' ? String(at.property.value) : null) : at.property.name);
    at = at.object;
  }
  if (at.type !== 'Identifier') return;
  const binding = scope.find(at.name);
  binding?.changes.push({ ...change, way, sometimes: isSometimes(of, change.at, binding.scope.node) });
}

function isSometimes(of: ReadModule, node: Node, within: Node): boolean {
  for (let at = of.parents.get(node); at !== undefined && at !== within; at = of.parents.get(at))
    if (BRANCHES.has(at.type) || isFunction(at)) return true;
  return false;
}

function noteKept(of: ReadModule, left: Node, value: Expression): void {
  if (left.type !== 'MemberExpression' || left.computed || left.object.type !== 'ThisExpression') return;
  const ofClass = of.classAround(left);
  if (ofClass === null) return;
  const kept = of.keptInThis.get(ofClass) ?? [];
  kept.push({ name: left.property.name, value, within: of.functionAround(left) });
  of.keptInThis.set(ofClass, kept);
}

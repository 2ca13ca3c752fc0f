import type { CallExpression, Node } from 'oxc-parser';
import type { ChainCall } from './code-shapes.js';
import { CHAIN_METHODS, type Operation } from './operations.js';
import type { CodeShape } from './place.js';
import type { SourceModule } from './source-module.js';
import { bare, memberName, type AnyFunction } from './syntax.js';
import type { CollectionValue, Value } from './value.js';

/** Methods of a cursor or query after which nothing can be added to it. */
const ENDING = new Set(
  'exec toArray next hasNext forEach then catch finally stream cursor explain fetch fetchAsync countAsync forEachAsync'.split(
    ' ',
  ),
);

/** The others that change what is asked for. */
export const ADDING = new Set(['sort', 'limit', 'skip', 'setOptions', 'option', 'count']);

/** Stands for whatever somebody else may call. */
const ANY_METHOD = '?';

interface Chain {
  readonly calls: readonly ChainCall[];
  /** Methods that may be called on it later if it is kept or handed on, and unknown ones. */
  readonly continues: readonly string[];
  /** The function that returns it; null if none does. */
  readonly returnedFrom: AnyFunction | null;
}

/** Functions that take a query or cursor and add nothing to it. */
const KEEPING = new Set(['push', 'resolve', 'all', 'expect', 'from', 'fromPromise']);

/** Whether more can be asked for after the call: cursors of the driver, and all queries of mongoose. */
export function isLazy({ kinds, one }: Operation, { library }: CollectionValue): boolean {
  if (kinds.includes('insert')) return false;
  if (library === 'mongoose' || library === 'unknown') return true;
  return one !== true && (kinds[0] === 'find' || kinds[0] === 'aggregate');
}

/** What is called on the result, one after the other: `.sort(…).limit(…)`, and what may become of it. */
export function chainOf(
  start: CallExpression,
  module: SourceModule,
  given: (node: CallExpression) => readonly Value[] | null,
): Chain {
  const calls: ChainCall[] = [];
  const continues: string[] = [];
  let at: Node = start;
  for (;;) {
    const parent = module.parents.get(at);
    if (parent !== undefined && PASSING.has(parent.type)) {
      at = parent;
      continue;
    }
    if (parent?.type !== 'MemberExpression' || parent.object !== at || parent.computed) break;
    const call = module.parents.get(parent);
    if (call?.type !== 'CallExpression' || call.callee !== parent) break;
    const name = parent.property.name;
    // A builder that adds conditions.
    if (!CHAIN_METHODS.has(name)) continues.push(name);
    calls.push({ name, given: given(call) });
    at = call;
  }
  if (calls.some(({ name }) => ENDING.has(name))) return { calls, continues, returnedFrom: null };
  const goes = whereTo(at, module);
  return typeof goes === 'object' && goes !== null && 'type' in goes
    ? { calls, continues, returnedFrom: goes }
    : { calls, continues: [...continues, ...(goes ?? [])], returnedFrom: null };
}

/** The name of what is called. */
export function calledName(node: CallExpression): string | null {
  const callee = bare(node.callee);
  return callee.type === 'Identifier' ? callee.name : memberName(callee);
}

/** What does not change a value. */
const PASSING: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'ChainExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
]);

/** The methods that may be called on a value where it goes, or the function that returns it; null if none. */
function whereTo(node: Node, module: SourceModule): readonly string[] | AnyFunction | null {
  const parent = module.parents.get(node);
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? [ANY_METHOD, ...module.methodsOn(parent.id.name)] : [ANY_METHOD];
    case 'AssignmentExpression':
      return parent.left.type === 'Identifier' ? [ANY_METHOD, ...module.methodsOn(parent.left.name)] : [ANY_METHOD];
    case 'ConditionalExpression':
    case 'LogicalExpression':
      return parent.type === 'ConditionalExpression' && parent.test === node ? null : whereTo(parent, module);
    case 'ReturnStatement':
      return module.functionAround(parent);
    case 'ArrowFunctionExpression':
      return parent;
    case 'CallExpression':
      return parent.callee === node || KEEPING.has(calledName(parent) ?? '') ? null : [ANY_METHOD];
    default:
      return null;
  }
}

/** A shape of what may get more: the driver's cursors a sort and a limit, queries of mongoose conditions, too. */
export function continued(
  { sort: _sort, limited: _limited, ...way }: CodeShape,
  library: CollectionValue['library'],
): CodeShape {
  const { filter, update, stages } = way;
  if (library === 'driver' || library === 'meteor') return { ...way, ...(stages !== undefined && { more: true }) };
  return {
    ...way,
    ...(filter !== undefined && { filter: { ...filter, closed: false } }),
    ...(update !== undefined && update !== 'replacement' && { update: { ...update, closed: false } }),
    ...(stages !== undefined && { more: true }),
  };
}

import type { Document } from 'mongodb';
import { arrayOf, isPlainObject, scalarText } from './placeholder.js';
import { fieldPath } from './sort-shape.js';

/** Values of `$in`, by the path that they are compared with. The longest, if there are several lists of a path. */
export type ValueLists = Readonly<Record<string, number>>;

const FILTERS = ['filter', 'query', 'q'];
const BRANCHES = new Set(['$and', '$or']);

/** The conditions on stored documents: behind the first stage that is no `$match`, fields may be others. */
export function filtersOf(command: Document): {
  readonly filters: readonly unknown[];
  readonly rest: readonly unknown[];
} {
  const given = FILTERS.map((name) => command[name] as unknown);
  const stages = arrayOf(command['pipeline']);
  if (stages.length === 0) return { filters: given, rest: stages };
  const other = stages.findIndex((stage) => !isPlainObject(stage) || !('$match' in stage));
  const end = other === -1 ? stages.length : other;
  const matches = stages.slice(0, end).map((stage) => (stage as Document)['$match'] as unknown);
  return { filters: [...given, ...matches], rest: stages.slice(end) };
}

export function valueListsOf(command: Document): ValueLists {
  const lists: Record<string, number> = Object.create(null);
  for (const filter of filtersOf(command).filters) addLists(filter, '', lists);
  return lists;
}

function addLists(filter: unknown, prefix: string, lists: Record<string, number>): void {
  if (!isPlainObject(filter)) return;
  for (const [name, operand] of Object.entries(filter)) {
    if (BRANCHES.has(name) && Array.isArray(operand)) for (const branch of operand) addLists(branch, prefix, lists);
    if (name.startsWith('$') || !isPlainObject(operand)) continue;
    const { $in, $elemMatch } = operand;
    const path = `${prefix}${name}`;
    if (Array.isArray($in)) addList(path, $in.length, lists);
    addLists($elemMatch, `${path}.`, lists);
  }
}

function addList(name: string, values: number, lists: Record<string, number>): void {
  const path = fieldPath(name);
  lists[path] = Math.max(lists[path] ?? 0, values);
}

/** The last list of a text that ends within it. What is ahead of it may hold no operator but those that keep its path. */
const UNENDED_LIST = /(?:^|[{,] )([^\s"'{}[\]:,$][^\s"'{}[\]:,]*): \{ \$in: \[ (?!.*: \{ \$in: \[ )/s;
const OTHER_PATHS = /\$(?:elemMatch|not|nor|expr|lookup|group|facet|unionWith|project|addFields|set|unset|unwind)\b/;
const VALUE = /(?:-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|"[^",]*"|(?:new )?[A-Za-z]+\([^(),]*\)|true|false|null)(?:, )/y;

/**
 * In a command that the profiler turned into a text and cut: at least so many values. Only whole values count, and of texts
 * with a comma or quotation mark none behind them.
 */
export function valueListsInText(text: unknown): ValueLists {
  const command = scalarText(text);
  const found = UNENDED_LIST.exec(command);
  if (found?.[1] === undefined || OTHER_PATHS.test(command.slice(0, found.index))) return {};
  let values = 0;
  VALUE.lastIndex = found.index + found[0].length;
  while (VALUE.test(command)) values += 1;
  return values === 0 ? {} : { [fieldPath(found[1])]: values };
}

import { shellCollection } from '../shell-collection.js';

/** Columns of a terminal, without the indentation of a block. */
const COLUMNS = 76;

/** A statement for mongosh, on one line or with each argument on its own. Both can be pasted. */
export function shellStatement(namespace: string, method: string, ...args: readonly string[]): string {
  return shellCall(`${shellCollection(namespace)}.${method}`, ...args);
}

/** The same of any function. */
export function shellCall(name: string, ...args: readonly string[]): string {
  const line = `${name}(${args.join(', ')})`;
  return line.length <= COLUMNS || args.length === 0 ? line : `${name}(\n  ${args.join(',\n  ')}\n)`;
}

/** An aggregation for mongosh, with each stage on a line. */
export function shellAggregation(namespace: string, ...stages: readonly string[]): string {
  return `${shellCollection(namespace)}.aggregate([\n  ${stages.join(',\n  ')}\n])`;
}

import { shellCollection } from '../shell-collection.js';

/** A statement for mongosh, on one line: reports break it to their width. */
export function shellStatement(namespace: string, method: string, ...args: readonly string[]): string {
  return `${shellCollection(namespace)}.${method}(${args.join(', ')})`;
}

/** An aggregation for mongosh, with each stage on a line. */
export function shellAggregation(namespace: string, ...stages: readonly string[]): string {
  return `${shellCollection(namespace)}.aggregate([\n  ${stages.join(',\n  ')}\n])`;
}

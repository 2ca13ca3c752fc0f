import { shellCollection } from '../namespace.js';
import { shellCall } from './shell-call.js';

/** In ms: a scan that somebody runs by hand ends by itself, also if they leave. */
const LONGEST_SCAN = 600_000;

/** What the statement of `shellScan` costs, as a sentence. */
export const SCAN_COST = `This scans the collection, on a secondary if there is one, for at most ${LONGEST_SCAN / 60_000} minutes.`;

/** A statement for mongosh, on one line: reports break it to their width. */
export function shellStatement(namespace: string, method: string, ...args: readonly string[]): string {
  return `${shellCollection(namespace)}.${method}(${args.join(', ')})`;
}

/** A command on a database for mongosh, on one line. */
export function shellCommand(database: string, command: Readonly<Record<string, unknown>>): string {
  const { method, args } = shellCall(database, command);
  return `${method}(${args.map(spacedJson).join(', ')})`;
}

/** An aggregation for mongosh, with each stage on a line. */
export function shellAggregation(namespace: string, ...stages: readonly string[]): string {
  return `${shellCollection(namespace)}.aggregate([\n  ${stages.join(',\n  ')}\n])`;
}

/** A search for mongosh that no index serves: it spares the primary, and ends by itself. Filter and projection as in mongosh. */
export function shellScan(namespace: string, filter: string, projection = ''): string {
  const found = shellStatement(namespace, 'find', filter, ...(projection === '' ? [] : [projection]));
  return `${found}.readPref("secondaryPreferred").maxTimeMS(${LONGEST_SCAN})`;
}

/** JSON on one line with spaces, as people write it: `[{ "$match": { "a": 1 } }]`. */
export function spacedJson(value: unknown): string {
  // JSON escapes the line breaks within strings: all others are between tokens.
  return JSON.stringify(value, null, 1)
    .replaceAll(/(?<=\[)\n *|\n *(?=\])/g, '')
    .replaceAll(/\n */g, ' ');
}

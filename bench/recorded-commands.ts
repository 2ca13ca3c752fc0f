import { BSON, type CommandStartedEvent, type Document } from 'mongodb';
import { lint } from '../src/lint/lint.js';

/** One command as it was sent. */
export interface RecordedCommand {
  readonly database: string;
  readonly command: Document;
}

export interface RecordedRun {
  readonly commands: readonly RecordedCommand[];
  /**
   * The longest chain of commands, `getMore` included, each of which was sent after the answer to the one before. Probes of
   * the server's load, which nothing waits for, are not counted.
   */
  readonly rounds: number;
}

/** What the driver adds to each command, and does again on replay. */
const ADDED_BY_DRIVER = new Set(['lsid', '$clusterTime', '$db', '$readPreference', 'txnNumber', 'readConcern']);
const DRIVER_COMMANDS = new Set(['getMore', 'killCursors', 'endSessions', 'ping']);
const WAITED_FOR_BY_NOBODY = new Set(['serverStatus', 'killCursors', 'endSessions']);

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Runs the linter once and returns the commands it sent. */
export async function recordRun(uri: string, include: readonly string[]): Promise<RecordedRun> {
  const commands: RecordedCommand[] = [];
  const started = new Map<string, number>();
  const intervals: Interval[] = [];
  const record = ({ commandName, databaseName, command, requestId, address }: CommandStartedEvent) => {
    if (!WAITED_FOR_BY_NOBODY.has(commandName)) started.set(`${address} ${requestId}`, performance.now());
    if (DRIVER_COMMANDS.has(commandName)) return;
    const kept = Object.entries(command).filter(([key]) => !ADDED_BY_DRIVER.has(key));
    commands.push({ database: databaseName, command: Object.fromEntries(kept) });
  };
  const end = ({ address, requestId }: { readonly address: string; readonly requestId: number }) => {
    const start = started.get(`${address} ${requestId}`);
    if (start !== undefined) intervals.push({ start, end: performance.now() });
  };
  await lint({
    uri,
    include,
    onClient: (client) => client.on('commandStarted', record).on('commandSucceeded', end).on('commandFailed', end),
  });
  return { commands, rounds: longestChain(intervals) };
}

export function longestChain(intervals: readonly Interval[]): number {
  let [length, endOfLast] = [0, -Infinity];
  for (const { start, end } of intervals.toSorted((one, other) => one.end - other.end)) {
    if (start < endOfLast) continue;
    length += 1;
    endOfLast = end;
  }
  return length;
}

/** What asks for the same one collection at a time, as a plain program would. */
export function oneByOne(commands: readonly RecordedCommand[]): readonly RecordedCommand[] {
  return commands.flatMap(({ database, command }) => {
    const pipeline = (command['pipeline'] ?? []) as readonly Document[];
    const unions = pipeline.flatMap(({ $unionWith }) => ($unionWith === undefined ? [] : [$unionWith as Union]));
    if (unions.length === 0) return [{ database, command }];
    const first = { coll: command['aggregate'] as string, pipeline: pipeline.slice(0, -unions.length) };
    return [first, ...unions].map(({ coll, pipeline: stages }) => ({
      database,
      command: { ...command, aggregate: coll, pipeline: stages.filter((stage) => !isWrapped(stage)) },
    }));
  });
}

interface Union {
  readonly coll: string;
  readonly pipeline: readonly Document[];
}

/** The number of its collection is put beside each document of a group. */
function isWrapped({ $replaceWith }: Document): boolean {
  return $replaceWith?.document === '$$ROOT';
}

export function asText(commands: readonly RecordedCommand[]): string {
  return BSON.EJSON.stringify(commands, { relaxed: false });
}

import {
  BSON,
  type CommandStartedEvent,
  type CommandFailedEvent,
  type CommandSucceededEvent,
  type Document,
} from 'mongodb';
import { lint } from '../src/lint/lint.js';

/** One command as it was sent. */
export interface RecordedCommand {
  readonly database: string;
  readonly command: Document;
  /** Batch sizes of the further batches that the run asked for. Absent if the cursor is to be read to its end. */
  readonly furtherBatches?: (number | null)[];
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
  const started = new Map<string, { readonly at: number; readonly recorded: RecordedCommand | null }>();
  const cursors = new Map<string, RecordedCommand>();
  const intervals: Interval[] = [];
  const record = ({ commandName, databaseName, command, requestId, address }: CommandStartedEvent) => {
    const kept = Object.entries(command).filter(([key]) => !ADDED_BY_DRIVER.has(key));
    const recorded = DRIVER_COMMANDS.has(commandName)
      ? null
      : { database: databaseName, command: Object.fromEntries(kept), furtherBatches: [] };
    if (recorded !== null) commands.push(recorded);
    if (commandName === 'getMore')
      cursors.get(String(command['getMore']))?.furtherBatches?.push(command['batchSize'] ?? null);
    started.set(`${address} ${requestId}`, { at: performance.now(), recorded });
  };
  const end = ({ address, requestId, commandName }: CommandFailedEvent | CommandSucceededEvent) => {
    const begun = started.get(`${address} ${requestId}`);
    if (begun !== undefined && !WAITED_FOR_BY_NOBODY.has(commandName))
      intervals.push({ start: begun.at, end: performance.now() });
  };
  const succeed = (event: CommandSucceededEvent) => {
    end(event);
    const recorded = started.get(`${event.address} ${event.requestId}`)?.recorded ?? null;
    const cursor = (event.reply as Document | undefined)?.['cursor'];
    if (recorded !== null && cursor !== undefined) cursors.set(String(cursor.id), recorded);
  };
  await lint({
    uri,
    include,
    onClient: (client) => client.on('commandStarted', record).on('commandSucceeded', succeed).on('commandFailed', end),
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
  return commands.flatMap((recorded) => {
    const { database, command } = recorded;
    const pipeline = (command['pipeline'] ?? []) as readonly Document[];
    const unions = pipeline.flatMap(({ $unionWith }) => ($unionWith === undefined ? [] : [$unionWith as Union]));
    if (unions.length === 0) return [recorded];
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

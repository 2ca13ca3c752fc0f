import { BSON, type CommandStartedEvent, type Document } from 'mongodb';
import { lint } from '../src/lint/lint.js';

/** One command as it was sent. */
export interface RecordedCommand {
  readonly database: string;
  readonly command: Document;
}

/** What the driver adds to each command, and does again on replay. */
const ADDED_BY_DRIVER = new Set(['lsid', '$clusterTime', '$db', '$readPreference', 'txnNumber', 'readConcern']);
const DRIVER_COMMANDS = new Set(['getMore', 'killCursors', 'endSessions', 'ping']);

/** Runs the linter once and returns the commands it sent. */
export async function recordCommands(uri: string, include: string): Promise<readonly RecordedCommand[]> {
  const recorded: RecordedCommand[] = [];
  const record = ({ commandName, databaseName, command }: CommandStartedEvent) => {
    if (DRIVER_COMMANDS.has(commandName)) return;
    const kept = Object.entries(command).filter(([key]) => !ADDED_BY_DRIVER.has(key));
    recorded.push({ database: databaseName, command: Object.fromEntries(kept) });
  };
  await lint({ uri, include: [include], onClient: (client) => client.on('commandStarted', record) });
  return recorded;
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

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

/** Runs the linter once and returns the commands it sent, as Extended JSON. */
export async function recordCommands(uri: string, include: string): Promise<string> {
  const recorded: RecordedCommand[] = [];
  const record = ({ commandName, databaseName, command }: CommandStartedEvent) => {
    if (DRIVER_COMMANDS.has(commandName)) return;
    const kept = Object.entries(command).filter(([key]) => !ADDED_BY_DRIVER.has(key));
    recorded.push({ database: databaseName, command: Object.fromEntries(kept) });
  };
  await lint({ uri, include: [include], onClient: (client) => client.on('commandStarted', record) });
  return BSON.EJSON.stringify(recorded, { relaxed: false });
}

/**
 * The floor that a default run is measured against: the bare driver fetching the same evidence and computing nothing. It
 * replays the very commands that a run sent, with the same concurrency, and drains every cursor as raw BSON.
 *
 * Usage: node floor.js URI COMMANDS.json
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { BSON, MongoClient, MongoServerError, ReadPreference, type CommandStartedEvent, type Document } from 'mongodb';
import pLimit from 'p-limit';
import { lint, LINT_DEFAULTS } from '../src/lint.js';

/** One command as it was sent. */
interface RecordedCommand {
  readonly database: string;
  readonly command: Document;
}

const CURSOR_COMMANDS = new Set(['aggregate', 'find', 'listCollections', 'listIndexes']);
/** What the driver adds to each command, and does again on replay. */
const ADDED_BY_DRIVER = ['lsid', '$clusterTime', '$db', '$readPreference', 'txnNumber', 'readConcern'];
const DRIVER_COMMANDS = new Set(['getMore', 'killCursors', 'endSessions', 'ping']);

/** Runs the linter once and returns the commands it sent, as Extended JSON. */
export async function recordCommands(uri: string, include: string): Promise<string> {
  const recorded: RecordedCommand[] = [];
  const record = ({ commandName, databaseName, command }: CommandStartedEvent) => {
    if (DRIVER_COMMANDS.has(commandName)) return;
    const kept = Object.entries(command).filter(([key]) => !ADDED_BY_DRIVER.includes(key));
    recorded.push({ database: databaseName, command: Object.fromEntries(kept) });
  };
  await lint({ uri, include: [include], onClient: (client) => client.on('commandStarted', record) });
  return BSON.EJSON.stringify(recorded, { relaxed: false });
}

async function replay(uri: string, commands: readonly RecordedCommand[]): Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: LINT_DEFAULTS.concurrency + 1 });
  const limit = pLimit(LINT_DEFAULTS.concurrency);
  const run = async ({ database, command }: RecordedCommand) => {
    const name = Object.keys(command)[0] as string;
    const readPreference = ReadPreference.secondaryPreferred;
    if (!CURSOR_COMMANDS.has(name)) return void (await client.db(database).command(command, { readPreference }));
    const cursor = client.db(database).runCursorCommand(command, { readPreference, raw: true });
    const batchSize = (command['batchSize'] ?? command['cursor']?.['batchSize']) as number | undefined;
    if (batchSize !== undefined) cursor.setBatchSize(batchSize);
    while (await cursor.hasNext()) cursor.readBufferedDocuments();
  };
  // The commands about one collection follow one another, as in a run; collections go side by side.
  const groups = new Map<string, RecordedCommand[]>();
  for (const recorded of commands) {
    const namespace = `${recorded.database}.${String(Object.values(recorded.command)[0])}`;
    groups.set(namespace, [...(groups.get(namespace) ?? []), recorded]);
  }
  await Promise.all(
    [...groups.values()].map((group) =>
      limit(async () => {
        for (const command of group) await run(command).catch(refused);
      }),
    ),
  );
  await client.close();
}

/** What the server refuses in a run, such as a stage that it does not know, it refuses here too: that is part of the evidence. */
function refused(error: unknown): void {
  if (!(error instanceof MongoServerError)) throw error;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [uri, file] = process.argv.slice(2);
  if (uri === undefined || file === undefined) throw new Error('Usage: node floor.js URI COMMANDS.json');
  await replay(uri, BSON.EJSON.parse(await readFile(file, 'utf8')) as RecordedCommand[]);
}

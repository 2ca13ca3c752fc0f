/**
 * The floor that a default run is measured against: the bare driver fetching the same evidence and computing nothing. It
 * replays commands over as many connections as a run has. It loads nothing of mongolint.
 *
 * Documents are given as the driver gives them by default, decoded; or as raw BSON, which is what mongolint asks for, and
 * less than any program can do that looks at a document. `in-turn`: the commands about one collection follow one another,
 * collections go side by side. `at-once`: no command waits for another, as if all were known from the start.
 *
 * Usage: node floor.js URI COMMANDS.json CONNECTIONS decoded|raw in-turn|at-once
 */
import { readFile } from 'node:fs/promises';
import { BSON, MongoClient, MongoServerError, ReadPreference } from 'mongodb';
import pLimit from 'p-limit';
import type { RecordedCommand } from './recorded-commands.js';

const CURSOR_COMMANDS = new Set(['aggregate', 'find', 'listCollections', 'listIndexes']);

async function replay(
  client: MongoClient,
  groups: readonly (readonly RecordedCommand[])[],
  connections: number,
  raw: boolean,
): Promise<void> {
  const limit = pLimit(connections);
  const run = async ({ database, command, furtherBatches }: RecordedCommand) => {
    const name = Object.keys(command)[0] as string;
    const readPreference = ReadPreference.secondaryPreferred;
    if (!CURSOR_COMMANDS.has(name)) return void (await client.db(database).command(command, { readPreference }));
    const cursor = client.db(database).runCursorCommand(command, { readPreference, raw });
    const batchSize = (command['batchSize'] ?? command['cursor']?.['batchSize']) as number | undefined;
    if (batchSize !== undefined) cursor.setBatchSize(batchSize);
    if (furtherBatches === undefined) {
      while (await cursor.hasNext()) cursor.readBufferedDocuments();
      return;
    }
    // A run does not read all of each cursor, such as the oplog's.
    for (const size of [batchSize ?? null, ...furtherBatches]) {
      if (size !== null) cursor.setBatchSize(size);
      if (await cursor.hasNext()) cursor.readBufferedDocuments();
    }
    await cursor.close();
  };
  await Promise.all(
    groups.map((group) =>
      limit(async () => {
        for (const command of group) await run(command).catch(refused);
      }),
    ),
  );
}

function byNamespace(commands: readonly RecordedCommand[]): RecordedCommand[][] {
  const groups = new Map<string, RecordedCommand[]>();
  for (const recorded of commands) {
    const namespace = `${recorded.database}.${String(Object.values(recorded.command)[0])}`;
    groups.set(namespace, [...(groups.get(namespace) ?? []), recorded]);
  }
  return [...groups.values()];
}

/** What the server refuses in a run, such as a stage that it does not know, it refuses here too: that is part of the evidence. */
function refused(error: unknown): void {
  if (!(error instanceof MongoServerError)) throw error;
}

const [uri, file, connections, documents, order] = process.argv.slice(2);
if (
  uri === undefined ||
  file === undefined ||
  connections === undefined ||
  (documents !== 'decoded' && documents !== 'raw') ||
  (order !== 'in-turn' && order !== 'at-once')
) {
  throw new Error('Usage: node floor.js URI COMMANDS.json CONNECTIONS decoded|raw in-turn|at-once');
}
const commands = BSON.EJSON.parse(await readFile(file, 'utf8')) as RecordedCommand[];
const most = Number(connections);
const client = new MongoClient(uri, { maxPoolSize: most, maxConnecting: most });
const groups = order === 'in-turn' ? byNamespace(commands) : commands.map((command) => [command]);
await replay(client, groups, most, documents === 'raw');
await client.close();

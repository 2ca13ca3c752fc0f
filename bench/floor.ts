/**
 * The floor that a default run is measured against: the bare driver fetching the same evidence and computing nothing. It
 * replays the commands that a run sent, or asks for the same one collection at a time, with the same concurrency. It loads
 * nothing of mongolint.
 *
 * Documents are given as the driver gives them by default, decoded; or as raw BSON, which is what mongolint asks for, and
 * less than any program can do that looks at a document.
 *
 * Usage: node floor.js URI COMMANDS.json CONCURRENCY decoded|raw
 */
import { readFile } from 'node:fs/promises';
import { BSON, MongoClient, MongoServerError, ReadPreference } from 'mongodb';
import pLimit from 'p-limit';
import type { RecordedCommand } from './recorded-commands.js';

const CURSOR_COMMANDS = new Set(['aggregate', 'find', 'listCollections', 'listIndexes']);

async function replay(
  uri: string,
  commands: readonly RecordedCommand[],
  concurrency: number,
  raw: boolean,
): Promise<void> {
  const client = new MongoClient(uri, { maxPoolSize: concurrency + 1 });
  const limit = pLimit(concurrency);
  const run = async ({ database, command }: RecordedCommand) => {
    const name = Object.keys(command)[0] as string;
    const readPreference = ReadPreference.secondaryPreferred;
    if (!CURSOR_COMMANDS.has(name)) return void (await client.db(database).command(command, { readPreference }));
    const cursor = client.db(database).runCursorCommand(command, { readPreference, raw });
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

const [uri, file, concurrency, documents] = process.argv.slice(2);
if (
  uri === undefined ||
  file === undefined ||
  concurrency === undefined ||
  (documents !== 'decoded' && documents !== 'raw')
) {
  throw new Error('Usage: node floor.js URI COMMANDS.json CONCURRENCY decoded|raw');
}
await replay(
  uri,
  BSON.EJSON.parse(await readFile(file, 'utf8')) as RecordedCommand[],
  Number(concurrency),
  documents === 'raw',
);

import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/program.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const database = freshDatabase(client);

beforeAll(async () => {
  for (const name of ['customers', 'orders', 'shops']) await database.collection(name).insertOne({ name });
});

it.each([
  ['lint', []],
  ['collect', ['collect', '--output', 'found.evidence.jsonl']],
])('%s tells how many collections it is about to read, so that memory is spared', async (_, command) => {
  const folder = await temporaryFolder();
  const counts: number[] = [];
  const exitCode = await runCommandLine(
    [...command, sharedReplicaSetUri(), '--include', `${database.databaseName}.*`],
    {
      stdout: { write: () => true },
      stderr: { write: () => true },
      env: {},
      cwd: () => folder,
      handOver: () => {},
      expectCollections: (count) => counts.push(count),
    },
  );
  expect({ exitCode, counts }).toEqual({ exitCode: 0, counts: [3] });
});

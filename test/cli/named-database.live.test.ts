import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const [own, other] = [freshDatabase(client), freshDatabase(client)];

beforeAll(async () => {
  for (const database of [own, other]) await database.collection('orders').insertMany([{ a: 1 }, { a: 2 }]);
});

const named = (name: string) => sharedReplicaSetUri().replace(/(\/\/[^/]*)\/?/, `$1/${name}`);

async function linted(name: string, ...options: string[]) {
  const argv = ['--no-progress', '--format', 'json', '--check', 'deep-nesting', ...options];
  const { exitCode, stdout, stderr } = await runCaptured(argv, { MONGODB_URI: named(name) }, await temporaryFolder());
  return { exitCode, stderr, databases: stdout === '' ? null : databasesOf(JSON.parse(stdout) as Report) };
}

function databasesOf({ collections }: Report) {
  return new Set(collections.map(({ namespace }) => namespace.split('.')[0]));
}

describe('a database that the connection string names', () => {
  it('is all that is linted, and a line says so', async () => {
    const { exitCode, stderr, databases } = await linted(own.databaseName);
    expect({ exitCode, databases }).toEqual({ exitCode: 0, databases: new Set([own.databaseName]) });
    expect(stderr).toBe(
      `only the database ${own.databaseName} is read, which the connection string names; --include "*" reads all.\n`,
    );
    const { collections } = await lint({ uri: named(own.databaseName) });
    expect(collections.map(({ namespace }) => namespace)).toEqual([`${own.databaseName}.orders`]);
  });

  it.each<[string, string, string[]]>([
    ['globs say what to lint', own.databaseName, ['--include', `${other.databaseName}.*`]],
    ['all are asked for', own.databaseName, ['--include', '*']],
    ['it is where the user is', 'admin', []],
  ])('leaves nothing out if %s', async (_, name, options) => {
    const { stderr, databases } = await linted(name, ...options);
    expect(stderr).not.toContain('only the database');
    // Other tests have theirs on the same server.
    expect(databases).toContain(other.databaseName);
  });

  it('fails the run if it has no collections: a misspelt name is no clean cluster', async () => {
    const { exitCode, stderr } = await linted('no_such_database');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'The connection string names the database no_such_database, in which the user can see no collection: correct it, or lint all databases with --include "*".',
    );
  });
});

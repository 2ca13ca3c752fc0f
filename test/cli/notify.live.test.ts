import { json } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCaptured, type CapturedRun } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';

const client = sharedClient();
const database = freshDatabase(client);

beforeAll(async () => {
  await database.collection('deep').insertMany([{ a: JSON.parse(`${'{"a":'.repeat(90)}1${'}'.repeat(90)}`) }]);
});

async function lint(webhook: string, argv: readonly string[]): Promise<CapturedRun> {
  const env = { MONGODB_URI: sharedReplicaSetUri(), MONGOLINT_NOTIFY: webhook };
  return runCaptured(['--include', `${database.databaseName}.*`, ...argv], env, await folderWith({}));
}

describe('a run with a webhook', () => {
  it('tells it what is new', async () => {
    const texts: string[] = [];
    const address = await startHttpServer(async (request, response) => {
      texts.push(((await json(request)) as { text: string }).text);
      response.end('ok');
    });
    const { exitCode, stderr } = await lint(`${address}/s3cret`, []);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(texts.map((text) => text.split('\n')[1])).toEqual([
      expect.stringContaining(`error: deep-nesting in ${database.databaseName}.deep`),
    ]);
    expect(texts[0]).toMatch(/^mongolint on replica set \S+, MongoDB [\d.]+[^:]*: \d+ new finding/);
  });

  it.each([
    [[], 1],
    [['--fail-on', 'never'], 0],
  ])('does not fail by it, nor print it: %j', async (argv, expected) => {
    const { exitCode, stdout, stderr } = await lint('http://127.0.0.1:1/s3cret', [...argv, '--verbose']);
    expect(exitCode).toBe(expected);
    expect(stderr).toMatch(/^notify: <secret> \(MONGOLINT_NOTIFY\)$/m);
    expect(stderr).toMatch(/^The notification could not be sent: \w+\./m);
    expect(stdout + stderr).not.toContain('s3cret');
  });

  it('refuses an address that is none before it lints', async () => {
    const { exitCode, stdout, stderr } = await lint('http://hooks.example.com/s3cret', []);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe('The address for --notify must begin with https://, since it is a secret.\n');
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { slowLine } from '../support/workload/log-text.js';

const DOCUMENTS = 12_000;

async function joinsFound(argv: readonly string[], cwd: string): Promise<unknown> {
  const { stdout } = await runCaptured([...argv, '--format', 'json'], {}, cwd);
  const { findings } = reportSchema.parse(JSON.parse(stdout));
  return findings
    .filter(({ check }) => check === 'missing-lookup-index')
    .map(({ namespace, path, evidence }) => ({
      place: `${namespace} ${path}`,
      source: evidence.source,
      window: evidence.window,
    }));
}

describe('--log', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const target = [sharedReplicaSetUri(), '--include', `${database.databaseName}.*`];
  beforeAll(async () => {
    await database.collection('orders').insertMany(Array.from({ length: 50 }, (_, number) => ({ number })));
    await database
      .collection('payments')
      .insertMany(Array.from({ length: DOCUMENTS }, (_, number) => ({ order: number })));
  });

  /** A folder that holds the log of two joins. */
  async function folderWithLog(): Promise<string> {
    const folder = await temporaryFolder();
    const lookup = { $lookup: { from: 'payments', localField: 'number', foreignField: 'order', as: 'payments' } };
    const command = { aggregate: 'orders', pipeline: [lookup], cursor: {}, $db: database.databaseName };
    const line = slowLine(command, { ns: `${database.databaseName}.orders`, docsExamined: 50 * DOCUMENTS });
    await writeFile(join(folder, 'mongod.log'), `${line}\n${line}\n`);
    return folder;
  }

  const expected = () => [
    { place: `${database.databaseName}.payments order`, source: 'log file', window: '2 executions that were slow' },
  ];

  it('is where the workload is read from', async () => {
    expect(await joinsFound([...target, '--log', join(await folderWithLog(), 'mongod.log')], '/')).toEqual(expected());
  });

  it('is relative to the working folder, and may be repeated', async () => {
    expect(
      await joinsFound([...target, '--log', 'mongod.log', '--log', './mongod.log'], await folderWithLog()),
    ).toEqual(expected());
  });

  it('is in the configuration relative to that', async () => {
    const config = join(await folderWithLog(), 'mongolint.config.json');
    await writeFile(config, JSON.stringify({ log: ['mongod.log'] }));
    expect(await joinsFound([...target, '--config', config], '/')).toEqual(expected());
  });

  it('that is not there ends the run with a line that says so', async () => {
    const { exitCode, stderr } = await runCaptured([...target, '--log', 'other.log'], {}, await temporaryFolder());
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^The log .*other\.log can't be read \(ENOENT\): give --log a file that exists and that you may read\.\n$/,
    );
  });
});

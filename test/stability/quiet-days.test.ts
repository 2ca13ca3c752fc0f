/** Ten days of a scheduled job over unchanged data, with a baseline, a history and a webhook. The days pass by a set clock. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MS_PER_DAY } from '../../src/time-units.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { startHttpServer } from '../support/mongod/download-mirror.js';
import { plantNearLines } from '../support/near-lines.js';
import { plantForWorkload, runNearLines, switchProfilerOn } from '../support/profiled-workload.js';

const DAYS = 10;
const client = sharedClient();
afterEach(() => vi.useRealTimers());

/** What the webhook heard and the exit code, by day. */
async function days(database: string, flags: readonly string[]): Promise<{ heard: string[][]; exitCodes: number[] }> {
  const folder = await folderWith({});
  let texts: string[] = [];
  const webhook = await startHttpServer(async (request, response) => {
    texts.push(((await json(request)) as { text: string }).text);
    response.end('ok');
  });
  const heard: string[][] = [];
  const exitCodes: number[] = [];
  const begun = Date.now();
  for (let day = 0; day <= DAYS; day += 1) {
    texts = [];
    vi.useFakeTimers({ toFake: ['Date'], now: begun + day * MS_PER_DAY });
    const argv = [
      '--include',
      `${database}.*`,
      '--baseline',
      join(folder, 'baseline.jsonl'),
      '--history',
      'history.jsonl',
      ...flags,
    ];
    const env = { MONGODB_URI: sharedReplicaSetUri(), MONGOLINT_NOTIFY: webhook };
    const update = day === 0 && flags.length === 0 ? ['--update-baseline'] : [];
    const { exitCode, stderr } = await runCaptured([...argv, ...update, '--fail-on', 'info'], env, folder);
    expect(stderr).toBe('');
    heard.push(texts);
    exitCodes.push(exitCode);
    vi.useRealTimers();
  }
  expect((await readFile(join(folder, 'history.jsonl'), 'utf8')).trim().split('\n').length).toBeGreaterThan(DAYS);
  return { heard, exitCodes };
}

describe.each<[string, (database: ReturnType<MongoClient['db']>) => Promise<void>]>([
  ['sampled collections', (database) => plantNearLines(database, 4_000)],
  ['collections beyond scanning', (database) => plantNearLines(database, 30_000)],
  [
    'a profiled workload',
    async (database) => {
      await plantForWorkload(database);
      await switchProfilerOn(database);
      await runNearLines(database);
    },
  ],
])('ten quiet days over %s', (_, plant) => {
  const database = freshDatabase(client);
  afterAll(() => database.command({ profile: 0 }));
  beforeAll(() => plant(database));

  it('exit with 0, and notify nobody', async () => {
    const { heard, exitCodes } = await days(database.databaseName, []);
    expect(heard.slice(1)).toEqual(Array.from({ length: DAYS }, () => []));
    expect(exitCodes).toEqual(Array.from({ length: DAYS + 1 }, () => 0));
    expect(heard[0]).toHaveLength(1);
  });

  it('and with a baseline that each of them updates', async () => {
    const { heard } = await days(database.databaseName, ['--update-baseline']);
    expect(heard.slice(1)).toEqual(Array.from({ length: DAYS }, () => []));
  });
});

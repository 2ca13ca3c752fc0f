/** A profiled workload: the reads of mongolint itself never count as work, nor push the application's out of the record. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { plantForWorkload, runNearLines, switchProfilerOn } from '../support/profiled-workload.js';
import { different, verdictsOfRuns } from '../support/verdicts.js';

const client = sharedClient();

describe.each<[string, (database: ReturnType<MongoClient['db']>) => Promise<void>]>([
  ['a profiler that was switched off', async (database) => void (await database.command({ profile: 0 }))],
  ['a profiler at level 2 that records the runs too', async () => {}],
  [
    'a profiler at level 2 that leaves mongolint out',
    async (database) => void (await database.command({ profile: 2, filter: { appName: { $ne: 'mongolint' } } })),
  ],
])('%s', (_, afterwards) => {
  const database = freshDatabase(client);
  afterAll(() => database.command({ profile: 0 }));
  beforeAll(async () => {
    await plantForWorkload(database);
    await switchProfilerOn(database);
    await runNearLines(database);
    await afterwards(database);
  });

  it('gives the same findings in ten runs', async () => {
    const verdicts = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, 10);
    expect(different(verdicts)).toEqual([]);
    expect(verdicts[0]?.findings.join('\n')).toContain('collection-scan');
  });
});

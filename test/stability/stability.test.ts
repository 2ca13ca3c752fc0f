/** The same data, the same verdict: `npm run test:stability`, some minutes on an idle machine. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';
import { plantNearLines } from '../support/near-lines.js';
import { verdictsOfRuns, type Verdicts } from '../support/verdicts.js';

/** Documents of a collection that is sampled, and is scanned for it. */
const SAMPLED = 4_000;
/** Documents of one that is not scanned. */
const BEYOND_SCANNING = 100_000;

describe('sampled collections near the lines', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  beforeAll(() => plantNearLines(database, SAMPLED));

  it('give the same findings in ten runs', async () => {
    const verdicts = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, 10);
    expect(different(verdicts)).toEqual([]);
  });

  it('give the same findings in the copy of them that a resync would store in another order', async () => {
    const copy = client.db(`${database.databaseName}_copy`);
    try {
      for (const { name } of await database.listCollections().toArray()) {
        const byRandomField = await database.collection(name).find().toArray();
        byRandomField.sort((one, other) => String(one._id).slice(-3).localeCompare(String(other._id).slice(-3)));
        await copy.collection(name).insertMany(byRandomField);
      }
      const [original] = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, 1, 'warning');
      const [copied] = await verdictsOfRuns(sharedReplicaSetUri(), copy.databaseName, 1, 'warning');
      const names = (verdicts: Verdicts | undefined) =>
        verdicts?.findings.map((line) => line.replaceAll(copy.databaseName, database.databaseName));
      expect(names(copied)).toEqual(names(original));
    } finally {
      await copy.dropDatabase();
    }
  });
});

describe('a replica set that is read from a secondary', () => {
  let set: MemberSet;
  beforeAll(async () => {
    set = await startMemberSet(2);
    const primary = set.members[0] as MongoClient;
    await plantNearLines(primary.db('shop'), SAMPLED);
    await primary
      .db('shop')
      .collection('last')
      .insertOne({}, { writeConcern: { w: 2 } });
  });
  afterAll(() => set.stop());

  it('gives the same findings in ten runs, and as the primary does', async () => {
    const fromSecondary = await verdictsOfRuns(set.uri, 'shop', 10);
    const fromPrimary = await verdictsOfRuns(`${set.uri}&readPreference=primary`, 'shop', 1);
    expect(different([...fromSecondary, ...fromPrimary])).toEqual([]);
    expect(fromSecondary[0]?.findings.join('\n')).toContain('bucket-candidate shop.readings');
  });

  it('gives the same findings over a direct connection with the secondary', async () => {
    const uri = (set.members[1] as MongoClient).options.hosts.map(String).join();
    const direct = await verdictsOfRuns(`mongodb://${uri}/?directConnection=true`, 'shop', 3);
    expect(different(direct)).toEqual([]);
    expect(direct[0]?.findings.join('\n')).toContain('bucket-candidate shop.readings');
  });
});

describe('collections beyond scanning', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  beforeAll(() => plantNearLines(database, BEYOND_SCANNING));

  it('give the same warnings and errors in 50 runs', async () => {
    const verdicts = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, 50, 'warning');
    expect(different(verdicts)).toEqual([]);
    expect(verdicts[0]?.findings.length).toBeGreaterThan(0);
  });
});

/** What one run says, and the first does not, or the other way round. */
function different(verdicts: readonly Verdicts[]): string[] {
  const lines = verdicts.map(({ findings, exitCode }) => [...findings, `exit code ${exitCode}`]);
  const [first = []] = lines;
  return lines.flatMap((run, number) => [
    ...run.filter((line) => !first.includes(line)).map((line) => `run ${number} only: ${line}`),
    ...first.filter((line) => !run.includes(line)).map((line) => `not in run ${number}: ${line}`),
  ]);
}

/** The same data, the same verdict: a short form of `npm run test:stability`, over collections that are sampled. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { plantNearLines } from '../support/near-lines.js';
import { verdictsOfRuns, type Verdicts } from '../support/verdicts.js';

const RUNS = 3;

describe('runs over unchanged data', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let verdicts: Verdicts[];

  beforeAll(async () => {
    await plantNearLines(database, 2_500);
    verdicts = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, RUNS);
  });

  it('find something', () => {
    const checks = new Set(verdicts[0]?.findings.map((finding) => finding.split(' ')[0]));
    expect([...checks]).toEqual(
      expect.arrayContaining(['bucket-candidate', 'dangling-reference', 'mixed-types', 'unbounded-array']),
    );
  });

  it('find the same, as severe and as sure, and exit alike', () => {
    for (const run of verdicts) expect(run).toEqual(verdicts[0]);
  });
});

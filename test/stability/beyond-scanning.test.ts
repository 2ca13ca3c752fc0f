/** Collections too large to be scanned for a sample, so that each run reads other documents of them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { plantNearLines } from '../support/near-lines.js';
import { different, verdictsOfRuns } from '../support/verdicts.js';

const BEYOND_SCANNING = 100_000;

describe('collections beyond scanning', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  beforeAll(() => plantNearLines(database, BEYOND_SCANNING));

  it('give the same warnings and errors in 50 runs', async () => {
    const verdicts = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, 50, 'warning');
    expect(different(verdicts)).toEqual([]);
    expect(verdicts[0]?.findings.length).toBeGreaterThan(0);
  });
});

import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedReplicaSetUri, sharedServerVersion } from '../support/database.js';
import { differingGroups } from './differential-text.js';
import { differential } from './differential.js';
import { ESTIMATES_NEAR, FIGURES } from './estimates.js';

const PAIRS = 500;
const SEED = 20_261;

describe('the model of the planner', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  beforeAll(() => client.connect());
  afterAll(() => client.close());
  const database = freshDatabase(client);

  it('says what the server does with random indexes and queries', async () => {
    const report = await differential(database, { pairs: PAIRS, seed: SEED, version: sharedServerVersion() });
    expect(report.used).toBeGreaterThan(PAIRS / 4);
    expect(differingGroups(report)).toEqual([]);
    for (const figure of FIGURES) expect(report.reads.near(figure)).toBeGreaterThanOrEqual(ESTIMATES_NEAR);
  });
});

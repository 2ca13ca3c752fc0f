/** A replica set that is read from a secondary. */
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMemberSet, type MemberSet } from '../support/member-set.js';
import { plantNearLines } from '../support/near-lines.js';
import { different, verdictsOfRuns } from '../support/verdicts.js';

const SAMPLED = 4_000;

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

/** The clusters of the bench come to the same report from an evidence file, which takes some minutes. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantMixedCollections } from '../../bench/bench-data.js';
import { bothReports } from '../support/both-reports.js';
import { startReplicaSet } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** For each collection, gzipped. */
const MOST_BYTES = 10 * 1024;

describe('the evidence of the fifty collections of the bench', () => {
  let server: Awaited<ReturnType<typeof startReplicaSet>>;
  beforeAll(async () => {
    server = await startReplicaSet();
    const client = new MongoClient(server.uri);
    await plantMixedCollections(client.db('bench'));
    await client.close();
  });
  afterAll(() => server?.stop());

  it('is judged as it is while it is collected, and is small', async () => {
    const file = join(await temporaryFolder(), 'bench.jsonl.gz');
    const { linted, judged } = await bothReports(server.uri, file);
    expect(linted.collections).toHaveLength(50);
    expect(JSON.stringify(judged, null, 1)).toBe(JSON.stringify(linted, null, 1));
    expect((await stat(file)).size / linted.collections.length).toBeLessThan(MOST_BYTES);
  });
});

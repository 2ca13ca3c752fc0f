/** Sampled collections near the lines: the same verdicts in each run, and whatever the order on disk. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { createJoiningView, plantNearLines, VIEWS } from '../support/near-lines.js';
import { different, verdictsOfRuns, type Verdicts } from '../support/verdicts.js';

/** Documents of a collection that is sampled, and is scanned for it. */
const SAMPLED = 4_000;

describe('sampled collections near the lines', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  beforeAll(() => plantNearLines(database, SAMPLED));

  it('give the same findings in ten runs', async () => {
    const verdicts = await verdictsOfRuns(sharedReplicaSetUri(), database.databaseName, 10);
    expect(different(verdicts)).toEqual([]);
  });

  it('give the same findings in the copy of them that a resync would store in another order', async () => {
    const copy = client.db(`${database.databaseName}_copy`);
    try {
      for (const { name } of await database.listCollections({ type: 'collection' }).toArray()) {
        const byRandomField = await database.collection(name).find().toArray();
        byRandomField.sort((one, other) => String(one._id).slice(-3).localeCompare(String(other._id).slice(-3)));
        if (name !== 'system.views') await copy.collection(name).insertMany(byRandomField);
      }
      for (const name of VIEWS) await createJoiningView(copy, name);
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

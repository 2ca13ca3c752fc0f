import { MongoClient } from 'mongodb';
import { LintError } from '../../src/lint-error.js';
import type { Exhibit } from './exhibit.js';
import { EXHIBIT_DATABASE, exhibits } from './index.js';
import { shardedExhibits } from './sharded/index.js';

export interface SeededCluster {
  readonly database: string;
  readonly collections: readonly string[];
}

/** What a cluster shows that is reached through a router. */
export const SHOWN_BY_ROUTER: readonly Exhibit[] = [
  ...exhibits.filter(({ needsMember }) => needsMember !== true),
  ...shardedExhibits,
];

/**
 * Plants the exhibits in a cluster of one's own, such as that of docker-compose.yml. This writes, and is no part of the
 * linter.
 * @throws LintError if the database that it writes to is not empty
 */
export async function seedCluster(uri: string): Promise<SeededCluster> {
  const client = new MongoClient(uri);
  try {
    const database = client.db(EXHIBIT_DATABASE);
    if ((await database.listCollections({}, { nameOnly: true }).toArray()).length > 0) {
      throw new LintError(`The database ${EXHIBIT_DATABASE} is not empty: nothing was planted.`);
    }
    const hello = await client.db('admin').command({ hello: 1 });
    const isSharded = hello['msg'] === 'isdbgrid';
    const planted = isSharded ? SHOWN_BY_ROUTER : exhibits;
    // Otherwise it would undo what is planted.
    if (isSharded) await client.db('admin').command({ balancerStop: 1 });
    for (const { bad, twin } of planted) {
      await bad.plant(database);
      await twin.plant(database);
    }
    return { database: EXHIBIT_DATABASE, collections: planted.flatMap(({ bad, twin }) => [bad.name, twin.name]) };
  } finally {
    await client.close();
  }
}

import { type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failingOperations } from '../../checks/failing-operations.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { memoryBoundAggregation } from '../../checks/memory-bound-aggregation.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { lint } from '../../src/lint/lint.js';
import type { EmbeddedServer } from '../support/mongod/embedded-server.js';
import { startReplicaSet } from '../support/servers.js';

/** Bytes that a stage may hold on this server: the limit is a setting, and no figure of mongolint. */
const LIMIT = 1_000_000;
const LIMITS = [
  'internalQueryMaxBlockingSortMemoryUsageBytes',
  'internalDocumentSourceSetWindowFieldsMaxMemoryBytes',
  'internalQueryMaxPushBytes',
];
const RUNNING = { window: { documents: ['unbounded', 'current'] } };

describe('aggregations on a server that lets a stage hold a megabyte', () => {
  let server: EmbeddedServer;
  let client: MongoClient;
  let database: Db;

  beforeAll(async () => {
    server = await startReplicaSet({
      // The log shows slow operations of the test before, too.
      args: ['--slowms', '600000', ...LIMITS.flatMap((name) => ['--setParameter', `${name}=${LIMIT}`])],
    });
    client = new MongoClient(server.uri);
    database = client.db('shop');
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  const plant = async (name: string) => {
    const runs = Array.from({ length: 8_000 }, (_, at) => ({
      user: at % 5,
      score: (at * 7_919) % 8_000,
      log: 'x'.repeat(250),
    }));
    await database.collection(name).insertMany(runs);
  };
  const found = async (name: string, ...pipelines: readonly Document[][]) => {
    await recordOperations(database, async () => {
      for (const pipeline of pipelines)
        for (let times = 0; times < 4; times += 1)
          await database
            .collection(name)
            .aggregate(pipeline)
            .toArray()
            .catch(() => null);
    });
    const checks = [failingOperations, inMemorySort, memoryBoundAggregation];
    const { findings } = await lint({ uri: server.uri, include: [`shop.${name}`], checks });
    await database.collection('system.profile').drop();
    return findings.map(({ check, severity, message, furtherReasons = [] }) => [
      `${severity} ${check}`,
      / at `(.+?)`: (.*?) \(/.exec(message)?.slice(1).join(' '),
      ...furtherReasons.map((each) => each.check),
    ]);
  };

  it.each<[string, string, Document[], Document[], Document | null]>([
    [
      '$group that collects all documents',
      '$group 4 executions failed for lack of memory',
      [{ $group: { _id: null, all: { $push: '$$ROOT' } } }],
      [{ $group: { _id: '$user', best: { $topN: { n: 10, sortBy: { score: -1 }, output: '$score' } } } }],
      null,
    ],
    [
      '$sort behind computed fields',
      '$sort 4 executions spilled to disk',
      [{ $set: { points: { $add: ['$score', 1] } } }, { $sort: { points: 1 } }],
      [{ $set: { points: { $add: ['$score', 1] } } }, { $sort: { points: 1 } }, { $limit: 10 }],
      null,
    ],
    [
      '$setWindowFields without an index',
      '$setWindowFields 4 executions spilled to disk',
      [
        {
          $setWindowFields: {
            partitionBy: '$user',
            sortBy: { score: 1 },
            output: { all: { $sum: '$score', ...RUNNING } },
          },
        },
      ],
      [
        {
          $setWindowFields: {
            partitionBy: '$user',
            sortBy: { score: 1 },
            output: { all: { $sum: '$score', ...RUNNING } },
          },
        },
      ],
      { user: 1, score: 1 },
    ],
    [
      '$facet',
      '$facet 4 executions spilled to disk',
      [
        {
          $facet: {
            all: [{ $count: 'all' }],
            sorted: [{ $sort: { score: 1 } }, { $group: { _id: null, last: { $last: '$log' } } }],
          },
        },
      ],
      [{ $count: 'all' }],
      null,
    ],
  ])('finds a %s, and nothing once it is changed as its steps say', async (_, outcome, bad, good, index) => {
    const name = `runs_${outcome.split(' ')[0]?.slice(1)}`;
    await plant(name);
    const [first, ...others] = await found(name, bad);
    expect(others).toEqual([]);
    expect(first?.slice(0, 2)).toEqual(['warning memory-bound-aggregation', outcome]);
    // The failure is one of its reasons.
    expect(first?.slice(2)).toEqual(outcome.includes('failed') ? ['failing-operations'] : []);
    if (index !== null) await database.collection(name).createIndex(index);
    expect(await found(name, good)).toEqual([]);
  });

  it('leaves a sort that an index provides to in-memory-sort', async () => {
    await plant('sorted');
    expect(await found('sorted', [{ $sort: { score: 1 } }])).toMatchObject([
      ['warning in-memory-sort', undefined, 'memory-bound-aggregation'],
    ]);
  });
});

import * as fc from 'fast-check';
import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedMongod } from '../../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Join } from '../../../src/workload/joins/join.js';
import { joins, view } from '../../support/joins/pipelines.js';
import { FIELDS, randomJoins, type RandomJoin } from '../../support/joins/random-pipelines.js';
import { findMongod6027 } from '../../support/mongod/mongod-6.0.27.js';
import { startStandalone } from '../../support/servers.js';

const SEED = 20_261_121;
const RANDOM_JOINS = 250;

/** Spellings of a correlated `$match`, and whether an index on what they compare is used. */
const SPELLINGS: readonly (readonly [string, Document])[] = [
  ['$eq', { $expr: { $eq: ['$k', '$$id'] } }],
  ['$eq, exchanged', { $expr: { $eq: ['$$id', '$k'] } }],
  ['$and', { $expr: { $and: [{ $eq: ['$k', '$$id'] }, { $gt: ['$at', 0] }] } }],
  ['$and within $and', { $expr: { $and: [{ $and: [{ $eq: ['$k', '$$id'] }] }] } }],
  ['a nested field', { $expr: { $eq: ['$inner.k', '$$id'] } }],
  ['$$ROOT', { $expr: { $eq: ['$$ROOT.k', '$$id'] } }],
  ['$$CURRENT', { $expr: { $eq: ['$$CURRENT.k', '$$id'] } }],
  ['a range', { $expr: { $gte: ['$k', '$$id'] } }],
  ['a computed variable', { $expr: { $eq: ['$k', { $add: ['$$id', 0] }] } }],
  ['a field of a variable', { $expr: { $eq: ['$k', '$$whole.k'] } }],
  ['$in with a list', { $expr: { $in: ['$k', ['$$id']] } }],
  ['$in with a variable', { $expr: { $in: ['$k', '$$ids'] } }],
  ['$in with several fields', { $expr: { $in: ['$$id', ['$k', '$inner.k']] } }],
  ['$or over one field', { $expr: { $or: [{ $eq: ['$k', '$$id'] }, { $eq: ['$k', 5] }] } }],
  ['$or over indexed fields', { $expr: { $or: [{ $eq: ['$k', '$$id'] }, { $eq: ['$inner.k', '$$id'] }] } }],
  ['$or with a branch of its own', { $expr: { $or: [{ $eq: ['$k', '$$id'] }, { $eq: ['$kind', 'z'] }] } }],
  ['$or in the filter', { $or: [{ $expr: { $eq: ['$k', '$$id'] } }, { $expr: { $eq: ['$inner.k', '$$id'] } }] }],
  ['a converted field', { $expr: { $eq: [{ $toString: '$k' }, '$$id'] } }],
  ['$ifNull', { $expr: { $eq: [{ $ifNull: ['$k', null] }, '$$id'] } }],
  ['$ne', { $expr: { $ne: ['$k', '$$id'] } }],
  ['$not', { $expr: { $not: [{ $ne: ['$k', '$$id'] }] } }],
  ['$nor', { $nor: [{ $expr: { $ne: ['$k', '$$id'] } }] }],
  ['$cond', { $expr: { $cond: [{ $eq: ['$k', '$$id'] }, true, false] } }],
  ['$let', { $expr: { $let: { vars: { z: '$k' }, in: { $eq: ['$$z', '$$id'] } } } }],
  ['$cmp', { $expr: { $eq: [{ $cmp: ['$k', '$$id'] }, 0] } }],
  ['arrays', { $expr: { $eq: [['$k'], ['$$id']] } }],
  ['$getField', { $expr: { $eq: [{ $getField: 'k' }, '$$id'] } }],
];

describe.each([
  ['6.0.5 or what the machine has', undefined],
  ['6.0.27', findMongod6027],
] as const)('the verdict on indexes agrees with the server, %s', (_version, find) => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  let database: Db;

  beforeAll(async () => {
    server = await startStandalone(find === undefined ? {} : { mongod: await find() });
    client = await new MongoClient(server.uri).connect();
    database = client.db('shop');
    await database.collection('local').insertMany(Array.from({ length: 3 }, (_, k) => ({ k })));
    await database.collection('third').insertMany([{ at: 1 }, { at: 2 }]);
    await database
      .collection('foreign')
      .insertMany(
        Array.from({ length: 200 }, (_, k) => ({ k, inner: { k, other: 1 }, tags: ['a', 'b'], kind: 'a', at: k % 7 })),
      );
    for (const field of FIELDS) if (field !== '_id') await database.collection('foreign').createIndex({ [field]: 1 });
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  it.each(SPELLINGS)('on %s', async (_spelling, filter) => {
    const stage = {
      $lookup: {
        from: 'foreign',
        let: { id: '$k', ids: ['$k'], whole: '$$ROOT' },
        pipeline: [{ $match: filter }],
        as: 'found',
      },
    };
    const [join] = joins([stage], [], 'local');
    expect(await usedIndexes([stage])).toEqual(expectedIndexes(join as Join));
  });

  it(`on ${RANDOM_JOINS} random joins through stages and views`, async () => {
    let judged = 0;
    let number = 0;
    await fc.assert(
      fc.asyncProperty(randomJoins, async (random) => {
        number += 1;
        const { stage, join } = await plant(random, `view${number}`);
        const verdict = join.keys[0]?.index;
        if (verdict === undefined || verdict.possible === null) return;
        if (verdict.possible && !(FIELDS as readonly string[]).includes(verdict.path)) return;
        const used = await usedIndexes([stage]).catch((error: unknown) => {
          // Stages put together at random need not make sense: a root that is no object, a field that is no array.
          if (error instanceof MongoServerError) return null;
          throw error;
        });
        if (used === null) return;
        judged += 1;
        expect(used).toEqual(expectedIndexes(join));
      }),
      { seed: SEED, numRuns: RANDOM_JOINS, endOnFailure: true },
    );
    expect(judged).toBeGreaterThan(RANDOM_JOINS / 3);
  });

  async function plant({ stages, field, form }: RandomJoin, name: string): Promise<{ stage: Document; join: Join }> {
    const expression = { $match: { $expr: { $eq: [`$${field}`, '$$id'] } } };
    if (form !== 'sub-pipeline') await database.createCollection(name, { viewOn: 'foreign', pipeline: [...stages] });
    const body =
      form === 'view'
        ? { from: name, localField: 'k', foreignField: field, as: 'found' }
        : {
            from: form === 'sub-pipeline' ? 'foreign' : name,
            let: { id: '$k' },
            pipeline: [...(form === 'sub-pipeline' ? stages : []), expression],
            as: 'found',
          };
    const stage = { $lookup: body };
    const [join] = joins([stage], [view(name, 'foreign', stages)], 'local');
    return { stage, join: join as Join };
  }

  /** Names of the indexes of `foreign` that the server used for the first join. */
  async function usedIndexes(pipeline: Document[]): Promise<string[]> {
    const explained = await database.collection('local').aggregate(pipeline).explain('executionStats');
    const used = new Set<string>();
    visit(explained, (part) => {
      if (part['$lookup'] !== undefined)
        for (const name of (part['indexesUsed'] as string[] | undefined) ?? []) used.add(name);
      if (part['stage'] === 'EQ_LOOKUP' && part['strategy'] === 'IndexedLoopJoin') used.add(String(part['indexName']));
    });
    return [...used].sort();
  }
});

function expectedIndexes(join: Join): string[] {
  const paths = join.keys.flatMap(({ index }) => (index.possible === true ? [index.path] : []));
  return [...new Set(paths.map((path) => (path === '_id' ? '_id_' : `${path}_1`)))].sort();
}

function visit(value: unknown, take: (part: Document) => void): void {
  if (typeof value !== 'object' || value === null) return;
  take(value);
  for (const part of Object.values(value)) visit(part, take);
}

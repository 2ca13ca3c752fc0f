import { MongoServerError, type Document, type IndexDescription as Creation, type Sort } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { IndexDescription } from '../../../src/check.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { readIndexes } from '../../../src/evidence/indexes.js';
import { redundantIndexes } from '../../../src/judgement/indexes/redundant-indexes.js';
import { useConnection } from '../../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../../support/database.js';

const ROUNDS = 8;
const INDEXES = 6;
/** Queries for each redundant index. */
const QUERIES = 12;

interface Query {
  readonly filter: Document;
  readonly sort: Sort;
}

const FIELDS = ['a', 'b', 'c'];
const ARRAY = 'c';

/** The stages of the winning plan, with the index that they read: "FETCH", "IXSCAN a_1". */
function stages(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const { stage, indexName, ...rest } = plan as { stage?: string; indexName?: string };
  const own = stage === undefined ? [] : [indexName === undefined ? stage : `${stage} ${indexName}`];
  return [...own, ...Object.values(rest).flatMap(stages)];
}

describe('what is called redundant, by the plans of the server itself', () => {
  const connection = useConnection(sharedReplicaSetUri);
  const client = sharedClient();
  const database = freshDatabase(client);
  const random = new SeededRandom(77);
  const whole = (most: number) => random.between(0, most);
  const one = <T>(list: readonly T[]): T => list[whole(list.length - 1)] as T;
  const collection = database.collection('documents');

  beforeAll(async () => {
    await collection.insertMany(
      Array.from({ length: 500 }, (_, index) => ({
        ...(index % 3 > 0 && { a: index % 50 }),
        ...(index % 5 > 0 && { b: `text ${index % 20}` }),
        [ARRAY]: [index % 7, index % 11],
      })),
    );
  });

  /** Fields in random order, random directions, and now and then an option. */
  function randomIndex(): Creation {
    const fields = FIELDS.toSorted(() => random.next() - 0.5).slice(0, 1 + whole(2));
    const isHashed = whole(9) === 0 && !fields.includes(ARRAY);
    const key = Object.fromEntries(
      fields.map(
        (field, position) =>
          [field, isHashed && position === 0 ? 'hashed' : one([1, -1])] as [string, 1 | -1 | 'hashed'],
      ),
    );
    const isSparse = whole(5) === 0;
    return {
      key,
      ...(isSparse && { sparse: true }),
      ...(whole(5) === 0 && !isHashed && !isSparse && { partialFilterExpression: { a: { $gte: one([10, 20]) } } }),
      ...(whole(5) === 0 && !isHashed && { collation: { locale: 'en' } }),
    };
  }

  /** A query that the index may serve: equality, then a range or a sort on its fields. */
  function randomQuery(index: IndexDescription): Query {
    const fields = Object.keys(index.key);
    const equal = fields.slice(0, whole(fields.length));
    const value = (field: string) => (field === 'b' ? `text ${whole(19)}` : 20 + whole(20));
    const filter: Document = Object.fromEntries(equal.map((field) => [field, value(field)]));
    const next = fields[equal.length];
    if (next !== undefined && whole(1) === 0)
      filter[next] = one([{ $gte: value(next) }, { $in: [value(next), value(next)] }, { $exists: true }]);
    if (index.partialFilterExpression !== undefined && filter['a'] === undefined) filter['a'] = { $gte: 25 };
    const turned = one([1, -1]);
    const sorted = fields.slice(equal.length).filter((field) => typeof index.key[field] === 'number');
    return {
      filter,
      sort:
        whole(1) === 0
          ? {}
          : Object.fromEntries(sorted.map((field) => [field, (Number(index.key[field]) * turned) as 1 | -1])),
    };
  }

  /** Makes this index the only one that queries can use, but for that on `_id`. */
  async function showAlone(index: IndexDescription, indexes: readonly IndexDescription[]): Promise<void> {
    for (const { name } of indexes) {
      if (name !== '_id_')
        await database.command({ collMod: 'documents', index: { name, hidden: name !== index.name } });
    }
  }

  async function planOf({ filter, sort }: Query, { collation }: IndexDescription): Promise<string[]> {
    const cursor = collection
      .find(filter, collation === undefined ? {} : { collation: { locale: String(collation['locale']) } })
      .sort(sort);
    return stages((await cursor.explain('queryPlanner'))['queryPlanner'].winningPlan);
  }

  async function createRandomIndexes(): Promise<readonly IndexDescription[]> {
    await collection.dropIndexes();
    for (let count = 0; count < INDEXES; count += 1) {
      const creation = randomIndex();
      try {
        await collection.createIndexes([{ ...creation, name: `${JSON.stringify(creation)} ${count}` }]);
      } catch (error) {
        // The server refuses the same index under another name.
        if (!(error instanceof MongoServerError) || error.codeName !== 'IndexOptionsConflict') throw error;
      }
    }
    const read = await readIndexes(connection().reader, {
      namespace: '',
      database: database.databaseName,
      name: 'documents',
      kind: 'collection',
      clustered: false,
    });
    if (!read.present) throw new Error(read.detail);
    return read.value;
  }

  it('is served by the other index wherever it was served by the redundant one', async () => {
    let compared = 0;
    const worse: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const indexes = await createRandomIndexes();
      for (const { index, servedBy } of redundantIndexes(indexes, {
        isArray: (path) => path === ARRAY,
        shardKey: null,
      })) {
        const queries = Array.from({ length: QUERIES }, () => randomQuery(index));
        await showAlone(index, indexes);
        const before = await Promise.all(queries.map((query) => planOf(query, index)));
        await showAlone(servedBy, indexes);
        const after = await Promise.all(queries.map((query) => planOf(query, index)));
        for (const [position, query] of queries.entries()) {
          const [first, second] = [before[position] ?? [], after[position] ?? []];
          if (!first.includes(`IXSCAN ${index.name}`)) continue;
          compared += 1;
          const isServed =
            second.includes(`IXSCAN ${servedBy.name}`) && second.includes('SORT') === first.includes('SORT');
          if (!isServed) worse.push(`${JSON.stringify(query)}: ${first.join(' ')} → ${second.join(' ')}`);
        }
      }
    }
    expect(worse).toEqual([]);
    expect(compared).toBeGreaterThan(40);
  });
});

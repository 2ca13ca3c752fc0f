import { MaxKey, MinKey, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunkRange } from '../../../src/evidence/sharding/key-sample.js';
import { compareKeys } from '../../../src/profile/bson-order.js';
import { freshDatabase, sharedClient } from '../../support/database.js';

const min = new MinKey();
const max = new MaxKey();

describe('the filter for the documents of a chunk', () => {
  const client = sharedClient();
  const keys = freshDatabase(client).collection<{ a: number; b: number; c: number }>('keys');
  const all = Array.from({ length: 64 }, (_, index) => ({ a: index >> 4, b: (index >> 2) & 3, c: index & 3 }));
  beforeAll(async () => void (await keys.insertMany(all.map((key) => ({ ...key })))));

  it.each<[Document, Document]>([
    [{ a: min }, { a: max }],
    [{ a: 1 }, { a: 3 }],
    [{ a: min }, { a: 2 }],
    [
      { a: min, b: min },
      { a: 2, b: 1 },
    ],
    [
      { a: 1, b: 2 },
      { a: max, b: max },
    ],
    [
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ],
    [
      { a: 1, b: min },
      { a: 1, b: max },
    ],
    [
      { a: 0, b: 3, c: 2 },
      { a: 2, b: 0, c: 1 },
    ],
    [
      { a: 1, b: 1, c: 1 },
      { a: 1, b: 1, c: 3 },
    ],
    [
      { a: 2, b: 2 },
      { a: 2, b: 2 },
    ],
  ])('from %o to %o finds what lies in between', async (from, to) => {
    const fields = Object.keys(from);
    const found = await keys
      .find(chunkRange(from, to), { projection: { _id: 0 }, sort: { a: 1, b: 1, c: 1 } })
      .toArray();
    const valuesOf = (key: Document) => fields.map((field) => key[field]);
    const expected = all.filter((key) => {
      return compareKeys(valuesOf(key), valuesOf(from)) >= 0 && compareKeys(valuesOf(key), valuesOf(to)) < 0;
    });
    expect(found).toEqual(expected);
  });
});

import { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Collection } from '../../src/check.js';
import { ReferenceTally } from '../../src/references/reference-tally.js';

const collection = (name: string): Collection => ({
  namespace: `shop.${name}`,
  database: 'shop',
  name,
  kind: 'collection',
  clustered: false,
});

const BACK = { path: 'followers', isInArray: true } as const;
const FIELD = {
  collection: collection('follows'),
  path: 'user',
  isInArray: false,
  valuesPerDocument: 1,
  conversion: null,
  targets: [collection('users')],
  others: [],
  isAskedOfAll: true,
  copies: [],
  backReferences: [BACK],
  isIndexed: false,
} as const;

describe('references of many documents to one', () => {
  const user = new ObjectId();
  const documents = Array.from({ length: 30 }, () => ({ _id: new ObjectId(), user }));
  const listed = documents.slice(10).map(({ _id }) => _id);
  let reads = 0;
  const target = {
    _id: user,
    get followers() {
      reads += 1;
      return listed;
    },
  };
  const other = { _id: new ObjectId(), followers: Array.from({ length: 25 }, () => new ObjectId()) };
  const all = [...documents, { _id: new ObjectId(), user: other._id }];
  const found = new Map([
    ['shop.users', new Map([target, other].map((each) => [`objectId ${each._id.toHexString()}`, each]))],
  ]);
  const tally = new ReferenceTally(FIELD, [{ documents: all, found }], false);

  it('are held against its list, which is read once, however long it is', () => {
    expect(tally.back(BACK)).toMatchObject({ followed: 31, compared: 30, oneSided: 10 });
    expect(tally.suspicious(FIELD)).toHaveLength(11);
    expect(reads).toBe(1);
  });
});

import { Long, ObjectId, UUID, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineClusterCheck, type References } from '../../src/check.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const PARENTS = 60;
const CHILDREN = 600;

const objectIds = Array.from({ length: PARENTS }, () => new ObjectId());
const uuids = Array.from({ length: PARENTS }, () => new UUID());
const longs = Array.from({ length: PARENTS }, (_, number) => Long.fromString('9007199254740993').add(2 * number));
const names = Array.from({ length: PARENTS }, (_, number) => `secret-${number}`);

/** Ids of each kind, with the fields of the children that refer to them. */
const PARENTS_BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  accounts: objectIds,
  devices: uuids,
  tickets: longs,
  places: names,
};

const reference = (ids: readonly unknown[], index: number) => ids[index % PARENTS];
const child = (index: number): Document => ({
  account: reference(objectIds, index),
  owner: reference(objectIds, index)?.toString(),
  device: reference(uuids, index),
  seen: reference(uuids, index)?.toString(),
  ticketId: reference(longs, index),
  amount: index % PARENTS,
  place: reference(names, index),
  // Written parent by parent, so that the newest are all alike.
  grouped: objectIds[Math.floor(index / (CHILDREN / PARENTS))],
  dangling: index % 10 === 0 ? new ObjectId() : reference(objectIds, index),
  random: new ObjectId(),
  indexed: reference(objectIds, index),
  tags: [reference(objectIds, index), reference(objectIds, index + 1)],
  lines: [{ deviceId: reference(uuids, index), amount: index % PARENTS }],
  points: [[reference(objectIds, index)]],
  text: `${'x'.repeat(80)}${index}`,
});

describe('references', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let found: References;

  beforeAll(async () => {
    for (const [name, ids] of Object.entries(PARENTS_BY_NAME)) {
      await database.collection<{ _id: unknown }>(name).insertMany(ids.map((_id) => ({ _id })) as never);
    }
    await database.collection('children').insertMany(Array.from({ length: CHILDREN }, (_, index) => child(index)));
    await database.collection('children').createIndex({ indexed: 1 });
    const check = defineClusterCheck({
      id: 'reader',
      title: 'Reader',
      summary: 'reads the references',
      needs: [],
      clusterNeeds: ['references'],
      thresholds: {},
      judge({ references }) {
        found = references;
        return [];
      },
    });
    await lintShared({ include: [`${database.databaseName}.*`], checks: [check] });
  });

  const expected: readonly (readonly [path: string, target: string, conversion: string | null])[] = [
    ['account', 'accounts', null],
    ['owner', 'accounts', 'string to objectId'],
    ['device', 'devices', null],
    ['seen', 'devices', 'string to UUID'],
    ['ticketId', 'tickets', null],
    ['place', 'places', null],
    ['grouped', 'accounts', null],
    ['dangling', 'accounts', null],
    ['indexed', 'accounts', null],
    ['tags', 'accounts', null],
    ['lines[].deviceId', 'devices', null],
  ];

  it.each(expected)('%s refers to %s, conversion %s', (path, target, conversion) => {
    expect(found.references.filter((each) => each.path === path)).toMatchObject([
      { target: `${database.databaseName}.${target}`, conversion },
    ]);
  });

  it('are no others: neither values at random, numbers by chance, nor arrays of arrays', () => {
    expect(found.references.map(({ path }) => path).sort()).toEqual(expected.map(([path]) => path).sort());
    expect(found.gaps).toEqual([]);
  });

  it('tell whether the values are in arrays', () => {
    expect(
      found.references
        .filter(({ isInArray }) => isInArray)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['lines[].deviceId', 'tags']);
  });

  it('count the values that were found', () => {
    const { values, found: hits } = found.references.find(({ path }) => path === 'account') ?? { values: 0, found: 0 };
    expect(values).toBeGreaterThanOrEqual(15);
    expect(hits).toBe(values);
    const dangling = found.references.find(({ path }) => path === 'dangling');
    expect(dangling?.found).toBeLessThan(dangling?.values ?? 0);
  });

  it('see further than the newest documents where those are alike', () => {
    const grouped = found.references.find(({ path }) => path === 'grouped');
    expect(grouped?.values).toBeGreaterThan(8);
    expect(grouped?.isRepeated).toBe(true);
  });

  it('keep no value', () => {
    const text = JSON.stringify(found);
    const secrets = [...objectIds, ...uuids, ...longs, ...names].map(String);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });
});

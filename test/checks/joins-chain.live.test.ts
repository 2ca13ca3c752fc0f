import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heavyLookup } from '../../checks/heavy-lookup/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';

/** Fewer would be too small to tell. */
const ORDERS = 1_200;
const CUSTOMERS = 60;
const REGIONS = 12;
const COUNTRIES = 4;
const PAGE = 20;

interface Numbered extends Document {
  _id: number;
}

const join = (from: string, localField: string): Document[] => [
  { $lookup: { from, localField, foreignField: '_id', as: from } },
  { $unwind: `$${from}` },
];
const page = (number: number): Document => ({ $match: { _id: { $gte: number * PAGE, $lt: (number + 1) * PAGE } } });
const RESULT: Document = { $project: { number: '$_id', country: '$countries.name' } };
const CHAIN = [
  ...join('customers', 'customer'),
  ...join('regions', 'customers.region'),
  ...join('countries', 'regions.country'),
  RESULT,
];
const SHORTENED = [...join('countries', 'customerCountry'), RESULT];

describe('a chain of joins on a real server', () => {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  const database = freshDatabase(client);
  const orders = database.collection<Numbered>('orders');
  const numbered = (name: string, count: number, of: (number: number) => Document) =>
    database
      .collection<Numbered>(name)
      .insertMany(Array.from({ length: count }, (_, number): Numbered => ({ _id: number, ...of(number) })));

  const pages = async (stages: readonly Document[]) => {
    const found: Document[][] = [];
    for (let number = 0; number < ORDERS / PAGE; number += 1)
      found.push(await orders.aggregate([page(number), { $sort: { _id: 1 } }, ...stages]).toArray());
    return found;
  };
  const examined = async () => {
    const totals = database
      .collection('system.profile')
      .aggregate<{ documents: number }>([
        { $match: { 'command.aggregate': 'orders' } },
        { $group: { _id: null, documents: { $sum: '$docsExamined' } } },
      ]);
    return (await totals.next())?.documents ?? Number.NaN;
  };
  const found = async () => {
    const { findings } = await lint({
      uri: sharedReplicaSetUri(),
      include: [database.databaseName],
      checks: [heavyLookup],
    });
    return findings.map(({ namespace, evidence, message, remedy }) => ({
      on: namespace.replace(`${database.databaseName}.`, ''),
      chain: evidence['chain'],
      message: message.replaceAll(`${database.databaseName}.`, ''),
      remedy: remedy.text.replaceAll(`${database.databaseName}.`, ''),
    }));
  };

  beforeAll(async () => {
    await numbered('countries', COUNTRIES, (number) => ({ name: `country ${number}` }));
    await numbered('regions', REGIONS, (number) => ({ country: number % COUNTRIES }));
    await numbered('customers', CUSTOMERS, (number) => ({ region: number % REGIONS }));
    await numbered('orders', ORDERS, (number) => ({ customer: number % CUSTOMERS }));
    await numbered('orders_with_names', ORDERS, (number) => ({ countryName: `country ${number % COUNTRIES}` }));
  });

  it('is told, and a denormalised field gives the same results with fewer documents examined', async () => {
    let before: Document[][] = [];
    await recordOperations(database, async () => {
      before = await pages(CHAIN);
      for (let number = 0; number < ORDERS / PAGE; number += 1)
        await database.collection('orders_with_names').find(page(number)['$match']).toArray();
    });
    const examinedBefore = await examined();
    const [finding, ...others] = await found();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      on: 'orders',
      chain: ['customers', 'regions', 'countries'].map((name) => `${database.databaseName}.${name}`),
    });
    expect(finding?.message).toContain(
      'orders by `customer` to customers, by `region` to regions, by `country` to countries',
    );
    expect(finding?.remedy).toContain('Copy `country` of regions into orders, beside `customer` (denormalised field).');

    await orders
      .aggregate([
        ...CHAIN.slice(0, -1),
        { $project: { customerCountry: '$regions.country' } },
        { $merge: { into: 'orders', whenNotMatched: 'discard' } },
      ])
      .toArray();
    await database.collection('system.profile').drop();
    let after: Document[][] = [];
    await recordOperations(database, async () => {
      after = await pages(SHORTENED);
    });
    expect(after).toEqual(before);
    expect(await examined()).toBeLessThan(examinedBefore);
    expect((await found()).map(({ chain }) => chain)).toEqual([undefined]);
  });
});

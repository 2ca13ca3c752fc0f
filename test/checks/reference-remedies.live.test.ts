import { DBRef, MongoClient, ObjectId, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { danglingReference } from '../../checks/dangling-reference/check.js';
import { denormalizedDrift } from '../../checks/denormalized-drift.js';
import type { AnyCheck } from '../../src/check.js';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { nameOf } from '../../src/namespace.js';
import { danglingReference as danglingExhibit } from '../exhibits/references.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { aggregationIn, runRemedies } from '../support/remedy.js';
import { startWithAuth } from '../support/servers.js';

const client = sharedClient();

const ids = (count: number) => Array.from({ length: count }, () => new ObjectId());

async function findingsIn({ databaseName }: Db, check: AnyCheck): Promise<readonly Finding[]> {
  const report = await lintShared({ include: [`${databaseName}.*`], checks: [check] });
  expect(report.skipped).toEqual([]);
  return report.findings;
}

const shown = (findings: readonly Finding[]) =>
  findings.map(({ severity, namespace, path }) => `${severity} ${nameOf(namespace)} ${path}`);

async function theFinding(database: Db, check: AnyCheck, expected: string): Promise<Finding> {
  const findings = await findingsIn(database, check);
  expect(shown(findings)).toEqual([expected]);
  return findings[0] as Finding;
}

/** Runs an aggregation that a finding's remedy shows. */
async function run(database: Db, { remedy }: Finding, position = 0): Promise<Document[]> {
  const { collection, pipeline } = aggregationIn(remedy, position);
  return database.collection(collection).aggregate(pipeline).toArray();
}

/** Of the remedy of references to nothing: what clears them. */
const CLEARING = 1;
/** Of the remedy of copies that people decide on: what counts those that differ. */
const COUNTING = 1;

/** Orders of products, of which a sixth was deleted. */
async function plantOrders(
  database: Db,
  orders: (product: (index: number) => ObjectId, index: number) => Document,
): Promise<void> {
  const products = ids(200);
  await database.collection('products').insertMany(products.map((_id) => ({ _id })));
  await database.collection('products').deleteMany({ _id: { $in: products.filter((_, index) => index % 6 === 0) } });
  const product = (index: number) => products[index % products.length] as ObjectId;
  await database.collection('orders').insertMany(Array.from({ length: 1_500 }, (_, index) => orders(product, index)));
}

describe('a mark beside references', () => {
  const database = freshDatabase(client);

  it('is none that leads nowhere, if most documents hold it', async () => {
    const users = Array.from({ length: 200 }, (_, index) => `user${index}`);
    const readers = (index: number, mark: string) => [mark, users[index % 200], users[(index + 7) % 200]];
    await database.collection<{ _id: string }>('users').insertMany(users.map((_id) => ({ _id })));
    const posts = Array.from({ length: 1_500 }, (_, index) => ({ readers: readers(index, '*') }));
    await database.collection('posts').insertMany(posts);
    expect(await findingsIn(database, danglingReference)).toEqual([]);
    const notes = posts.map((_, index) => ({ readers: readers(index, `gone${index % 5}`) }));
    await database.collection('notes').insertMany(notes);
    await theFinding(database, danglingReference, 'warning notes readers');
  });
});

/** The ObjectIds in a document but its own, as text. */
function idsIn({ _id, ...rest }: Document): string[] {
  return JSON.stringify(rest).match(/[0-9a-f]{24}/g) ?? [];
}

describe('references to nothing, in every form', () => {
  const forms: readonly (readonly [path: string, (product: (index: number) => ObjectId, index: number) => Document])[] =
    [
      ['products', (product, index) => ({ products: [product(index), product(index + 1)] })],
      [
        'lines[].product_id',
        (product, index) => ({
          lines: [
            { product_id: product(index), quantity: 1 },
            { product_id: product(index + 7), quantity: 2 },
          ],
        }),
      ],
      ['product', (product, index) => ({ product: product(index).toHexString() })],
      ['item.id', (product, index) => ({ item: { id: product(index), quantity: 1 } })],
      ['product.$id', (product, index) => ({ product: new DBRef('products', product(index)) })],
    ];

  describe.each(forms)('%s', (path, order) => {
    const database = freshDatabase(client);

    it('is found, and the aggregation lists them', async () => {
      await plantOrders(database, order);
      const finding = await theFinding(database, danglingReference, `warning orders ${path}`);
      const listed = await run(database, finding);
      const products = new Set((await database.collection('products').distinct('_id')).map(String));
      const missing = (await database.collection('orders').find().toArray())
        .flatMap(idsIn)
        .filter((id) => !products.has(id));
      expect(listed).toHaveLength(missing.length);
      expect(missing.length).toBeGreaterThan(200);
      if (path === 'products' || path.includes('[]')) return;
      await run(database, finding, CLEARING);
      expect(await findingsIn(database, danglingReference)).toEqual([]);
    });
  });

  describe('whose documents are in an archive, or in one of three collections', () => {
    const database = freshDatabase(client);

    it('are no finding until some are nowhere', async () => {
      const products = ids(200);
      await database
        .collection('products')
        .insertMany(products.filter((_, index) => index % 6 > 0).map((_id) => ({ _id })));
      await database
        .collection('archive')
        .insertMany(products.filter((_, index) => index % 6 === 0).map((_id) => ({ _id })));
      const owners = { people: ids(100), companies: ids(100), schools: ids(10) };
      for (const [name, each] of Object.entries(owners))
        await database.collection(name).insertMany(each.map((_id) => ({ _id })));
      const owner = (index: number) =>
        index % 50 === 0 ? owners.schools[index % 10] : [owners.people, owners.companies][index % 2]?.[index % 100];
      await database
        .collection('orders')
        .insertMany(
          Array.from({ length: 1_500 }, (_, index) => ({ product: products[index % 200], owner: owner(index) })),
        );
      expect(await findingsIn(database, danglingReference)).toEqual([]);
      await database.collection('companies').deleteMany({ _id: { $in: owners.companies.slice(0, 30) } });
      expect(shown(await findingsIn(database, danglingReference))).toEqual(['warning orders owner']);
    });
  });
});

const isForgotten = (player: number) => player % 15 === 3 || player % 15 === 8;

describe('two-way references', () => {
  const TEAMS = 400;
  const PER_TEAM = 5;

  async function plant(
    database: Db,
    forgotten: (player: number) => boolean,
    unlisted: (player: number) => boolean,
  ): Promise<void> {
    const [teams, players] = [ids(TEAMS), ids(TEAMS * PER_TEAM)];
    const listed = (team: number) =>
      players.filter((_, player) => Math.floor(player / PER_TEAM) === team && !unlisted(player));
    await database
      .collection('teams')
      .insertMany(
        teams.map((_id, team) => ({ _id, players: team === 0 ? [...listed(team), players[PER_TEAM]] : listed(team) })),
      );
    await database.collection('players').insertMany(
      players.map((_id, player) => ({
        _id,
        ...(!forgotten(player) && { team: teams[Math.floor(player / PER_TEAM)] }),
      })),
    );
  }

  describe('of which players forgot their team', () => {
    const database = freshDatabase(client);

    it('are found until the missing side is added', async () => {
      await plant(database, isForgotten, () => false);
      const finding = await theFinding(database, danglingReference, 'warning teams players');
      expect(finding.message).toContain('two sides of one relation');
      await run(database, finding);
      expect(await database.collection('players').countDocuments({ team: null })).toBe(0);
      expect(await findingsIn(database, danglingReference)).toEqual([]);
    });
  });

  describe('of which teams do not list all players', () => {
    const database = freshDatabase(client);

    it('are found until the missing side is added', async () => {
      await plant(database, () => false, isForgotten);
      await run(database, await theFinding(database, danglingReference, 'warning players team'));
      expect(await findingsIn(database, danglingReference)).toEqual([]);
    });
  });

  describe('kept on both sides', () => {
    const database = freshDatabase(client);

    it('are no finding', async () => {
      await plant(
        database,
        () => false,
        () => false,
      );
      expect(await findingsIn(database, danglingReference)).toEqual([]);
    });
  });
});

describe('copies beside a reference of another type than the `_id`', () => {
  const database = freshDatabase(client);
  const SECONDS = 1_700_000_000;

  it('are found until they are set anew', async () => {
    const users = ids(100);
    await database
      .collection('users')
      .insertMany(users.map((_id, index) => ({ _id, email: `user${index}@example.com` })));
    const posts = Array.from({ length: 2_000 }, (_, index) => {
      const user = index % 100;
      const isMissed = Math.floor(index / 100) % 6 === 5;
      return {
        _id: ObjectId.createFromTime(SECONDS + index),
        author: users[user]?.toHexString(),
        authorEmail: isMissed ? `old${user}@example.com` : `user${user}@example.com`,
      };
    });
    await database.collection<Document>('posts').insertMany(posts);
    await runRemedies(client, [await theFinding(database, denormalizedDrift, 'warning posts authorEmail')]);
    expect(await database.collection('posts').countDocuments({ authorEmail: /^old/ })).toBe(0);
    expect(await findingsIn(database, denormalizedDrift)).toEqual([]);
  });
});

describe('copies that are as they were when they were made', () => {
  const database = freshDatabase(client);
  const SECONDS = 1_700_000_000;

  it('are an info of low confidence, with nothing to run', async () => {
    const customers = ids(100);
    await database
      .collection('customers')
      .insertMany(
        customers.map((_id, index) => ({ _id, name: index % 3 === 0 ? `Married ${index}` : `Customer ${index}` })),
      );
    const invoices = Array.from({ length: 2_000 }, (_, index) => {
      const customer = index % 100;
      const isAfter = index >= 1_000;
      return {
        _id: ObjectId.createFromTime(SECONDS + index),
        customer_id: customers[customer],
        customer_name: customer % 3 === 0 && isAfter ? `Married ${customer}` : `Customer ${customer}`,
      };
    });
    await database.collection<Document>('invoices').insertMany(invoices);
    const finding = await theFinding(database, denormalizedDrift, 'info invoices customer_name');
    expect(finding.confidence).toBe('low');
    expect(finding.message).toContain('meant to record how things were');
    expect(finding.remedy.commands).toBeUndefined();
    expect(await run(database, finding, COUNTING)).toMatchObject([{ differing: expect.any(Number) }]);
    await run(database, finding);
    expect(await run(database, finding, COUNTING)).toEqual([]);
    expect(await findingsIn(database, denormalizedDrift)).toEqual([]);
  });
});

describe('references to a collection that the user may not read', () => {
  let server: EmbeddedMongod;

  beforeAll(async () => {
    server = await startWithAuth();
    const root = await new MongoClient(server.uri).connect();
    await danglingExhibit.bad.plant(root.db('shop'));
    const resource = { db: 'shop', collection: danglingExhibit.bad.name };
    const all = { resource: { db: 'shop', collection: '' }, actions: ['listCollections', 'collStats', 'listIndexes'] };
    await root
      .db('admin')
      .command({ createRole: 'invoicesOnly', privileges: [all, { resource, actions: ['find'] }], roles: [] });
    await root.db('admin').command({ createUser: 'clerk', pwd: 'password', roles: ['invoicesOnly'] });
    await root.close();
  });
  afterAll(() => server?.stop());

  it('are not judged, and that is said', async () => {
    const uri = server.uri.replace(/\/\/[^@]*@/, '//clerk:password@');
    const report = await lint({ uri, include: ['shop.*'], checks: [danglingReference, denormalizedDrift] });
    expect(report.findings).toEqual([]);
    expect(report.skipped).toMatchObject(
      ['dangling-reference', 'denormalized-drift'].map((check) => ({
        check,
        namespace: 'shop.customers_some_deleted',
        reason: 'privilege',
        detail: expect.stringContaining('find on'),
      })),
    );
  });
});

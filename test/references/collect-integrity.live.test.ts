import { ObjectId, type Db, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineClusterCheck, type ComparedReference, type ReferenceIntegrity } from '../../src/check.js';
import type { ClusterReader } from '../../src/connect/cluster-reader.js';
import type { RawCursor } from '../../src/connect/raw-cursor.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { type LintOptions } from '../../src/lint/lint.js';
import { nameOf as collectionName } from '../../src/namespace.js';
import { present } from '../../src/presence.js';
import { collectReferenceIntegrity } from '../../src/references/collect-integrity.js';
import { useConnection } from '../support/connection.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const PARENTS = 200;
const CHILDREN = 1_200;
const LATE = 2_000_000_000;

const ids = (count: number) => Array.from({ length: count }, () => new ObjectId());
const parents = ids(PARENTS);
const parentOf = (index: number) => parents[index % PARENTS] as ObjectId;
const nameOf = (index: number) => `secret ${index % PARENTS}`;
/** In this order in time. */
const childId = (index: number) => ObjectId.createFromTime(LATE - CHILDREN + index);
const every = (index: number, one: number) => index % one === 0;

const child = (index: number): Document => ({
  _id: childId(index),
  whole: parentOf(index),
  dangling: every(index, 10) ? new ObjectId() : parentOf(index),
  archived: every(index, 10) ? new ObjectId(String(index).padStart(24, 'a')) : parentOf(index),
  mostly: every(index, 3) ? parentOf(index) : new ObjectId(),
  empty: every(index, 2) ? null : new ObjectId('0'.repeat(24)),
  text: every(index, 10) ? new ObjectId().toHexString() : parentOf(index).toHexString(),
  list: [parentOf(index), every(index, 4) ? new ObjectId() : parentOf(index + 1)],
  lines: [{ itemId: every(index, 5) ? new ObjectId() : parentOf(index), itemName: nameOf(index) }],
  owner: {
    _id: parentOf(index),
    name: nameOf(index),
    city: `city ${(index % PARENTS) % 12}`,
    isActive: true,
    price: index % PARENTS,
  },
  // The newest of each parent was forgotten: the older ones were changed since they were written.
  buyerId: parentOf(index),
  buyerName: index >= CHILDREN - PARENTS / 2 ? 'old secret' : nameOf(index),
  // The oldest of each parent were never changed.
  seller_id: parentOf(index),
  seller_name: index < PARENTS ? 'old secret' : nameOf(index),
  title: `unrelated ${index}`,
});

const feedOf = (event: number) => Math.floor(event / 3);

async function integrityOf(database: Db, options: Partial<LintOptions> = {}): Promise<ReferenceIntegrity> {
  let found: ReferenceIntegrity | undefined;
  const check = defineClusterCheck({
    id: 'reader',
    title: 'Reader',
    summary: 'reads the references',
    needs: ['indexes'],
    clusterNeeds: ['referenceIntegrity'],
    thresholds: {},
    judge({ referenceIntegrity }) {
      found = referenceIntegrity;
      return [];
    },
  });
  await lintShared({ include: [`${database.databaseName}.*`], checks: [check], ...options });
  if (found === undefined) throw new Error('The check was not run.');
  return found;
}

function reference({ references }: ReferenceIntegrity, collection: string, path: string): ComparedReference {
  const [first, ...more] = references.filter((each) => each.namespace.endsWith(`.${collection}`) && each.path === path);
  if (first === undefined || more.length > 0)
    throw new Error(`${collection} ${path} was compared ${more.length + (first ? 1 : 0)} times.`);
  return first;
}

describe('references followed', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let found: ReferenceIntegrity;

  beforeAll(async () => {
    const documents = parents.map((_id, index) => ({
      _id,
      name: nameOf(index),
      city: `city ${index % 12}`,
      title: `title ${index}`,
      isActive: true,
      price: index,
    }));
    await database.collection('parents').insertMany(documents);
    const archived = Array.from({ length: CHILDREN / 10 }, (_, index) => ({
      _id: new ObjectId(String(index * 10).padStart(24, 'a')),
    }));
    await database.collection('archive').insertMany(archived);
    await database.collection('children').insertMany(Array.from({ length: CHILDREN }, (_, index) => child(index)));
    await database.collection('children').createIndexes([{ key: { buyerId: 1 } }, { key: { seller_id: 1 } }]);
    found = await integrityOf(database);
  });

  it('leave nothing out without saying so', () => {
    expect(found.gaps).toEqual([]);
    expect(found.references.map(({ path }) => path).sort()).toEqual(
      ['archived', 'buyerId', 'dangling', 'lines[].itemId', 'list', 'owner._id', 'seller_id', 'text', 'whole'].sort(),
    );
  });

  it.each([
    ['whole', 0],
    ['dangling', 0.1],
    ['archived', 0],
    ['text', 0.1],
    ['list', 0.125],
    ['lines[].itemId', 0.2],
  ])('%s dangles in a share of %f', (path, share) => {
    const { references, dangling, documents, sampled } = reference(found, 'children', path);
    expect(sampled).toBe(500);
    expect(documents).toBe(500);
    expect(references).toBe(path === 'list' ? 1_000 : 500);
    expect(dangling.references / references).toBeCloseTo(share, share === 0 ? 10 : 0.9);
    expect(dangling.ids).toBeUndefined();
  });

  it('name the collection that holds the rest', () => {
    expect(reference(found, 'children', 'archived').furtherTargets).toEqual([`${database.databaseName}.archive`]);
    expect(reference(found, 'children', 'whole').furtherTargets).toEqual([]);
  });

  it('show copies: fields named as the target has them, that mostly equal them', () => {
    const copies = found.references.flatMap((each) =>
      each.copies.map(({ path, sourcePath }) => `${each.path}: ${path} of ${sourcePath}`),
    );
    expect(copies.sort()).toEqual([
      'buyerId: buyerName of name',
      'lines[].itemId: lines[].itemName of name',
      'owner._id: owner.city of city',
      'owner._id: owner.name of name',
      'seller_id: seller_name of name',
    ]);
  });

  it('tell how distinct the copied values are', () => {
    const [name, city] = ['owner.name', 'owner.city'].map((path) =>
      reference(found, 'children', 'owner._id').copies.find((copy) => copy.path === path),
    );
    expect(name).toMatchObject({ differing: 0, isBesideId: true, valuesPerSource: 1 });
    expect(name?.agreementByChance).toBeCloseTo(1 / PARENTS, 2);
    expect(city?.agreementByChance).toBeCloseTo(1 / 12, 1);
    expect(city?.valuesPerSource).toBeCloseTo(12 / 190, 1);
  });

  it('tell copies that are changed along with their source from those that never are', () => {
    const [buyer] = reference(found, 'children', 'buyerId').copies;
    expect(buyer?.history.updated).toBeGreaterThan(10);
    expect(buyer?.history.untouched).toBe(0);
    const [seller] = reference(found, 'children', 'seller_id').copies;
    expect(seller?.history.updated).toBe(0);
    expect(seller?.history.untouched).toBeGreaterThan(10);
  });

  it('keep no value, and ids only where they are asked for', async () => {
    const text = JSON.stringify(found);
    expect(text).not.toContain('secret');
    expect(parents.filter((id) => text.includes(id.toHexString()))).toEqual([]);
    const shown = await integrityOf(database, { showValues: true });
    const told = reference(shown, 'children', 'dangling').dangling.ids ?? [];
    expect(told).toHaveLength(10);
    expect(told[0]).toMatch(/^\{"\$oid":"[0-9a-f]{24}"\}$/);
    expect(JSON.stringify(shown)).not.toContain('secret');
  });
});

describe('references both ways', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let found: ReferenceIntegrity;

  async function plant(name: string, documents: readonly Document[]): Promise<void> {
    await database.collection(name).insertMany([...documents]);
  }

  beforeAll(async () => {
    const [teams, players] = [ids(60), ids(300)];
    // Every tenth player is on the list of a team and names another one; one team in six does not list its last player.
    await plant(
      'teams',
      teams.map((_id, index) => ({
        _id,
        players: players.slice(index * 5, index * 5 + (index % 6 === 0 && index > 0 ? 4 : 5)),
        first: players[index * 5],
      })),
    );
    await plant(
      'players',
      players.map((_id, index) => ({
        _id,
        team: index % 10 === 0 ? teams[(Math.floor(index / 5) + 1) % 60] : teams[Math.floor(index / 5)],
      })),
    );
    const [users, posts] = [ids(100), ids(400)];
    await plant(
      'users',
      users.map((_id, index) => ({ _id, likes: posts.slice(index, index + 5) })),
    );
    await plant(
      'posts',
      posts.map((_id, index) => ({ _id, author: users[index % 100] })),
    );
    const [accounts, profiles] = [ids(100), ids(100)];
    await plant(
      'accounts',
      accounts.map((_id, index) => ({ _id, profile: profiles[index] })),
    );
    await plant(
      'profiles',
      profiles.map((_id, index) => ({ _id, account: index % 20 === 0 ? null : accounts[index] })),
    );
    const friends = ids(100);
    await plant(
      'friends',
      friends.map((_id, index) => ({
        _id,
        friends: [1, 2, 98, 99]
          .filter((step) => index % 25 !== 3 || step > 1)
          .map((step) => friends[(index + step) % 100]),
      })),
    );
    // Of all its events a feed keeps the last three.
    const [feeds, events] = [ids(40), ids(120)];
    await plant(
      'feeds',
      feeds.map((_id, index) => ({ _id, latest: events.filter((_event, each) => feedOf(each) === index).slice(-3) })),
    );
    await plant('events', [
      ...events.map((_id, index) => ({ _id, feed: feeds[feedOf(index)] })),
      ...ids(15).map((_id, index) => ({ _id, feed: feeds[index] })),
    ]);
    found = await integrityOf(database);
  });

  it('are compared where most of them agree', () => {
    const pairs = found.references.flatMap(({ namespace, path, target, backReferences }) => {
      return backReferences.map(
        (back) => `${collectionName(namespace)}.${path} ↔ ${collectionName(target)}.${back.path}`,
      );
    });
    expect(pairs.sort()).toEqual([
      'accounts.profile ↔ profiles.account',
      'events.feed ↔ feeds.latest',
      'feeds.latest ↔ events.feed',
      'friends.friends ↔ friends.friends',
      'players.team ↔ teams.players',
      'profiles.account ↔ accounts.profile',
      'teams.first ↔ players.team',
      'teams.players ↔ players.team',
    ]);
  });

  const back = (collection: string, path: string) => {
    const [first] = reference(found, collection, path).backReferences;
    if (first === undefined) throw new Error(`${collection} ${path} has no other side.`);
    return { compared: first.compared, oneSided: first.oneSided };
  };

  it.each([
    ['teams', 'players', { compared: 291, oneSided: 30 }],
    ['players', 'team', { compared: 270, oneSided: 9 }],
    ['accounts', 'profile', { compared: 100, oneSided: 5 }],
    ['profiles', 'account', { compared: 95, oneSided: 0 }],
    ['friends', 'friends', { compared: 396, oneSided: 4 }],
    ['feeds', 'latest', { compared: 120, oneSided: 0 }],
    ['events', 'feed', { compared: 120, oneSided: 0 }],
  ])('%s.%s', (collection, path, expected) => {
    expect(back(collection, path)).toEqual(expected);
  });
});

describe('references of many collections', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const COLLECTIONS = 45;

  it('are all followed, and each is held against its own target', async () => {
    await database.collection('parents').insertMany(parents.map((_id, index) => ({ _id, name: nameOf(index) })));
    const numbers = Array.from({ length: COLLECTIONS }, (_, number) => number);
    for (const number of numbers) {
      const isDangling = (index: number) => number % 2 === 0 && index % 4 === 0;
      const documents = parents.map((id, index) => ({
        parent: isDangling(index) ? new ObjectId() : id,
        parentName: index % 5 === 0 ? 'old secret' : nameOf(index),
      }));
      await database.collection(`children${number}`).insertMany(documents);
    }
    const found = await integrityOf(database);
    expect(found.gaps).toEqual([]);
    expect(found.references).toHaveLength(COLLECTIONS);
    for (const number of numbers) {
      const { dangling, copies, furtherTargets } = reference(found, `children${number}`, 'parent');
      expect(furtherTargets).toEqual([]);
      expect(dangling.references).toBe(number % 2 === 0 ? PARENTS / 4 : 0);
      expect(copies).toMatchObject([
        { path: 'parentName', compared: number % 2 === 0 ? 150 : 200, differing: number % 2 === 0 ? 30 : 40 },
      ]);
    }
  });
});

describe('references to collections that share their ids', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  it('lead to the one that their name names, and to no other side where none is named', async () => {
    const users = ids(100);
    await database
      .collection('users')
      .insertMany(users.map((_id, index) => ({ _id, follows: [users[index], users[(index + 1) % 100]] })));
    await database
      .collection('follows')
      .insertMany(users.map((_id, index) => ({ _id, user: users[index], owner: users[(index + 99) % 100] })));
    const found = await integrityOf(database);
    expect(collectionName(reference(found, 'follows', 'user').target)).toBe('users');
    expect(reference(found, 'follows', 'user').backReferences.map(({ path }) => path)).toEqual(['follows']);
    expect(reference(found, 'follows', 'owner').backReferences).toEqual([]);
  });
});

describe('what changes between two reads', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const connection = useConnection(sharedReplicaSetUri);

  it('is read again, and not called wrong', async () => {
    const { databaseName } = database;
    const known = (name: string): KeptCollection => ({
      collection: {
        namespace: `${databaseName}.${name}`,
        database: databaseName,
        name,
        kind: 'collection',
        clustered: false,
      },
      evidence: { fieldTypes: present(fieldTypes) },
    });
    const types = {
      _id: { objectId: 100 },
      parent_id: { objectId: 100 },
      parent_name: { string: 100 },
      name: { string: 100 },
    };
    const fields = Object.entries(types).map(([path, each]) => ({
      path,
      types: each,
      documents: 100,
      elementsPerArray: null,
      longestString: 24,
    }));
    const fieldTypes = { documents: 100, complete: true, fields };
    await database.collection('parents').insertMany(parents.map((_id, index) => ({ _id, name: nameOf(index) })));
    await database
      .collection('children')
      .insertMany(parents.map((id, index) => ({ parent_id: id, parent_name: nameOf(index) })));
    const proven = {
      namespace: `${databaseName}.children`,
      path: 'parent_id',
      isInArray: false,
      target: `${databaseName}.parents`,
      values: 20,
      found: 20,
      conversion: null,
      isRepeated: false,
    };
    const change = async () => {
      // A parent is deleted with its children, and another one renamed with its copies, after the children were read.
      await database.collection('children').deleteMany({ parent_id: parents[0] as ObjectId });
      await database.collection('parents').deleteOne({ _id: parents[0] as ObjectId });
      await database.collection('parents').updateOne({ _id: parents[1] as ObjectId }, { $set: { name: 'renamed' } });
      await database
        .collection('children')
        .updateOne({ parent_id: parents[1] as ObjectId }, { $set: { parent_name: 'renamed' } });
    };
    const { reader } = connection();
    const interrupted = {
      capabilities: reader.capabilities,
      aggregateRaw: (...read: Parameters<ClusterReader['aggregateRaw']>) => reader.aggregateRaw(...read),
      findRaw: (...read: Parameters<ClusterReader['findRaw']>) => afterwards(change, () => reader.findRaw(...read)),
      withReadPreference: () => reader,
    } as unknown as ClusterReader;
    const { references, gaps } = await collectReferenceIntegrity(
      interrupted,
      ['parents', 'children'].map(known),
      { references: [proven], gaps: [] },
      { concurrency: 1, showValues: false },
    );
    expect(gaps).toEqual([]);
    expect(references).toMatchObject([
      {
        references: PARENTS - 1,
        dangling: { references: 0 },
        copies: [{ path: 'parent_name', compared: PARENTS - 1, differing: 0 }],
      },
    ]);
  });
});

/** A cursor that is opened only when something else is done. */
function afterwards(first: () => Promise<void>, open: () => RawCursor): RawCursor {
  let cursor: RawCursor | null = null;
  return {
    async hasNext() {
      if (cursor === null) {
        await first();
        cursor = open();
      }
      return cursor.hasNext();
    },
    readBufferedDocuments: () => cursor?.readBufferedDocuments() ?? [],
    close: async () => cursor?.close(),
  };
}

import { ObjectId, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { bloatedDocument } from '../../checks/bloated-document.js';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { longReferenceArray } from '../../checks/long-reference-array.js';
import { outlierDocument } from '../../checks/outlier-document.js';
import { unboundedArray } from '../../checks/unbounded-array.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const random = new SeededRandom(17);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const POSTS = 200;
const READS = 40;
const SHOWN = 5;

const comment = () => ({ by: 'a reader', text: 'some words' });
/** Of each collection: its documents, and the projection with which nearly all reads ask for them. */
const COLLECTIONS: Readonly<Record<string, { make: (index: number) => Document; projection: Document }>> = {
  posts: {
    make: () => ({ title: 'a post', comments: times(random.between(1, 3_000), comment) }),
    projection: { comments: { $slice: -SHOWN } },
  },
  people: {
    make: () => ({ name: 'someone', followers: times(random.between(1, 9_000), () => new ObjectId()) }),
    projection: { name: 1 },
  },
  books: {
    make: () => ({
      title: 'a book',
      author: 'x',
      price: 5,
      pages: 9,
      reviews: times(20 + Math.floor(random.next() ** 2 * 1_500), () => ({ stars: 1, text: 'words '.repeat(130) })),
    }),
    projection: { title: 1, reviews: { $slice: SHOWN } },
  },
  sales: {
    make: (index) => ({
      _id: index,
      buyers: times(index === 7 ? 40_000 : 10 + (index % 20), () => ({ name: 'x'.repeat(50) })),
    }),
    projection: { newest: { $slice: ['$buyers', -SHOWN] } },
  },
};
const CHECKS = {
  posts: unboundedArray,
  people: longReferenceArray,
  books: bloatedDocument,
  sales: outlierDocument,
} as const;
type Name = keyof typeof CHECKS;

describe('remedies that follow what reads return', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  const lintFor = async (name: Name) => {
    // Some check has to ask for the workload: those of arrays only use it where it is there.
    const { findings, skipped } = await lintShared({
      include: [`${database.databaseName}.${name}*`],
      checks: [CHECKS[name], heavyLookup],
    });
    expect(skipped).toEqual([]);
    return findings.filter(({ check }) => check === CHECKS[name].id);
  };

  const readAll = () =>
    recordOperations(database, async () => {
      for (const [name, { projection }] of Object.entries(COLLECTIONS)) {
        for (let read = 0; read < READS; read += 1)
          await database.collection(name).find({}, { projection, limit: 1 }).toArray();
        for (let read = 0; read < READS / 4; read += 1) await database.collection(name).findOne();
      }
    });

  beforeAll(async () => {
    for (const [name, { make }] of Object.entries(COLLECTIONS))
      await database.collection(name).insertMany(times(POSTS, make));
    await readAll();
  });

  it.each<[Name, string | null, string]>([
    ['posts', 'comments', 'Of 50 reads, 40 (80 %) return at most the last 5 elements of `comments`'],
    ['people', 'followers', 'Of 50 reads, 40 (80 %) exclude `followers`'],
    ['books', null, 'Of 50 reads, 40 (80 %) return at most the first 5 elements of `reviews`'],
    ['sales', null, 'Of 50 reads, 40 (80 %) return at most the last 5 elements of `buyers`'],
  ])('tell so on %s', async (name, path, text) => {
    const findings = await lintFor(name);
    expect(findings.map((finding) => finding.path)).toEqual([path]);
    expect(findings[0]?.remedy.text).toContain(text);
  });

  it('say that the capping update drops elements for good, and which of them first', async () => {
    const capped = database.collection<{ _id: number; comments: Document[] }>('capped');
    await capped.insertOne({ _id: 1, comments: [{ at: 2 }, { text: 'without a time' }, { at: 3 }, { at: 1 }] });
    await capped.updateOne({ _id: 1 }, { $push: { comments: { $each: [{ at: 4 }], $sort: { at: 1 }, $slice: -4 } } });
    expect(await capped.findOne()).toEqual({ _id: 1, comments: [{ at: 1 }, { at: 2 }, { at: 3 }, { at: 4 }] });
    expect((await lintFor('posts'))[0]?.remedy.text).toContain('drops its other elements for good');
    await capped.drop();
  });

  it('make the finding go away: the subset in the document, the others outside', async () => {
    const { remedy } = (await lintFor('posts'))[0] ?? {};
    expect(remedy?.text).toContain(`collection posts_comments`);
    expect(remedy?.text).toContain(`{ $push: { comments: { $each: [element], $slice: -${SHOWN} } } }`);
    const posts = database.collection('posts');
    expect(remedy?.steps.at(-1)?.code).toContain('{ "comments.200": { $exists: true } }');
    const tooLong = () => posts.countDocuments({ 'comments.200': { $exists: true } });
    expect(await tooLong()).toBe(await posts.countDocuments({ $expr: { $gt: [{ $size: '$comments' }, 200] } }));
    await posts
      .aggregate([
        { $unwind: '$comments' },
        { $project: { _id: 0, parentId: '$_id', comment: '$comments' } },
        { $out: 'posts_comments' },
      ])
      .toArray();
    await database.collection('posts_comments').createIndex({ parentId: 1 });
    await posts.updateMany({}, { $push: { comments: { $each: [], $slice: -SHOWN } } } as object);
    expect(await tooLong()).toBe(0);
    expect(await lintFor('posts')).toEqual([]);
  });

  it('make the finding go away: the references reversed', async () => {
    await database.collection('people').updateMany({}, { $unset: { followers: '' } });
    expect(await lintFor('people')).toEqual([]);
  });

  it('say nothing of reads without a record of them', async () => {
    const { findings } = await lintShared({ include: [`${database.databaseName}.books`], checks: [bloatedDocument] });
    expect(findings).toHaveLength(1);
    expect(findings[0]?.remedy.text).not.toContain(' reads,');
    expect(findings[0]?.evidence).not.toHaveProperty('reads');
  });
});

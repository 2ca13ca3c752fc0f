import { type Collection, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const FOREIGN = 1_500;
const client = sharedClient();

const expression =
  (condition: Document, variables: Document = { id: '$k' }) =>
  (from: string) => [{ $lookup: { from, let: variables, pipeline: [{ $match: { $expr: condition } }], as: 'found' } }];
const plain = (from: string) => [{ $lookup: { from, localField: 'k', foreignField: 'k', as: 'found' } }];
const inPipeline = (pipeline: Document[]) => (from: string) => [
  { $lookup: { from, let: { id: '$k' }, pipeline, as: 'found' } },
];
const equal = { $match: { $expr: { $eq: ['$k', '$$id'] } } };

interface Unindexable {
  readonly what: string;
  readonly foreign: string;
  readonly path: string | null;
  readonly pipeline: (from: string) => readonly Document[];
  /** In the words of the message. */
  readonly because: RegExp;
  /** The join as the remedy would have it. */
  readonly anew: (from: string) => readonly Document[];
  /** What it needs besides the index on the compared field. */
  readonly prepare?: (foreign: Collection) => Promise<void>;
}

const UNINDEXABLE: readonly Unindexable[] = [
  {
    what: '$in of an outer array',
    foreign: 'by_in',
    path: 'k',
    pipeline: expression({ $in: ['$k', '$$id'] }, { id: '$ks' }),
    because: /\$in/,
    anew: (from) => [{ $lookup: { from, localField: 'ks', foreignField: 'k', as: 'found' } }],
  },
  {
    what: 'a converted foreign field',
    foreign: 'converted',
    path: 'k',
    pipeline: expression({ $eq: [{ $toString: '$k' }, { $toString: '$$id' }] }),
    because: /converts the foreign field/,
    anew: expression({ $eq: ['$k', '$$id'] }),
  },
  {
    what: 'a computed foreign value',
    foreign: 'computed',
    path: null,
    pipeline: expression({ $eq: [{ $add: ['$k', '$at'] }, '$$id'] }),
    because: /computed from the foreign document/,
    anew: (from) => [{ $lookup: { from, localField: 'k', foreignField: 'computed', as: 'found' } }],
    prepare: async (foreign) => {
      await foreign.updateMany({}, [{ $set: { computed: { $add: ['$k', '$at'] } } }]);
      await foreign.createIndex({ computed: 1 });
    },
  },
  {
    what: 'a comparison in a $cond',
    foreign: 'wrapped',
    path: 'k',
    pipeline: expression({ $cond: [{ $eq: ['$k', '$$id'] }, true, false] }),
    because: /within another expression/,
    anew: expression({ $eq: ['$k', '$$id'] }),
  },
  {
    what: 'an alternative that compares nothing',
    foreign: 'alternative',
    path: 'k',
    pipeline: expression({ $or: [{ $eq: ['$k', '$$id'] }, { $eq: ['$at', 99] }] }),
    because: /alternatives/,
    anew: (from) => [
      ...plain(from),
      { $lookup: { from, pipeline: [{ $match: { at: 99 } }], as: 'others' } },
      { $set: { found: { $concatArrays: ['$found', '$others'] } } },
      { $unset: 'others' },
    ],
    prepare: async (foreign) => void (await foreign.createIndex({ at: 1 })),
  },
  {
    what: 'a $limit before the comparison',
    foreign: 'limited',
    path: 'k',
    pipeline: inPipeline([{ $limit: 2_000 }, equal]),
    because: /\$limit/,
    anew: inPipeline([equal, { $limit: 2_000 }]),
  },
];

interface Ran {
  readonly results: readonly Document[];
  readonly examined: number;
}

/** The server joins the documents of one field in no given order. */
function inOrder({ found, ...others }: Document): Document {
  const joined = found as readonly { readonly k: number }[];
  return { ...others, found: joined.toSorted((one, other) => one.k - other.k) };
}

const of = (findings: readonly Finding[], foreign: string) =>
  findings.filter(({ namespace }) => namespace.endsWith(`.${foreign}`));

describe('a join that no index can serve', () => {
  const database = freshDatabase(client);
  let plainly: readonly Finding[];
  let indexed: readonly Finding[];
  let rewritten: readonly Finding[];
  let before: readonly Ran[];
  let after: readonly Ran[];

  async function findingsNow(): Promise<readonly Finding[]> {
    const report = await lintShared({ include: [`${database.databaseName}.*`], checks: [missingLookupIndex] });
    return report.findings;
  }

  async function run(pipelineOf: (join: Unindexable) => readonly Document[]): Promise<Ran[]> {
    await database.collection('system.profile').drop();
    const results: Document[][] = [];
    await recordOperations(database, async () => {
      for (const join of UNINDEXABLE)
        results.push(
          await database
            .collection('orders')
            .aggregate([...pipelineOf(join), { $unset: 'found.computed' }, { $sort: { _id: 1 } }], {
              comment: join.what,
            })
            .toArray(),
        );
    });
    const entries = await database.collection('system.profile').find({ 'command.aggregate': 'orders' }).toArray();
    return UNINDEXABLE.map(({ what }, position) => ({
      results: (results[position] ?? []).map(inOrder),
      examined: entries
        .filter(({ command }) => command.comment === what)
        .reduce((sum, { docsExamined }) => sum + Number(docsExamined), 0),
    }));
  }

  beforeAll(async () => {
    await database.collection('orders').insertMany(Array.from({ length: 10 }, (_, k) => ({ k, ks: [k, k + 1] })));
    for (const { foreign } of UNINDEXABLE) {
      await database.collection(foreign).insertMany(Array.from({ length: FOREIGN }, (_, k) => ({ k, at: k % 7 })));
    }
    before = await run(({ pipeline, foreign }) => pipeline(foreign));
    plainly = await findingsNow();
    for (const { foreign } of UNINDEXABLE) await database.collection(foreign).createIndex({ k: 1 });
    indexed = await findingsNow();
    for (const { foreign, prepare } of UNINDEXABLE) await prepare?.(database.collection(foreign));
    after = await run(({ anew, foreign }) => anew(foreign));
    rewritten = await findingsNow();
  });

  it.each(UNINDEXABLE.map((join) => [join.what, join] as const))(
    'because of %s is found once, with why, and no index as its remedy',
    (_, { foreign, path, because }) => {
      const [finding, ...others] = of(plainly, foreign);
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ path, message: expect.stringMatching(because) });
      expect(finding?.message).toContain('No index can serve this join');
      expect(finding?.remedy.commands ?? []).toEqual([]);
      expect(finding?.remedy.text.length).toBeGreaterThan(20);
    },
  );

  it.each(UNINDEXABLE.map(({ what, foreign }) => [what, foreign]))(
    'because of %s is found with an index too, and gone once it is written anew',
    (_, foreign) => {
      expect(of(indexed, foreign)).toHaveLength(1);
      expect(of(rewritten, foreign)).toEqual([]);
    },
  );

  it.each(UNINDEXABLE.map(({ what }, position) => [what, position] as const))(
    'because of %s has the same results once it is written anew, from fewer documents',
    (_, position) => {
      expect(after[position]?.results).toEqual(before[position]?.results);
      expect(before[position]?.examined).toBeGreaterThan(FOREIGN);
      expect(after[position]?.examined).toBeLessThan(FOREIGN / 10);
    },
  );
});

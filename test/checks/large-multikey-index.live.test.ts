/** Keys of a multikey index on a real server: as many as the finding says there are elements. */
import { ObjectId } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { largeMultikeyIndex } from '../../checks/large-multikey-index.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const RECIPES = 60;
const client = sharedClient();

describe('large-multikey-index on a real server', () => {
  const database = freshDatabase(client);
  const recipes = database.collection('recipes');
  const likes = database.collection('likes');
  const lintAll = async () => {
    const { findings, skipped } = await lintShared({ include: [database.databaseName], checks: [largeMultikeyIndex] });
    return { findings, skipped };
  };

  beforeAll(async () => {
    await recipes.insertMany(
      Array.from({ length: RECIPES }, (_, number) => ({
        tags: ['soup', 'hot', 'quick'].slice(number % 3),
        likedBy: Array.from({ length: Math.round(130 * (RECIPES / (RECIPES - number)) ** 0.6) }, () => new ObjectId()),
      })),
    );
    await recipes.createIndexes([{ key: { likedBy: 1 } }, { key: { tags: 1 } }]);
  });

  it('is found, with a key for each element, and gone once these are documents of their own', async () => {
    const { findings, skipped } = await lintAll();
    expect(skipped).toEqual([]);
    expect(findings).toMatchObject([{ path: 'likedBy_1', severity: 'info' }]);
    const { executionStats } = await recipes.find({}).hint({ likedBy: 1 }).explain('executionStats');
    const keys = Number(executionStats.totalKeysExamined);
    const lengths = await recipes
      .aggregate<{ n: number }>([{ $project: { n: { $size: '$likedBy' } } }, { $sort: { n: 1 } }])
      .toArray();
    expect(keys).toBe(lengths.reduce((sum, { n }) => sum + n, 0));
    expect(findings[0]!.evidence['medianElementsAtLeast']).toBeLessThanOrEqual(lengths[RECIPES / 2]!.n);
    expect(findings[0]!.evidence['mostElements']).toBe(lengths.at(-1)!.n);

    await recipes
      .aggregate([
        { $unwind: '$likedBy' },
        { $project: { _id: { recipe: '$_id', by: '$likedBy' }, recipe: '$_id', by: '$likedBy' } },
        { $out: 'likes' },
      ])
      .toArray();
    await likes.createIndex({ by: 1, recipe: 1 });
    await recipes.updateMany({}, { $unset: { likedBy: '' } });
    await recipes.dropIndex('likedBy_1');
    expect(await likes.countDocuments()).toBe(keys);
    expect((await lintAll()).findings).toEqual([]);
  });
});

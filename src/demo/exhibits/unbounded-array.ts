import { ObjectId } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

/** That the twin keeps, by `$push … $slice`. */
const NEWEST_COMMENTS = 20;
const POSTS = 400;

function comment(random: SeededRandom): object {
  return {
    _id: new ObjectId(),
    by: `reader-${random.between(1, 5_000)}`,
    at: new Date(1.7e12 + random.next() * 1e10),
    text: 'a comment of some length '.repeat(random.between(1, 4)),
  };
}

/** Most posts have few comments, a few have thousands. */
function popularity(random: SeededRandom): number {
  return Math.min(6_000, Math.floor(4 / Math.max(1e-3, 1 - random.next()) ** 1.1));
}

export const unboundedArray: Exhibit = {
  check: 'unbounded-array',
  story: 'all comments kept in their post / the newest 20 in the post, all in a collection of their own',
  bad: {
    name: 'posts',
    path: 'comments',
    async plant(database) {
      const random = new SeededRandom(1);
      const posts = Array.from({ length: POSTS }, (_, index) => ({
        title: `post ${index}`,
        comments: Array.from({ length: popularity(random) }, () => comment(random)),
      }));
      await database.collection(this.name).insertMany(posts);
    },
  },
  twin: {
    name: 'posts_with_newest_comments',
    async plant(database) {
      const random = new SeededRandom(1);
      const posts = Array.from({ length: POSTS }, (_, index) => {
        const commentCount = popularity(random);
        const newest = Array.from({ length: Math.min(NEWEST_COMMENTS, commentCount) }, () => comment(random));
        return { title: `post ${index}`, commentCount, newestComments: newest };
      });
      await database.collection(this.name).insertMany(posts);
    },
  },
};

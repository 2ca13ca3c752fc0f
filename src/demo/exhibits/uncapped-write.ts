import type { Db, Document } from 'mongodb';
import { recordOperations } from '../recorded-operations.js';
import type { Exhibit } from '../exhibit.js';

const POSTS = 40;

/** As many posts as a test plants, each of which gets a comment. */
const commented = (name: string, push: Document) => ({
  name,
  async plant(database: Db) {
    const posts = database.collection<{ _id: number; comments: Document[] }>(name);
    await posts.insertMany(Array.from({ length: POSTS }, (_, _id) => ({ _id, comments: [] })));
    await recordOperations(database, async () => {
      for (let _id = 0; _id < POSTS; _id += 1) await posts.updateOne({ _id }, { $push: push });
    });
  },
});

export const uncappedWrite: Exhibit = {
  check: 'uncapped-write',
  needsMember: true,
  story: 'forty posts of a test that get comments without a cap / that keep the newest hundred',
  bad: { ...commented('posts_of_a_test', { comments: { text: 'Yes' } }), path: 'comments' },
  twin: commented('posts_of_a_test_capped', { comments: { $each: [{ text: 'Yes' }], $slice: -100 } }),
};

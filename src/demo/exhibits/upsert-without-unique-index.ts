import type { Db } from 'mongodb';
import { recordOperations } from '../recorded-operations.js';
import type { Exhibit } from '../exhibit.js';

const PAGES = 200;
const VIEWS = 30;

const views = (name: string, unique: boolean) => ({
  name,
  async plant(database: Db) {
    const pages = database.collection(name);
    await pages.insertMany(Array.from({ length: PAGES }, (_, page) => ({ page: `/p${page}`, views: 0 })));
    await pages.createIndex({ page: 1 }, { unique });
    await recordOperations(database, async () => {
      for (let view = 0; view < VIEWS; view += 1)
        await pages.updateOne({ page: `/p${view}` }, { $inc: { views: 1 } }, { upsert: true });
    });
  },
});

export const upsertWithoutUniqueIndex: Exhibit = {
  check: 'upsert-without-unique-index',
  needsMember: true,
  story: 'views counted by page, inserted if the page is new / with a unique index on the page',
  bad: { ...views('page_views', false), path: 'page_1' },
  twin: views('page_views_unique', true),
};

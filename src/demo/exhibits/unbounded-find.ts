import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';
import { askForOrders } from './queried-orders.js';

const ARTICLES = 1_500;
const PAGE = 20;
const WORDS = ['river', 'harbor', 'council', 'market', 'bridge', 'winter', 'season', 'record'];

async function plantArticles(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(43);
  const word = () => WORDS[random.below(WORDS.length)];
  const articles = Array.from({ length: ARTICLES }, (_, number) => ({
    title: `${word()} and ${word()} ${number}`,
    section: random.below(12),
    body: Array.from({ length: random.between(150, 300) }, word).join(' '),
  }));
  await database.collection(name).insertMany(articles);
}

export const unboundedFind: Exhibit = {
  check: 'unbounded-find',
  needsMember: true,
  story: 'a list of titles that reads all articles with their texts / one page of them, without the texts',
  bad: {
    name: 'articles_read_whole',
    path: null,
    async plant(database) {
      await plantArticles(database, this.name);
      await askForOrders(database, () => database.collection(this.name).find().toArray());
    },
  },
  twin: {
    name: 'articles_read_by_page',
    async plant(database) {
      await plantArticles(database, this.name);
      await askForOrders(database, () =>
        database
          .collection(this.name)
          .find({}, { projection: { title: 1, section: 1 } })
          .sort({ _id: -1 })
          .limit(PAGE)
          .toArray(),
      );
    },
  },
};

import { ObjectId } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const RECIPES = 200;
const TAGS = ['soup', 'salad', 'bread', 'cake', 'fish', 'rice', 'roast', 'stew'];

/** Half of the recipes have some 200, one in a hundred 2,000 and more. */
function likesOf(random: SeededRandom): ObjectId[] {
  const likes = Math.round(130 * Math.exp(0.6 * random.exponential()));
  return Array.from({ length: likes }, () => new ObjectId());
}

export const largeMultikeyIndex: Exhibit = {
  check: 'large-multikey-index',
  story: 'an index on all who like a recipe / an index on the few tags of a recipe',
  needsMember: true,
  bad: {
    name: 'recipes_with_likes',
    path: 'likedBy_1',
    async plant(database) {
      const random = new SeededRandom(47);
      const recipes = Array.from({ length: RECIPES }, (_, number) => ({ number, likedBy: likesOf(random) }));
      await database.collection(this.name).createIndex({ likedBy: 1 });
      await database.collection(this.name).insertMany(recipes);
    },
  },
  twin: {
    name: 'recipes_with_tags',
    async plant(database) {
      const recipes = Array.from({ length: RECIPES }, (_, number) => ({
        number,
        tags: TAGS.filter((_tag, position) => (number >> position) % 2 === 1),
      }));
      await database.collection(this.name).createIndex({ tags: 1 });
      await database.collection(this.name).insertMany(recipes);
    },
  },
};

import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const MOVIES = 48;
const MB = 1024 * 1024;

const movie = (index: number) => ({
  _id: index,
  title: `movie ${index}`,
  year: 1950 + (index % 70),
  rating: index % 10,
});

export const bloatedDocument: Exhibit = {
  check: 'bloated-document',
  story:
    'posters stored in the movies that every page lists / posters in object storage, with their address in the movie',
  bad: {
    name: 'movies_with_posters',
    path: null,
    async plant(database) {
      const random = new SeededRandom(6);
      const collection = database.collection<{ _id: number; poster: Buffer }>(this.name);
      for (let index = 0; index < MOVIES; index += 1) {
        const poster = Buffer.alloc(random.between(2 * MB, 3 * MB), index);
        await collection.insertOne({ ...movie(index), poster });
      }
    },
  },
  twin: {
    name: 'movies',
    async plant(database) {
      const movies = Array.from({ length: MOVIES }, (_, index) => ({
        ...movie(index),
        poster: `posters/${index}.webp`,
      }));
      await database.collection<{ _id: number }>(this.name).insertMany(movies);
    },
  },
};

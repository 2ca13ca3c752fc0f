import { type Db, ObjectId } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { askForOrders } from './order-queries.js';

const SMALL_DOCUMENTS = 30_000;

/** 94 % of the 16 MB that a document may have. */
const GIANT_BYTES = 15 * 1024 * 1024;

const small = (index: number) => ({ sensor: index % 100, value: index % 17, unit: 'C' });

export const oversizedDocument: Exhibit = {
  check: 'oversized-document',
  story: 'one document of 15 MB hidden among 30,000 small ones / the large part kept elsewhere',
  bad: faulty('calibrations', null, async (database, name) => {
    const collection = database.collection(name);
    await collection.insertMany(Array.from({ length: SMALL_DOCUMENTS / 2 }, (_, index) => small(index)));
    await collection.insertOne({ sensor: 100, trace: Buffer.alloc(GIANT_BYTES, 1) });
    await collection.insertMany(Array.from({ length: SMALL_DOCUMENTS / 2 }, (_, index) => small(index)));
  }),
  twin: planted('calibrations_with_trace_elsewhere', async (database, name) => {
    const documents = Array.from({ length: SMALL_DOCUMENTS }, (_, index) => small(index));
    await database.collection(name).insertMany([...documents, { sensor: 100, traceFile: 'trace-2024-01.bin' }]);
  }),
};

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
  bad: faulty('movies_with_posters', null, async (database, name) => {
    const random = new SeededRandom(6);
    const collection = database.collection<{ _id: number; poster: Buffer }>(name);
    for (let index = 0; index < MOVIES; index += 1) {
      const poster = Buffer.alloc(random.between(2 * MB, 3 * MB), index);
      await collection.insertOne({ ...movie(index), poster });
    }
  }),
  twin: planted('movies', async (database, name) => {
    const movies = Array.from({ length: MOVIES }, (_, index) => ({
      ...movie(index),
      poster: `posters/${index}.webp`,
    }));
    await database.collection<{ _id: number }>(name).insertMany(movies);
  }),
};

const LISTED_MOVIES = 6;

/** On the movies of `bloated-document`, which are planted before. */
const overFetching: Exhibit = {
  check: 'over-fetching',
  needsMember: true,
  story: 'a list of movies that fetches their posters, too / their addresses',
  bad: faulty(bloatedDocument.bad.name, null, listMovies),
  twin: planted(bloatedDocument.twin.name, listMovies),
};

function listMovies(database: Db, name: string): Promise<void> {
  const movies = database.collection(name);
  return askForOrders(database, () => movies.find().sort({ _id: -1 }).limit(LISTED_MOVIES).toArray());
}

/** With the bestsellers fewer than a sample holds, so that it misses none by chance. */
const BOOKS = 900;

const BESTSELLERS = 4;

const CUSTOMERS_PER_DOCUMENT = 40;

const BESTSELLER_CUSTOMERS = 60_000;

const ids = (count: number) => Array.from({ length: count }, () => new ObjectId());

export const outlierDocument: Exhibit = {
  check: 'outlier-document',
  story: 'a few bestsellers a thousand times the size of other books / their buyers in overflow documents',
  bad: faulty('books', null, async (database, name) => {
    const random = new SeededRandom(7);
    const collection = database.collection(name);
    const books = Array.from({ length: BOOKS }, (_, index) => ({
      title: `book ${index}`,
      customers: ids(random.between(CUSTOMERS_PER_DOCUMENT / 2, CUSTOMERS_PER_DOCUMENT)),
    }));
    await collection.insertMany(books);
    await collection.insertMany(
      Array.from({ length: BESTSELLERS }, () => ({ title: 'a bestseller', customers: ids(BESTSELLER_CUSTOMERS) })),
    );
  }),
  twin: planted('books_with_overflow', async (database, name) => {
    const random = new SeededRandom(7);
    const books = Array.from({ length: BOOKS }, (_, index) => ({
      title: `book ${index}`,
      customers: ids(random.between(CUSTOMERS_PER_DOCUMENT / 2, CUSTOMERS_PER_DOCUMENT)),
      hasOverflow: false,
    }));
    const overflow = Array.from({ length: 300 }, (_, page) => ({
      book: page % BESTSELLERS,
      page,
      customers: ids(CUSTOMERS_PER_DOCUMENT),
      hasOverflow: page < 300 - BESTSELLERS,
    }));
    await database.collection(name).insertMany([...books, ...overflow]);
  }),
};

const LEVELS = 30;

function nested(level: number): object {
  return level === 0 ? { text: 'the last reply' } : { text: 'a reply', reply: nested(level - 1) };
}

export const deepNesting: Exhibit = {
  check: 'deep-nesting',
  story: 'replies nested in one another / replies that name what they answer',
  bad: faulty('nested_replies', 'reply', async (database, name) => {
    await database
      .collection(name)
      .insertMany(Array.from({ length: 50 }, (_, index) => ({ index, ...nested(LEVELS) })));
  }),
  twin: planted('replies_naming_parent', async (database, name) => {
    const replies = Array.from({ length: 50 * LEVELS }, (_, index) => ({
      _id: index,
      answers: index === 0 ? null : index - 1,
      text: 'a reply',
    }));
    const collection = database.collection<{ _id: number; answers: number | null; text: string }>(name);
    await collection.createIndex({ answers: 1 });
    await collection.insertMany(replies);
  }),
};

const GAMES = 200;

const PLAYERS = 3_000;

export const dynamicFieldNames: Exhibit = {
  check: 'dynamic-field-names',
  story: "scores under the players' names / scores as an array of player and points",
  bad: faulty('games_by_player_name', 'scores', async (database, name) => {
    const random = new SeededRandom(5);
    const games = Array.from({ length: GAMES }, (_, index) => ({
      title: `game ${index}`,
      scores: Object.fromEntries(
        Array.from({ length: 12 }, () => [`player${random.between(1, PLAYERS)}`, random.between(0, 99)]),
      ),
    }));
    await database.collection(name).insertMany(games);
  }),
  twin: planted('games', async (database, name) => {
    const random = new SeededRandom(5);
    const games = Array.from({ length: GAMES }, (_, index) => ({
      title: `game ${index}`,
      scores: Array.from({ length: 12 }, () => ({
        player: `player${random.between(1, PLAYERS)}`,
        points: random.between(0, 99),
      })),
    }));
    await database.collection(name).createIndex({ 'scores.player': 1, 'scores.points': 1 });
    await database.collection(name).insertMany(games);
  }),
};

export const documentsExhibits: readonly Exhibit[] = [
  oversizedDocument,
  bloatedDocument,
  overFetching,
  outlierDocument,
  deepNesting,
  dynamicFieldNames,
];

import type { Design } from '../design.js';
import { DAY, HOUR } from '../planting.js';

const corner = (angle: number, radius: number) => [10 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)];

/** Arrays that are bounded, each in its own way. */
export const GOOD_ARRAYS: readonly Design[] = [
  {
    name: 'posts-with-newest-comments',
    source: 'MongoDB, "Building with Patterns: The Subset Pattern"',
    why: 'The post holds its ten newest comments; all of them are in a collection with an index on the post.',
    async plant(p) {
      const posts = p.times(1_000, () => p.id());
      const comment = () => ({ author: p.word(), at: p.date(), text: p.words(9) });
      await p.fill(
        'posts',
        posts.map((_id) => ({
          _id,
          title: p.words(6),
          body: p.words(100),
          newest: p.times(p.capped(1, 11) - 1, comment),
        })),
      );
      await p.database.collection('comments').createIndex({ post: 1, at: -1 });
      await p.fill(
        'comments',
        p.times(9_000, () => ({ _id: p.id(), post: p.random.choose(posts), ...comment() })),
      );
    },
    async use(database) {
      for (const { _id } of await database.collection('posts').find({}).limit(40).toArray())
        await database.collection('comments').find({ post: _id }).sort({ at: -1 }).limit(20).toArray();
    },
  },
  {
    name: 'buckets-of-readings',
    source: 'MongoDB manual, "Group Data with the Bucket Pattern"',
    why: 'A bucket closes at 200 readings: nearly all are full, the newest of each sensor is not.',
    plant: (p) =>
      p.fill(
        'readings',
        p.times(1_600, (index) => {
          const count = index % 20 === 19 ? p.random.between(1, 199) : 200;
          const age = p.random.below(300 * DAY);
          return {
            _id: p.id(age),
            sensor: index % 80,
            start: p.date(age),
            count,
            readings: p.times(count, () => ({ at: p.date(age), celsius: p.random.between(-10, 35) })),
          };
        }),
      ),
  },
  {
    name: 'hourly-days',
    source: 'MongoDB manual, "Model Time Series Data" before 5.0: a document a day',
    why: 'A day has 24 hours: the array ends with the day.',
    plant: (p) =>
      p.fill(
        'days',
        p.times(2_500, (index) => ({
          _id: p.id(),
          turbine: index % 25,
          day: p.date(Math.floor(index / 25) * DAY),
          hours: p.times(24, (hour) => ({ hour, kwh: p.random.between(0, 2_000) })),
        })),
      ),
  },
  {
    name: 'embeddings',
    source: 'MongoDB Atlas Vector Search, "How to Create Vector Embeddings"',
    why: 'An embedding has as many numbers as its model says: 768, always.',
    plant: (p) =>
      p.fill(
        'passages',
        p.times(900, (index) => ({
          _id: p.id(),
          text: p.words(60),
          page: index,
          embedding: p.times(768, () => p.random.next() * 2 - 1),
        })),
      ),
  },
  {
    name: 'districts-geojson',
    source: 'MongoDB manual, "GeoJSON Objects"',
    why: 'A border has as many corners as the district has: the shape is not appended to.',
    async plant(p) {
      await p.fill(
        'districts',
        p.times(400, () => {
          const corners = p.random.between(40, 260);
          const ring = p.times(corners, (index) => corner((2 * Math.PI * index) / corners, 0.1));
          return { _id: p.id(), name: p.word(), border: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } };
        }),
      );
      await p.database.collection('districts').createIndex({ border: '2dsphere' });
    },
  },
  {
    name: 'high-scores',
    source: 'MongoDB manual, "$slice": keep the highest',
    why: 'Each game keeps its best hundred: `$push` with `$sort` and `$slice` caps the array.',
    plant: (p) =>
      p.fill(
        'games',
        p.times(1_500, () => ({
          _id: p.id(),
          title: p.words(2),
          best: p.times(p.capped(20, 100, 0.6), () => ({
            player: p.word(),
            score: p.random.below(9_000),
          })),
        })),
      ),
  },
  {
    name: 'cinema-seats',
    source: 'ticket shops: the rows and seats of a hall',
    why: 'A hall has a fixed number of rows and seats.',
    plant: (p) =>
      p.fill(
        'screenings',
        p.times(600, () => ({
          _id: p.id(),
          film: p.words(2),
          starts: p.date(),
          rows: p.times(14, (row) => ({ row, seats: p.times(20, () => p.random.chance(0.4)) })),
        })),
      ),
  },
  {
    name: 'recipes',
    source: 'cookbook applications',
    why: 'A recipe has a handful of ingredients and steps: written once, read as a whole.',
    plant: (p) =>
      p.fill(
        'recipes',
        p.times(3_000, () => ({
          _id: p.id(),
          title: p.words(3),
          ingredients: p.times(p.random.between(4, 18), () => ({ name: p.word(), grams: p.random.between(5, 900) })),
          steps: p.times(p.random.between(3, 12), () => p.words(15)),
        })),
      ),
  },
  {
    name: 'famous-with-overflow',
    source: 'MongoDB, "Building with Patterns: The Outlier Pattern"',
    why: 'At most 1,000 followers lie in a document; the rest are in overflow documents of 1,000, and a flag says so.',
    async plant(p) {
      const ids = (count: number) => p.times(count, () => p.id());
      await p.fill(
        'profiles',
        p.times(900, (index) => {
          const isFamous = index % 60 === 3;
          return {
            _id: p.id(),
            handle: `user-${index}`,
            hasOverflow: isFamous,
            followers: ids(isFamous ? 1_000 : p.random.between(5, 400)),
          };
        }),
      );
      await p.database.collection('overflow').createIndex({ profile: 1, part: 1 });
      const famous = await p.database.collection('profiles').find({ hasOverflow: true }).toArray();
      await p.fill(
        'overflow',
        famous.flatMap(({ _id: profile }) =>
          p.times(6, (part) => ({ _id: p.id(), profile, part, followers: ids(part === 5 ? 412 : 1_000) })),
        ),
      );
    },
  },
  {
    name: 'sound-waves',
    source: 'measuring devices: a recording per document',
    why: 'One recording is one document: its samples are as many as its positions, and it is never appended to.',
    plant: (p) =>
      p.fill(
        'recordings',
        p.times(250, () => {
          const length = p.random.between(900, 2_800);
          return {
            _id: p.id(),
            rate: 100,
            times: p.times(length, (index) => index * 10),
            amplitudes: p.times(length, () => p.random.next()),
          };
        }),
      ),
  },
  {
    name: 'kanban',
    source: 'project boards: columns and the order of their cards',
    why: 'A board has a few columns, and a column some dozens of cards; cards are documents of their own.',
    async plant(p) {
      await p.fill(
        'boards',
        p.times(800, () => ({
          _id: p.id(),
          name: p.words(2),
          columns: p.times(p.random.between(3, 6), (column) => ({
            title: `column ${column}`,
            cards: p.times(p.random.between(0, 25), () => p.id()),
          })),
        })),
      );
    },
  },
  {
    name: 'sliding-hours',
    source: 'rate limiters: the last hundred moments of each client',
    why: '`$push` with `$slice: -100`: active clients have exactly a hundred.',
    plant: (p) =>
      p.fill(
        'clients',
        p.times(2_000, (index) => ({
          _id: p.id(),
          key: `client-${index}`,
          calls: p.times(p.capped(10, 100, 0.6), () => p.date(p.random.below(24 * HOUR))),
        })),
      ),
  },
];

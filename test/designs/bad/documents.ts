import type { BadDesign } from '../design.js';
import { DAY, MINUTE, type Planting } from '../planting.js';

const base64 = (p: Planting, bytes: number) =>
  Buffer.from(p.times(bytes, () => p.random.below(256))).toString('base64');

/** Documents, fields and collections of the wrong form. */
export const BAD_DOCUMENTS: readonly BadDesign[] = [
  {
    name: 'poll-votes',
    source: 'voting in tutorials: "votes: { userId: option }"',
    why: 'The keys of `votes` are the _ids of users: data in the place of names, which no index serves.',
    expected: { checks: ['dynamic-field-names'], collection: 'polls', path: 'votes', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'polls',
        p.times(800, () => ({
          _id: p.id(),
          question: p.words(6),
          votes: Object.fromEntries(p.times(p.random.between(10, 90), () => [p.id().toHexString(), p.random.below(4)])),
        })),
      ),
  },
  {
    name: 'shift-calendar',
    source: 'time sheets: a field per day',
    why: 'The keys of `shifts` are dates: each day adds a name, and no query can ask for a range of them.',
    expected: { checks: ['dynamic-field-names'], collection: 'employees', path: 'shifts', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'employees',
        p.times(900, (index) => ({
          _id: p.id(),
          number: index,
          shifts: Object.fromEntries(
            p.times(p.random.between(20, 200), (day) => [
              p
                .date(day * DAY)
                .toISOString()
                .slice(0, 10),
              { from: 8, to: 16, site: p.random.choose(['north', 'south']) },
            ]),
          ),
        })),
      ),
  },
  {
    name: 'stock-by-store',
    source: 'MongoDB, "Building with Patterns: The Attribute Pattern": before the pattern is applied',
    why: 'The keys of `stock` are numbers of stores: "in which stores is it?" cannot be indexed.',
    expected: { checks: ['dynamic-field-names'], collection: 'articles', path: 'stock', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'articles',
        p.times(2_000, (index) => ({
          _id: p.id(),
          sku: `A-${index}`,
          stock: Object.fromEntries(
            p.times(p.random.between(5, 40), () => [`S${1_000 + p.random.below(400)}`, p.random.below(60)]),
          ),
        })),
      ),
  },
  {
    name: 'text-prices',
    source: 'MongoDB manual, "Schema Validation": what it is there to prevent',
    why: 'One price in ten is a string: comparisons and sums leave these out.',
    expected: { checks: ['mixed-types'], collection: 'offers', path: 'price', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'offers',
        p.times(3_000, (index) => ({
          _id: p.id(),
          title: p.words(3),
          price: index % 10 === 3 ? `${p.random.between(1, 90)}.50` : p.random.between(100, 9_000) / 100,
        })),
      ),
  },
  {
    name: 'text-dates',
    source: 'imports from CSV beside an application that writes dates',
    why: 'A fifth of the dates are strings: ranges and TTL do not see them.',
    expected: { checks: ['mixed-types'], collection: 'bookings', path: 'createdAt', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'bookings',
        p.times(3_000, (index) => ({
          _id: p.id(),
          guest: p.words(2),
          nights: p.random.between(1, 14),
          createdAt: index % 5 === 1 ? p.date().toISOString() : p.date(),
        })),
      ),
  },
  {
    name: 'thread-nesting',
    source: 'MongoDB manual, "Limits and Thresholds": 100 levels of nesting',
    why: 'A reply is embedded in the comment that it answers: long arguments come near 100 levels, at which writes fail.',
    expected: { checks: ['deep-nesting'], collection: 'threads', severity: 'warning' },
    plant: (p) => {
      const reply = (levels: number): object => ({
        by: p.word(),
        text: p.words(5),
        ...(levels > 1 && { replies: [reply(levels - 1)] }),
      });
      return p.fill(
        'threads',
        p.times(500, (index) => ({ _id: p.id(), topic: p.words(4), replies: [reply(index % 40 === 0 ? 40 : 4)] })),
      );
    },
  },
  {
    name: 'embedded-avatars',
    source: 'MongoDB, "Bloated Documents": the anti-pattern\'s article, with images in place of biographies',
    why: 'Each user carries a picture of 30 to 50 KB that only the profile page needs: the working set is pictures.',
    expected: { checks: ['bloated-document'], collection: 'users', severity: 'warning' },
    async plant(p) {
      const pictures = p.times(5, () => base64(p, 38_000));
      await p.fill(
        'users',
        (function* () {
          for (let index = 0; index < 2_500; index += 1)
            yield {
              _id: p.id(),
              login: `user-${index}`,
              seen: p.date(),
              avatar: p.random.choose(pictures).slice(0, p.random.between(40_000, 50_000)),
            };
        })(),
      );
    },
    async use(database, p) {
      const users = database.collection('users');
      for (let read = 0; read < 60; read += 1)
        await users
          .find({}, { projection: { login: 1, seen: 1 } })
          .skip(p.random.below(200))
          .limit(5)
          .toArray();
    },
  },
  {
    name: 'country-parcels',
    source: 'MongoDB manual, "Limits and Thresholds": 16 MB a document',
    why: 'All parcels of a district lie in one document. The largest has 13 MB: in some months no parcel can be added.',
    expected: { checks: ['oversized-document'], collection: 'districts', severity: 'error' },
    plant: (p) =>
      p.fill(
        'districts',
        (function* () {
          for (let index = 0; index < 90; index += 1) {
            const parcels = index === 41 ? 158_000 : p.random.between(20, 900);
            yield {
              _id: p.id(),
              name: p.word(),
              parcels: p.times(parcels, (parcel) => ({
                parcel,
                owner: p.word(),
                area: p.random.between(200, 4_000),
                corner: [p.random.next(), p.random.next()],
              })),
            };
          }
        })(),
      ),
  },
  {
    name: 'single-measurements',
    source: 'MongoDB, "Building with Patterns: The Bucket Pattern": a document per measurement',
    why: 'A document for each value of a sensor and minute, in an ordinary collection: index and overhead outweigh the data.',
    expected: { checks: ['bucket-candidate'], collection: 'weather', severity: 'info' },
    async plant(p) {
      await p.database.collection('weather').createIndex({ station: 1, at: 1 });
      await p.fill(
        'weather',
        p.times(40_000, (index) => ({
          _id: p.id(40 * DAY - Math.floor(index / 40) * MINUTE),
          station: `station-${index % 40}`,
          at: p.date(40 * DAY - Math.floor(index / 40) * MINUTE),
          celsius: p.random.between(-100, 350) / 10,
        })),
      );
    },
  },
  {
    name: 'collection-per-day',
    source: 'MongoDB, "Massive Number of Collections": the anti-pattern\'s article',
    why: 'Each day has a collection of its own with the same fields and indexes: 150 of them, and one more every day.',
    expected: { checks: ['too-many-collections'], collection: /^traffic_/, severity: 'info' },
    async plant(p) {
      for (let day = 0; day < 150; day += 1) {
        const name = `traffic_${p
          .date(day * DAY)
          .toISOString()
          .slice(0, 10)
          .replaceAll('-', '_')}`;
        await p.database.collection(name).createIndex({ road: 1 });
        await p.fill(
          name,
          p.times(20, (index) => ({ _id: p.id(day * DAY), road: `A${index}`, cars: p.random.below(900) })),
        );
      }
    },
  },
  {
    name: 'meters-of-a-city',
    source: 'MongoDB manual, "Group Data with the Bucket Pattern": a bucket that is never closed',
    why: 'The bucket is the whole life of a meter: `count` rises for ever, and so does the array.',
    expected: {
      checks: ['unbounded-array', 'fast-growing-array', 'bloated-document'],
      collection: 'meters',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'meters',
        p.times(250, (index) => {
          const age = p.random.between(10, 500) * DAY;
          const count = Math.floor((age / DAY) * 12);
          return {
            _id: p.id(age),
            meter: index,
            count,
            values: p.times(count, () => ({ at: p.date(p.random.below(age)), kwh: p.random.next() * 4 })),
          };
        }),
      ),
  },
];

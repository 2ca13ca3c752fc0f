import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** What documents are made of: arrays without an end, keys that are data, large fields, several types. */
export const DOCUMENTS: readonly Incident[] = [
  {
    name: 'follower-lists',
    source:
      'https://www.mongodb.com/community/forums/t/how-should-a-list-of-followers-schema-be-designed-for-scalability/113741',
    why: 'Each user holds the ids of all followers. Most have some dozen, a celebrity has tens of thousands: each follow rewrites them, each look at the profile sends them.',
    faults: [
      {
        what: 'follower_list has no bound: 60,000 ids in the largest of 3,000 users, some ten in the middle.',
        collection: 'users',
        about: 'follower_list',
        severity: 'error',
        cure: 'A collection of follows: db.follows.createIndex({ followee: 1, follower: 1 }, { unique: true })',
        short: { told: 'warning', why: 'few users have so many' },
      },
    ],
    async plant(p) {
      const ids = (count: number) => p.times(count, () => numbered(p, p.random.below(2_000_000)));
      await p.fill(
        'users',
        p.times(3_000, (index) => ({
          _id: numbered(p, index),
          username: `${p.word()}-${index}`,
          bio: p.words(p.random.between(0, 25)),
          joined: p.date(),
          follower_list: ids([60_000, 25_000, 14_000][index] ?? p.heavyTailed(6, 9_000)),
          following_list: ids(p.random.between(3, 90)),
        })),
      );
      await p.database.collection('users').createIndex({ username: 1 }, { unique: true });
    },
    async use(database, p) {
      const users = database.collection('users');
      // One in thirty goes to a celebrity.
      const someone = () => numbered(p, p.random.chance(1 / 30) ? p.random.below(3) : p.random.below(3_000));
      await repeat(200, async () => {
        const [follower, followee] = [numbered(p, p.random.between(3, 2_999)), someone()];
        await users.updateOne({ _id: followee }, { $push: { follower_list: follower } as never });
        await users.updateOne(
          { _id: follower },
          { $push: { following_list: { $each: [followee], $slice: -90 } } as never },
        );
      });
      await repeat(60, () =>
        users.updateOne(
          { _id: someone() },
          { $pull: { follower_list: numbered(p, p.random.below(2_000_000)) } as never },
        ),
      );
      await repeat(300, () => users.findOne({ _id: someone() }));
      await repeat(150, () => users.findOne({ username: p.word() }, { projection: { username: 1 } }));
    },
  },
  {
    name: 'countly-carriers',
    source: 'https://support.countly.com/hc/en-us/articles/360037502412-Document-Splitting',
    why: 'The figures of a month are one document, its keys the days and in them the names of carriers. Long before 16 MB writes become slow, and the document is split into 64 by a hash of the name.',
    faults: [
      {
        what: 'The names of carriers are keys: 1,400 different ones, and more with each carrier.',
        collection: 'carriers',
        about: 'd.',
        severity: 'warning',
        cure: 'A document for each app, month and carrier, or an array of { day, carrier, t, n, u }',
      },
    ],
    async plant(p) {
      await p.fill(
        'carriers',
        p.times(360, (index) => {
          const known = p.capped(6, 260);
          const first = p.random.below(1_200);
          const day = () =>
            Object.fromEntries(
              p.times(p.random.between(1, known), (offset) => [
                carrier(first + offset),
                { t: p.heavyTailed(3, 9_000), n: p.random.below(30), u: p.random.below(900) },
              ]),
            );
          return {
            _id: `app-${index % 40}_2026:${Math.floor(index / 40) + 1}`,
            m: `2026:${Math.floor(index / 40) + 1}`,
            d: Object.fromEntries(p.times(28, (number) => [String(number + 1), day()])),
          };
        }),
      );
      await p.fill(
        'apps',
        p.times(40, (index) => ({ _id: `app-${index}`, name: p.words(2), timezone: 'UTC', created: p.date() })),
      );
    },
    async use(database, p) {
      const figures = database.collection<{ _id: string }>('carriers');
      await repeat(500, (index) =>
        figures.updateOne(
          { _id: month(p.random.below(40), 9) },
          {
            $inc: {
              [`d.${1 + (index % 30)}.${carrier(p.random.below(300))}.t`]: 1,
              [`d.${1 + (index % 30)}.${carrier(p.random.below(300))}.u`]: 1,
            } as never,
            $set: { m: '2026:9' } as never,
          },
          { upsert: true },
        ),
      );
      await repeat(120, () => {
        const app = p.random.below(40);
        return figures.find({ _id: { $in: p.times(3, (offset) => month(app, 7 + offset)) } }).toArray();
      });
      await repeat(150, () =>
        database.collection<{ _id: string }>('apps').findOne({ _id: `app-${p.random.below(40)}` }),
      );
    },
  },
  {
    name: 'post-lists',
    source: 'https://blog.mdashikjs.com/blog/scaling-mongodb-200k-users',
    why: 'The list of posts shows titles and fetches the posts whole; a projection took 60 % off one of the busiest endpoints.',
    faults: [
      {
        what: 'The list of twenty posts sends their bodies, too: 350 KB for twenty titles.',
        collection: 'posts',
        about: 'body',
        severity: 'warning',
        cure: "find({ status: 'active' }, { projection: { title: 1, slug: 1, _id: 0 } })",
      },
    ],
    async plant(p) {
      await p.fill(
        'posts',
        p.times(1_500, (index) => ({
          _id: numbered(p, index),
          title: p.words(p.random.between(4, 10)),
          slug: `post-${index}`,
          status: p.random.choose(['active', 'active', 'active', 'draft']),
          author: `author-${p.random.below(90)}`,
          tags: p.times(p.random.between(1, 5), () => p.word()),
          createdAt: p.date(300 * DAY - index * 4 * HOUR),
          views: p.heavyTailed(20, 90_000),
          body: `<p>${p.words(60)}</p>`.repeat(p.heavyTailed(14, 140)),
        })),
      );
      await p.database.collection('posts').createIndex({ status: 1, createdAt: -1 });
      await p.database.collection('posts').createIndex({ slug: 1 }, { unique: true });
    },
    async use(database, p) {
      const posts = database.collection('posts');
      await repeat(300, () => posts.find({ status: 'active' }).sort({ createdAt: -1 }).limit(20).toArray());
      await repeat(250, () => posts.findOne({ slug: `post-${p.random.below(1_500)}` }));
      await repeat(250, () => posts.updateOne({ slug: `post-${p.random.below(1_500)}` }, { $inc: { views: 1 } }));
      await repeat(100, () =>
        posts
          .find({ status: 'active' }, { projection: { slug: 1, createdAt: 1 } })
          .sort({ createdAt: -1 })
          .limit(50)
          .toArray(),
      );
    },
  },
  {
    name: 'mixed-dates',
    source: 'https://super-unix.com/database/mongodb-keys-and-casting-between-types',
    why: 'Some dates are dates, others strings of two forms. A range of dates finds only the dates: the index keeps each type for itself.',
    faults: [
      {
        what: 'date holds dates in six of ten documents and strings in the others: a search by range leaves those out without a word.',
        collection: 'my_collection',
        about: 'date',
        severity: 'warning',
        cure: 'All as dates: updateMany({ date: { $type: "string" } }, [{ $set: { date: { $toDate: "$date" } } }]), and a validator',
      },
    ],
    async plant(p) {
      await p.fill(
        'my_collection',
        p.times(12_000, (index) => ({
          _id: numbered(p, index),
          source: `feed-${p.random.below(30)}`,
          title: p.words(5),
          date: written(p.date(240 * DAY - index * 28 * MINUTE), p.random.below(10)),
          score: p.heavyTailed(1, 5_000),
        })),
      );
      await p.database.collection('my_collection').createIndex({ date: 1 });
      await p.database.collection('my_collection').createIndex({ source: 1 });
    },
    async use(database, p) {
      const entries = database.collection('my_collection');
      await repeat(300, () => {
        const begin = p.now - p.random.between(5, 230) * DAY;
        return entries
          .find({ date: { $gte: new Date(begin), $lt: new Date(begin + DAY) } })
          .sort({ date: 1 })
          .toArray();
      });
      await repeat(300, () => entries.findOne({ _id: numbered(p, p.random.below(12_000)) }));
      await repeat(200, (index) => {
        const date = new Date(p.now + index * MINUTE);
        return entries.insertOne({
          source: `feed-${index % 30}`,
          title: p.words(5),
          date: index % 5 < 3 ? date : date.toISOString(),
          score: 1,
        });
      });
    },
  },
];

function month(app: number, number: number): string {
  return `app-${app}_2026:${number}`;
}

function carrier(number: number): string {
  const names = ['Vodafone', 'Orange', 'T-Mobile', 'MTN', 'Airtel', 'Telenor', 'Claro', 'Telia'];
  return `${names[number % names.length]} ${Math.floor(number / names.length)}`;
}

/** A date in the form in which so many in ten are written. */
function written(date: Date, form: number): Date | string {
  if (form < 6) return date;
  return form < 9 ? date.toISOString() : date.toISOString().slice(0, 19).replace('T', ' ');
}

import type { Document } from 'mongodb';
import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

const BUCKET = 100;

/** Designs that alarm somebody, or look as if they should, and are right. */
export const SOUND: readonly Incident[] = [
  {
    name: 'chatbot-messages',
    source:
      'https://www.mongodb.com/community/forums/t/best-schema-design-for-storing-chatbot-conversations-in-mongodb/322798',
    why: 'A document for each message; what if a user has a million of them? Nothing: the latest thirty are thirty keys of an index on user and time, however many there are.',
    faults: [],
    async plant(p) {
      await p.fill(
        'messages',
        p.times(40_000, (index) => {
          // One user writes a third of all.
          const user = index % 3 === 0 ? 0 : p.random.below(2_500);
          return {
            _id: numbered(p, index),
            session_id: `session-${user}-${Math.floor(index / 4_000)}`,
            user_id: `user-${user}`,
            sender: p.random.choose(['user', 'bot']),
            timestamp: p.date(280 * DAY - index * 10 * MINUTE),
            text: p.words(p.capped(3, 120)),
          };
        }),
      );
      await p.database.collection('messages').createIndex({ user_id: 1, timestamp: -1 });
      await p.database.collection('messages').createIndex({ session_id: 1, timestamp: 1 });
    },
    async use(database, p) {
      const messages = database.collection('messages');
      const user = () => `user-${p.random.chance(0.3) ? 0 : p.random.below(2_500)}`;
      await repeat(400, () => messages.find({ user_id: user() }).sort({ timestamp: -1 }).limit(30).toArray());
      await repeat(150, () =>
        messages
          .find({ user_id: 'user-0', timestamp: { $lt: p.date(p.random.below(250 * DAY)) } })
          .sort({ timestamp: -1 })
          .limit(30)
          .toArray(),
      );
      await repeat(100, () =>
        messages
          .find({ session_id: `session-${p.random.between(1, 2_499)}-${p.random.below(10)}` })
          .sort({ timestamp: 1 })
          .toArray(),
      );
      await repeat(500, (index) =>
        messages.insertOne({
          session_id: `session-${index % 50}-10`,
          user_id: `user-${index % 50}`,
          sender: index % 2 === 0 ? 'user' : 'bot',
          timestamp: new Date(p.now + index * 5_000),
          text: p.words(8),
        }),
      );
      await repeat(3, (index) => messages.deleteMany({ user_id: `user-${2_400 + index}` }));
    },
  },
  {
    name: 'fraud-quarters',
    source: 'https://www.mongodb.com/company/blog/technical/cost-of-not-knowing-mongodb-part-3-appv6r0-appv6r4',
    why: 'Keys that are data, of purpose: the days of a quarter, 92 at most, in a document that is one customer and one quarter. It is the fastest and smallest of a dozen designs that were measured.',
    faults: [],
    async plant(p) {
      await p.fill(
        'appV6R0',
        p.times(24_000, (index) => ({
          _id: `${String(index % 3_000).padStart(24, 'c0ffee')}${quarter(Math.floor(index / 3_000))}`,
          items: Object.fromEntries(
            p.times(p.random.between(3, 18), () => [
              day(p.random.below(90)),
              Object.fromEntries(p.times(p.random.between(1, 3), (kind) => ['anpr'[kind], p.random.between(1, 12)])),
            ]),
          ),
        })),
      );
    },
    async use(database, p) {
      const quarters = database.collection<{ _id: string }>('appV6R0');
      const customer = () => String(p.random.below(3_000)).padStart(24, 'c0ffee');
      await repeat(150, () =>
        quarters.bulkWrite(
          p.times(20, () => ({
            updateOne: {
              filter: { _id: `${customer()}${quarter(7)}` },
              update: {
                $inc: { [`items.${day(p.random.below(90))}.${p.random.choose(['a', 'n', 'p', 'r'])}`]: 1 } as never,
              },
              upsert: true,
            },
          })),
        ),
      );
      await repeat(500, () => {
        const key = customer();
        return quarters
          .aggregate([
            { $match: { _id: { $gte: `${key}${quarter(4)}`, $lte: `${key}${quarter(7)}` } } },
            { $project: { days: { $objectToArray: '$items' } } },
            { $unwind: '$days' },
            { $group: { _id: null, approved: { $sum: '$days.v.a' }, rejected: { $sum: '$days.v.r' } } },
          ])
          .toArray();
      });
    },
  },
  {
    name: 'outlier-followers',
    source: 'https://mongodb.com/community/forums/t/managing-multiple-extended-reference-and-outlier-patterns/123997',
    why: 'Followers with their names in the document of a user, a hundred at most; the further ones of the few who have more lie in buckets of a hundred. The names are there twice of purpose, as they hardly change.',
    faults: [],
    async plant(p) {
      const follower = (): Document => {
        const number = p.random.below(4_000);
        return {
          userId: numbered(p, number),
          userName: `name-${number}`,
          followMeDate: p.date(),
          userProfilePicture: `/pictures/${number}.jpg`,
        };
      };
      // The first forty are known to many.
      const counts = p.times(4_000, (index) => p.heavyTailed(index < 40 ? 150 : 4, 6_000));
      await p.fill(
        'users',
        counts.map((count, index) => ({
          _id: numbered(p, index),
          userName: `name-${index}`,
          joined: p.date(),
          followers: p.times(Math.min(BUCKET, count), follower),
          countFollowers: count,
          hasOutlierFollowers: count > BUCKET,
        })),
      );
      await p.fill(
        'outlierfollowers',
        counts.flatMap((count, index) =>
          p.times(Math.max(0, Math.ceil(count / BUCKET) - 1), (bucket) => {
            const size = Math.min(BUCKET, count - (bucket + 1) * BUCKET);
            return { _id: p.id(), userId: numbered(p, index), bucket, size, followers: p.times(size, follower) };
          }),
        ),
      );
      await p.database.collection('outlierfollowers').createIndex({ userId: 1, bucket: 1 }, { unique: true });
      await p.database.collection('users').createIndex({ userName: 1 }, { unique: true });
    },
    async use(database, p) {
      const users = database.collection('users');
      const buckets = database.collection('outlierfollowers');
      await repeat(300, async () => {
        const _id = numbered(p, p.random.below(p.random.chance(0.3) ? 40 : 4_000));
        const number = p.random.below(4_000);
        const follower = { userId: numbered(p, number), userName: `name-${number}`, followMeDate: new Date(p.now) };
        const user = await users.findOneAndUpdate(
          { _id },
          { $inc: { countFollowers: 1 } },
          { projection: { countFollowers: 1 } },
        );
        const count = Number(user?.['countFollowers'] ?? 0);
        if (count < BUCKET) await users.updateOne({ _id }, { $push: { followers: follower } as never });
        else
          await buckets.updateOne(
            { userId: _id, bucket: Math.floor(count / BUCKET) - 1 },
            { $push: { followers: follower } as never, $inc: { size: 1 } },
            { upsert: true },
          );
      });
      await repeat(300, () => users.findOne({ userName: `name-${p.random.below(4_000)}` }));
      await repeat(60, () =>
        buckets
          .find({ userId: numbered(p, p.random.below(40)) })
          .sort({ bucket: 1 })
          .limit(1)
          .toArray(),
      );
    },
  },
  {
    name: 'friends-activity',
    source: 'https://dzone.com/articles/mongodb-indexing-tip-1-find',
    why: 'The latest posts of up to 150 friends by one $in with a sort: with the index on user and date the server merges one sorted run for each friend and stops at the limit.',
    faults: [],
    async plant(p) {
      await p.fill(
        'posts',
        p.times(24_000, (index) => ({
          _id: numbered(p, index),
          userId: p.random.below(2_000),
          date: p.date(280 * DAY - index * 16 * MINUTE),
          text: p.words(p.random.between(3, 30)),
          likes: p.heavyTailed(1, 3_000),
        })),
      );
      await p.fill(
        'users',
        p.times(2_000, (index) => ({
          _id: index,
          name: p.words(2),
          friends: [...new Set(p.times(p.capped(12, 150), () => p.random.below(2_000)))],
          lastSeen: p.date(p.random.below(20 * DAY) + HOUR),
        })),
      );
      await p.database.collection('posts').createIndex({ userId: 1, date: -1 });
    },
    async use(database, p) {
      const posts = database.collection('posts');
      const users = database.collection<{ _id: number; friends: number[]; lastSeen: Date }>('users');
      await repeat(300, async (index) => {
        const user = await users.findOneAndUpdate(
          { _id: p.random.below(2_000) },
          { $set: { lastSeen: new Date(p.now + index * MINUTE) } },
        );
        await posts
          .find({ userId: { $in: user?.friends ?? [] } })
          .sort({ date: -1 })
          .limit(100)
          .toArray();
      });
      await repeat(200, () =>
        posts
          .find({ userId: p.random.below(2_000) })
          .sort({ date: -1 })
          .limit(20)
          .toArray(),
      );
      await repeat(250, (index) =>
        posts.insertOne({
          userId: p.random.below(2_000),
          date: new Date(p.now + index * MINUTE),
          text: p.words(9),
          likes: 0,
        }),
      );
    },
  },
];

/** The year and quarter of the so many quarters from 2024 on. */
function quarter(number: number): string {
  return `${2024 + Math.floor(number / 4)}${1 + (number % 4)}`;
}

/** Month and day of the so many days of a quarter of three months of thirty. */
function day(number: number): string {
  return `${String(1 + Math.floor(number / 30)).padStart(2, '0')}${String(1 + (number % 30)).padStart(2, '0')}`;
}

import { DAY } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from './workload.js';

/** What somebody was worried about without need. */
export const SOUND: readonly Incident[] = [
  {
    name: 'mosca-pubsub',
    source: 'https://github.com/moscajs/mosca/issues/488',
    why: 'Somebody feared that the collection of messages grows for ever: it is capped, and only its end is followed.',
    faults: [],
    async plant(p) {
      await p.database.createCollection('pubsub', { capped: true, size: 4 * 1024 * 1024, max: 10_000 });
      await p.fill(
        'pubsub',
        p.times(12_000, (index) => ({
          _id: numbered(p, index),
          topic: `sensors/${p.random.below(400)}/temperature`,
          value: Buffer.from(String(p.random.below(4_000) / 100)),
          options: { qos: p.random.below(2), messageId: p.word() },
        })),
      );
      await p.fill(
        'subscriptions',
        p.times(3_000, (index) => ({
          _id: `client-${Math.floor(index / 2)}:sensors/${index % 400}`,
          client: `client-${Math.floor(index / 2)}`,
          topic: `sensors/${index % 400}/temperature`,
          qos: 1,
        })),
      );
      await p.fill(
        'retained',
        p.times(2_000, (index) => ({ _id: p.id(), topic: `sensors/${index}/state`, payload: p.word(), qos: 0 })),
      );
      await p.database.collection('subscriptions').createIndex({ client: 1 });
      await p.database.collection('retained').createIndex({ topic: 1 }, { unique: true });
    },
    async use(database, p) {
      const pubsub = database.collection('pubsub');
      const tail = pubsub.find(
        { _id: { $gt: numbered(p, 11_990) } },
        { tailable: true, awaitData: true, maxAwaitTimeMS: 5 },
      );
      await repeat(800, async (index) => {
        await pubsub.insertOne({
          _id: numbered(p, 12_000 + index),
          topic: `sensors/${p.random.below(400)}/temperature`,
          value: Buffer.from(String(p.random.below(4_000) / 100)),
          options: { qos: 0, messageId: p.word() },
        });
        if (index % 8 === 0) await tail.tryNext();
      });
      await tail.close();
      await repeat(250, () =>
        database
          .collection('subscriptions')
          .find({ client: `client-${p.random.below(1_500)}` })
          .toArray(),
      );
      await repeat(250, () =>
        database
          .collection('retained')
          .updateOne(
            { topic: `sensors/${p.random.below(2_000)}/state` },
            { $set: { payload: p.word(), qos: 0 } },
            { upsert: true },
          ),
      );
    },
  },
  {
    name: 'flask-sessions-expire',
    source: 'https://github.com/MongoEngine/flask-mongoengine/issues/73',
    why: 'Somebody asked for a job that removes old sessions: the index with an expiry already does.',
    faults: [],
    async plant(p) {
      // Far in the future, whenever it is planted: the server would delete them at once.
      const expiration = () => new Date(p.now + 4_000 * DAY + p.random.below(31 * DAY));
      await p.fill(
        'session',
        p.times(20_000, (index) => ({
          _id: `sid-${index}`,
          data: { user_id: `user-${p.random.below(3_000)}`, _fresh: true, csrf_token: p.words(3) },
          expiration: expiration(),
        })),
      );
      await p.fill(
        'user',
        p.times(3_000, (index) => ({
          _id: numbered(p, index),
          email: `user-${index}@example.net`,
          name: p.words(2),
          roles: p.random.choose([['reader'], ['reader', 'author']]),
        })),
      );
      await p.database.collection('session').createIndex({ expiration: 1 }, { expireAfterSeconds: 0 });
      await p.database.collection('user').createIndex({ email: 1 }, { unique: true });
    },
    async use(database, p) {
      const sessions = database.collection<{ _id: string; data: object; expiration: Date }>('session');
      await repeat(600, () => sessions.findOne({ _id: `sid-${p.random.below(20_000)}` }));
      await repeat(400, () =>
        sessions.updateOne(
          { _id: `sid-${p.random.below(20_400)}` },
          {
            $set: {
              data: { user_id: `user-${p.random.below(3_000)}`, _fresh: true, csrf_token: p.words(3) },
              expiration: new Date(p.now + 4_031 * DAY),
            },
          },
          { upsert: true },
        ),
      );
      await repeat(150, () =>
        database.collection('user').findOne({ email: `user-${p.random.below(3_000)}@example.net` }),
      );
      await repeat(60, () => sessions.deleteOne({ _id: `sid-${p.random.below(20_000)}` }));
    },
  },
  {
    name: 'small-collections-scanned',
    source: 'https://github.com/TylerBrock/mongo-hacker/issues/8',
    why: 'A tool warned "no index used" of queries on small collections, which take a fraction of a millisecond: that is irrelevant.',
    faults: [],
    async plant(p) {
      await p.fill(
        'settings',
        p.times(70, (index) => ({
          _id: p.id(),
          key: `setting-${index}`,
          scope: `scope-${index % 6}`,
          value: p.word(),
        })),
      );
      await p.fill(
        'currencies',
        p.times(160, (index) => ({ _id: p.id(), code: `C${index}`, enabled: index % 4 === 0, rate: index / 7 })),
      );
      await p.fill(
        'invoices',
        p.times(10_000, (index) => ({
          _id: numbered(p, index),
          account: `account-${p.random.below(1_200)}`,
          currency: `C${4 * p.random.below(40)}`,
          total: p.random.between(10, 4_000),
          issued: p.date(),
        })),
      );
      await p.database.collection('invoices').createIndex({ account: 1, issued: -1 });
    },
    async use(database, p) {
      await repeat(400, () => database.collection('settings').findOne({ key: `setting-${p.random.below(70)}` }));
      await repeat(200, () => database.collection('currencies').find({ enabled: true }).sort({ code: 1 }).toArray());
      await repeat(400, () =>
        database
          .collection('invoices')
          .find({ account: `account-${p.random.below(1_200)}` })
          .sort({ issued: -1 })
          .limit(20)
          .toArray(),
      );
      await repeat(250, () => database.collection('invoices').findOne({ _id: numbered(p, p.random.below(10_000)) }));
    },
  },
];

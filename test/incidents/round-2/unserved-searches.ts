import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from './workload.js';

/** Searches that no index serves, or not as they are written. */
export const UNSERVED_SEARCHES: readonly Incident[] = [
  {
    name: 'mcrit-queue-poll',
    source: 'https://github.com/danielplohmann/mcrit/issues/117',
    why: 'Idle workers poll the queue, which keeps every finished job: each poll scans and sorts 11,300 jobs to find none.',
    faults: [
      {
        what: 'The poll for the next job scans the whole queue: its filter and its sort have no index.',
        collection: 'queue',
        about: 'locked_by',
        severity: 'error',
        cure: 'db.queue.createIndex({ locked_by: 1, finished_at: 1, priority: -1, created_at: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'queue',
        p.times(11_300, (index) => {
          const created = p.date();
          return {
            _id: numbered(p, index),
            number: index,
            payload: {
              method: p.random.choose(['addBinarySample', 'getMatchesForSample', 'updateMinHashes', 'rebuildIndex']),
              params: JSON.stringify([p.random.below(9_000), p.word()]),
              descriptor: `${p.word()}-${p.random.below(7_000)}`,
            },
            priority: p.random.below(4),
            attempts_left: p.random.between(2, 3),
            locked_by: `worker-${p.random.below(6)}`,
            locked_at: created,
            created_at: created,
            finished_at: new Date(created.getTime() + p.random.below(HOUR)),
            unfinished_dependencies: [],
            result: p.words(8),
          };
        }),
      );
      await p.database.collection('queue').createIndex({ 'payload.method': 1 });
      await p.database.collection('queue').createIndex({ 'payload.descriptor': 1 });
    },
    async use(database, p) {
      const queue = database.collection('queue');
      await repeat(545, () =>
        queue.findOneAndUpdate(
          {
            locked_by: null,
            locked_at: null,
            attempts_left: { $gt: 0 },
            finished_at: null,
            unfinished_dependencies: [],
          },
          { $set: { locked_by: `worker-${p.random.below(6)}`, locked_at: new Date(p.now) } },
          { sort: { priority: -1, created_at: 1 } },
        ),
      );
      await repeat(400, () => queue.findOne({ _id: numbered(p, p.random.below(11_300)) }));
      await repeat(150, () => queue.updateOne({ _id: numbered(p, p.random.below(11_300)) }, { $set: { progress: 1 } }));
      await repeat(80, () =>
        queue.find({ 'payload.descriptor': new RegExp(`^${p.word()}-${p.random.below(7_000)}$`) }).toArray(),
      );
    },
  },
  {
    name: 'meteor-apm-metrics',
    source: 'https://github.com/lmachens/meteor-apm-server/issues/22',
    why: 'mongod stands at 100 % of the CPU: the aggregated metrics are upserted by their embedded id and read by time, and the collection has no index but that on _id.',
    faults: [
      {
        what: 'Each upsert of a metric compares the whole embedded document id, which has no index: an index on its parts would not serve it.',
        collection: 'methodsMetrics',
        about: 'update',
        severity: 'error',
        cure: 'db.methodsMetrics.createIndex({ id: 1 }, { unique: true })',
      },
      {
        what: 'The charts read by application, resolution and time without an index.',
        collection: 'methodsMetrics',
        about: 'value.startTime',
        severity: 'warning',
        cure: "db.methodsMetrics.createIndex({ 'value.res': 1, 'value.appId': 1, 'value.startTime': -1 })",
      },
    ],
    async plant(p) {
      await p.fill(
        'methodsMetrics',
        p.times(16_000, (index) => {
          const key = {
            appId: `app-${index % 8}`,
            host: `host-${index % 3}`,
            name: `method${index % 70}`,
            res: '1min',
          };
          const startTime = new Date(p.now - index * MINUTE);
          return {
            _id: p.id(index * MINUTE),
            id: { appId: key.appId, host: key.host, name: key.name, time: startTime, res: key.res },
            value: { ...key, startTime, count: p.random.below(90), total: p.random.below(4_000), errors: 0 },
          };
        }),
      );
      await p.fill(
        'methodsTraces',
        p.times(6_000, (index) => ({
          _id: p.id(),
          appId: `app-${index % 8}`,
          host: `host-${index % 3}`,
          name: `method${index % 70}`,
          startTime: new Date(p.now - index * 5 * MINUTE),
          events: p.times(6, (event) => ({ type: p.random.choose(['db', 'wait', 'http']), at: event })),
        })),
      );
      await p.database.collection('methodsTraces').createIndex({ appId: 1, host: 1, startTime: 1 });
      await p.fill(
        'apps',
        p.times(2_000, (index) => ({ _id: numbered(p, index), name: p.word(), plan: 'free', secret: p.word() })),
      );
    },
    async use(database, p) {
      const metrics = database.collection('methodsMetrics');
      await repeat(280, (index) => {
        const at = p.random.below(16_000);
        const [appId, host, name] = [`app-${at % 8}`, `host-${at % 3}`, `method${at % 70}`];
        const time = new Date(p.now - at * MINUTE + (index % 2) * 30_000);
        return metrics.updateOne(
          { id: { appId, host, name, time, res: '1min' } },
          { $set: { value: { appId, host, name, res: '1min', startTime: time, count: index, total: 90, errors: 0 } } },
          { upsert: true },
        );
      });
      await repeat(45, () => {
        const from = p.now - p.random.below(10 * DAY);
        return metrics
          .find({
            'value.res': '1min',
            'value.appId': `app-${p.random.below(8)}`,
            'value.startTime': { $gte: new Date(from - HOUR), $lt: new Date(from) },
          })
          .toArray();
      });
      await repeat(500, () => database.collection('apps').findOne({ _id: numbered(p, p.random.below(2_000)) }));
      await repeat(300, () => {
        const from = p.now - p.random.below(20 * DAY);
        return database
          .collection('methodsTraces')
          .find({
            appId: `app-${p.random.below(8)}`,
            host: `host-${p.random.below(3)}`,
            startTime: { $gte: new Date(from - 6 * HOUR), $lt: new Date(from) },
          })
          .toArray();
      });
    },
  },
  {
    name: 'xhgui-longest-wall-time',
    source: 'https://github.com/perftools/xhgui/issues/70',
    why: 'After some weeks "Longest wall time" and "Most CPU" fail: large profiles are sorted in memory, for want of an index.',
    faults: [
      {
        what: 'The slowest runs are found by sorting all profiles in memory.',
        collection: 'results',
        about: 'profile.main().wt',
        severity: 'warning',
        cure: "db.results.createIndex({ 'profile.main().wt': -1 })",
        short: {
          told: 'missed',
          why: 'an info tells of both sorts as profile.*.cpu: 2,400 documents are few, and their bytes are not weighed',
        },
      },
      {
        what: 'The same for the runs that took most CPU.',
        collection: 'results',
        about: 'profile.main().cpu',
        severity: 'warning',
        cure: "db.results.createIndex({ 'profile.main().cpu': -1 })",
        short: { told: 'missed', why: 'as above' },
      },
      {
        what: 'Names of called functions are the keys of the profile.',
        collection: 'results',
        about: 'profile',
        severity: 'warning',
        cure: 'An array of { call, ct, wt, cpu, mu }',
      },
    ],
    async plant(p) {
      const functions = p.times(900, (index) => `${p.word()}::${p.word()}${index}`);
      const call = () => ({
        ct: p.random.between(1, 40),
        wt: p.random.below(90_000),
        cpu: p.random.below(40_000),
        mu: p.random.below(900_000),
        pmu: p.random.below(900_000),
      });
      await p.fill(
        'results',
        p.times(2_400, (index) => ({
          _id: numbered(p, index),
          meta: {
            url: `/shop/${index % 300}`,
            simple_url: '/shop/:id',
            request_date: new Date(p.now - index * HOUR).toISOString().slice(0, 10),
            SERVER: { REQUEST_TIME: Math.floor(p.now / 1_000) - index * 3_600, SERVER_NAME: 'shop.example.net' },
          },
          profile: {
            'main()': {
              ct: 1,
              wt: p.heavyTailed(20_000, 9_000_000),
              cpu: p.heavyTailed(9_000, 4_000_000),
              mu: 1,
              pmu: 1,
            },
            ...Object.fromEntries(
              p.times(p.random.between(60, 130), () => [
                `${p.random.choose(functions)}==>${p.random.choose(functions)}`,
                call(),
              ]),
            ),
          },
        })),
      );
      await p.database.collection('results').createIndex({ 'meta.SERVER.REQUEST_TIME': -1 });
      await p.database.collection('results').createIndex({ 'meta.url': 1 });
    },
    async use(database, p) {
      const results = database.collection('results');
      const shown = { meta: 1, 'profile.main()': 1 };
      for (const field of ['profile.main().wt', 'profile.main().cpu'])
        await repeat(30, (index) =>
          results
            .find({}, { projection: shown })
            .sort({ [field]: -1 })
            .skip(25 * (index % 3))
            .limit(25)
            .toArray(),
        );
      await repeat(200, () =>
        results.find({}, { projection: shown }).sort({ 'meta.SERVER.REQUEST_TIME': -1 }).limit(25).toArray(),
      );
      await repeat(100, () =>
        results
          .find({ 'meta.url': `/shop/${p.random.below(300)}` }, { projection: shown })
          .limit(25)
          .toArray(),
      );
      await repeat(200, () => results.findOne({ _id: numbered(p, p.random.below(2_400)) }));
    },
  },
  {
    name: 'netrunner-usernames',
    source: 'https://github.com/mtgred/netrunner/pull/5507',
    why: 'Users are found by /^name$/i: such an expression reads an index as a whole. A collation took its place.',
    faults: [
      {
        what: 'Whether a user name is taken is asked by an expression without regard to case: all keys are read.',
        collection: 'users',
        about: 'username',
        severity: 'error',
        cure: "db.users.createIndex({ username: 1 }, { collation: { locale: 'en', strength: 2 } }), and equality with that collation",
      },
      {
        what: 'The same for e-mail addresses.',
        collection: 'users',
        about: 'email',
        severity: 'error',
        cure: "db.users.createIndex({ email: 1 }, { collation: { locale: 'en', strength: 2 } }), and equality with that collation",
      },
    ],
    async plant(p) {
      await p.fill(
        'users',
        p.times(12_000, (index) => ({
          _id: numbered(p, index),
          username: `Runner${index}`,
          email: `Runner.${index}@example.net`,
          emailhash: p.word(),
          registrationDate: p.date(),
          lastConnection: p.date(30 * DAY),
          options: { background: 'lobby-bg', 'show-alt-art': true, language: 'en' },
          stats: { 'games-started': p.random.below(500), 'games-completed': p.random.below(300) },
        })),
      );
      await p.fill(
        'decks',
        p.times(20_000, () => ({
          _id: p.id(),
          username: `Runner${p.random.below(12_000)}`,
          name: p.words(3),
          identity: { title: p.words(2), side: p.random.choose(['Corp', 'Runner']) },
          cards: p.times(15, () => ({ qty: p.random.between(1, 3), card: p.word() })),
          date: p.date(),
        })),
      );
      await p.database.collection('users').createIndex({ username: 1 });
      await p.database.collection('users').createIndex({ email: 1 });
      await p.database.collection('decks').createIndex({ username: 1 });
    },
    async use(database, p) {
      const users = database.collection('users');
      await repeat(160, () =>
        users.findOne({ username: { $regex: `^runner${p.random.below(24_000)}$`, $options: 'i' } }),
      );
      await repeat(130, () =>
        users.findOne({ email: { $regex: `^runner.${p.random.below(24_000)}@example.net$`, $options: 'i' } }),
      );
      await repeat(300, () => users.findOne({ username: `Runner${p.random.below(12_000)}` }));
      await repeat(300, () =>
        database
          .collection('decks')
          .find({ username: `Runner${p.random.below(12_000)}` })
          .toArray(),
      );
      await repeat(300, () =>
        users.updateOne({ _id: numbered(p, p.random.below(12_000)) }, { $set: { lastConnection: new Date(p.now) } }),
      );
    },
  },
  {
    name: 'prisma-set-null',
    source: 'https://github.com/prisma/orm/issues/19169',
    why: 'Before a production is deleted, its broadcasts are looked for inside $expr with $in, which uses no index, though there is one.',
    faults: [
      {
        what: 'The search by productionId is written as $expr with $in: all broadcasts are scanned beside a fitting index.',
        collection: 'Broadcast',
        about: 'productionId',
        severity: 'error',
        cure: 'find({ productionId }): another index helps nothing',
      },
    ],
    async plant(p) {
      await p.fill(
        'Production',
        p.times(3_000, (index) => ({
          _id: numbered(p, index),
          title: p.words(3),
          year: p.random.between(1_960, 2_026),
        })),
      );
      await p.fill(
        'Broadcast',
        p.times(24_000, (index) => ({
          _id: numbered(p, index),
          productionId: numbered(p, index % 3_000),
          channel: `channel-${index % 30}`,
          startsAt: new Date(p.now - 300 * DAY + index * 15 * MINUTE),
          title: p.words(5),
        })),
      );
      await p.database.collection('Broadcast').createIndex({ productionId: 1 });
      await p.database.collection('Broadcast').createIndex({ channel: 1, startsAt: 1 });
    },
    async use(database, p) {
      const broadcasts = database.collection('Broadcast');
      await repeat(60, async (index) => {
        const _id = numbered(p, index * 7);
        const isOfIt = {
          $and: [{ $in: ['$productionId', [{ $literal: _id }]] }, { $ne: ['$productionId', '$$REMOVE'] }],
        };
        const found = await broadcasts
          .aggregate([{ $match: { $expr: { $and: [{}, isOfIt] } } }, { $project: { _id: 1, productionId: 1 } }])
          .toArray();
        await broadcasts.updateMany({ _id: { $in: found.map((one) => one['_id']) } }, { $set: { productionId: null } });
        await database.collection('Production').deleteOne({ _id });
      });
      await repeat(350, () => broadcasts.find({ productionId: numbered(p, p.random.below(3_000)) }).toArray());
      await repeat(350, () => database.collection('Production').findOne({ _id: numbered(p, p.random.below(3_000)) }));
      await repeat(250, () =>
        broadcasts
          .find({ channel: `channel-${p.random.below(30)}`, startsAt: { $gte: p.date(100 * DAY) } })
          .sort({ startsAt: 1 })
          .limit(20)
          .toArray(),
      );
    },
  },
];

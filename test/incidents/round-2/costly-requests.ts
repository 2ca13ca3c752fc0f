import { DAY, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from './workload.js';

const address = (number: number) => `0x${(number * 2_654_435_761).toString(16).padStart(40, 'a')}`;

/** Requests that cost more than what they show, whatever the indexes. */
export const COSTLY_REQUESTS: readonly Incident[] = [
  {
    name: 'shellhub-active-sessions',
    source: 'https://github.com/shellhub-io/shellhub/issues/3228',
    why: 'To show how many sessions are active, all sessions there ever were are joined to the few active ones.',
    faults: [
      {
        what: 'The count of active sessions reads every session and joins each with active_sessions.',
        collection: 'sessions',
        about: 'active_sessions',
        severity: 'error',
        cure: 'Count active_sessions of the tenant: db.active_sessions.createIndex({ tenant_id: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'sessions',
        p.times(20_000, (index) => ({
          _id: numbered(p, index),
          uid: `session-${index}`,
          device_uid: `device-${p.random.below(900)}`,
          tenant_id: `tenant-${p.random.below(60)}`,
          username: p.word(),
          ip_address: `10.0.${p.random.below(256)}.${p.random.below(256)}`,
          started_at: p.date(300 * DAY - index * 20 * MINUTE),
          last_seen: p.date(300 * DAY - index * 20 * MINUTE - 10 * MINUTE),
          authenticated: p.random.chance(0.95),
          recorded: false,
          type: p.random.choose(['term', 'exec', 'scp']),
        })),
      );
      await p.fill(
        'active_sessions',
        p.times(45, (index) => ({ _id: p.id(), uid: `session-${19_950 + index}`, last_seen: p.date(0) })),
      );
      await p.database.collection('sessions').createIndex({ uid: 1 }, { unique: true });
      await p.database.collection('sessions').createIndex({ tenant_id: 1, started_at: -1 });
      await p.database.collection('active_sessions').createIndex({ uid: 1 });
    },
    async use(database, p) {
      const sessions = database.collection('sessions');
      await repeat(14, () =>
        sessions
          .aggregate([
            { $lookup: { from: 'active_sessions', localField: 'uid', foreignField: 'uid', as: 'active' } },
            { $addFields: { active: { $anyElementTrue: ['$active'] } } },
            { $match: { active: true } },
            { $count: 'count' },
          ])
          .toArray(),
      );
      await repeat(300, () =>
        sessions
          .find({ tenant_id: `tenant-${p.random.below(60)}` })
          .sort({ started_at: -1 })
          .limit(10)
          .toArray(),
      );
      await repeat(400, () => sessions.findOne({ uid: `session-${p.random.below(20_000)}` }));
      await repeat(500, (index) =>
        database
          .collection('active_sessions')
          .updateOne(
            { uid: `session-${19_950 + (index % 45)}` },
            { $set: { last_seen: new Date(p.now + index * 1_000) } },
          ),
      );
    },
  },
  {
    name: 'meteor-orders-count',
    source: 'https://github.com/meteor/meteor/issues/12335',
    why: 'A paginated table counts all orders on each page: since the count became an aggregation, it reads every large order.',
    faults: [
      {
        what: 'countDocuments({}) scans all orders for a number that the collection knows.',
        collection: 'orders',
        about: 'count',
        severity: 'warning',
        cure: 'estimatedDocumentCount() where the filter is empty',
      },
    ],
    async plant(p) {
      await p.fill(
        'orders',
        p.times(12_000, (index) => ({
          _id: numbered(p, index),
          customerId: `customer-${p.random.below(2_000)}`,
          createdAt: new Date(p.now - 300 * DAY + index * 5 * MINUTE),
          status: p.random.choose(['open', 'sent', 'returned']),
          lines: p.times(p.random.between(4, 8), () => ({
            sku: p.word(),
            title: p.words(12),
            amount: p.random.between(1, 9),
            price: p.random.between(3, 400),
          })),
          delivery: { name: p.words(2), street: p.words(3), note: p.words(60) },
        })),
      );
      await p.database.collection('orders').createIndex({ createdAt: -1 });
      await p.database.collection('orders').createIndex({ customerId: 1, createdAt: -1 });
    },
    async use(database, p) {
      const orders = database.collection('orders');
      await repeat(120, async () => {
        await orders.countDocuments({});
        await orders
          .find({})
          .sort({ createdAt: -1 })
          .skip(20 * p.random.below(5))
          .limit(20)
          .toArray();
      });
      await repeat(250, () => orders.findOne({ _id: numbered(p, p.random.below(12_000)) }));
      await repeat(150, () =>
        orders
          .find({ customerId: `customer-${p.random.below(2_000)}` })
          .sort({ createdAt: -1 })
          .limit(10)
          .toArray(),
      );
      await repeat(100, () =>
        orders.updateOne({ _id: numbered(p, p.random.below(12_000)) }, { $set: { status: 'sent' } }),
      );
    },
  },
  {
    name: 'tomomaster-candidates',
    source: 'https://github.com/BuildOnViction/tomomaster/issues/236',
    why: 'The list of candidates asks for the status of each in a loop instead of for all at once.',
    faults: [
      {
        what: 'A query for each candidate of the list: a hundred round trips for a page.',
        collection: 'status',
        about: 'candidate',
        severity: 'info',
        cure: 'One find with candidate: { $in: [...] }',
        short: { told: 'warning', why: '2,500 executions within seconds' },
      },
    ],
    async plant(p) {
      await p.fill(
        'candidates',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          smartContractAddress: address(0),
          candidate: address(index + 1),
          owner: address(20_000 + (index % 700)),
          name: p.words(2),
          capacity: String(p.random.between(50_000, 900_000)),
          capacityNumber: p.random.between(50_000, 900_000),
          status: p.random.choose(['PROPOSED', 'PROPOSED', 'RESIGNED']),
        })),
      );
      await p.fill(
        'status',
        p.times(2_000, (index) => ({
          _id: p.id(),
          candidate: address(index + 1),
          status: p.random.choose(['MASTERNODE', 'STANDBY', 'SLASHED']),
          slashedTimes: p.random.below(9),
          epoch: p.random.below(900),
        })),
      );
      await p.fill(
        'voters',
        p.times(20_000, () => ({
          _id: p.id(),
          smartContractAddress: address(0),
          voter: address(40_000 + p.random.below(6_000)),
          candidate: address(p.random.between(1, 2_000)),
          capacity: String(p.random.between(100, 50_000)),
        })),
      );
      await p.database.collection('candidates').createIndex({ capacityNumber: -1 });
      await p.database.collection('candidates').createIndex({ candidate: 1 });
      await p.database.collection('status').createIndex({ candidate: 1 });
      await p.database.collection('voters').createIndex({ candidate: 1 });
      await p.database.collection('voters').createIndex({ voter: 1 });
    },
    async use(database, p) {
      await repeat(25, async (index) => {
        const page = await database
          .collection('candidates')
          .find({ status: { $ne: 'RESIGNED' } })
          .sort({ capacityNumber: -1 })
          .skip((index % 4) * 100)
          .limit(100)
          .toArray();
        for (const { candidate } of page) await database.collection('status').findOne({ candidate });
      });
      await repeat(200, () =>
        database.collection('candidates').findOne({ candidate: address(p.random.between(1, 2_000)) }),
      );
      await repeat(200, () =>
        database
          .collection('voters')
          .find({ candidate: address(p.random.between(1, 2_000)) })
          .limit(10)
          .toArray(),
      );
      await repeat(150, () =>
        database
          .collection('voters')
          .find({ voter: address(40_000 + p.random.below(6_000)) })
          .toArray(),
      );
    },
  },
  {
    name: 'teslayay-long-threads',
    source: 'https://github.com/cham/TeslaYay/issues/18',
    why: 'The last page of a thread of many thousand comments is reached by skip(), which walks over all before it.',
    faults: [
      {
        what: 'Pages deep in a long thread skip up to 24,000 comments.',
        collection: 'comments',
        about: 'skip',
        severity: 'warning',
        cure: 'Ranges instead of offsets: created greater than the last one shown',
      },
    ],
    async plant(p) {
      await p.fill(
        'comments',
        p.times(40_000, (index) => ({
          _id: numbered(p, index),
          threadid: `thread-${index % 8 < 5 ? 0 : p.random.between(1, 1_999)}`,
          postedby: `user-${p.random.below(900)}`,
          content: p.words(25),
          points: p.random.below(20),
          created: new Date(p.now - 300 * DAY + index * 5 * MINUTE),
        })),
      );
      await p.fill(
        'threads',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          urlname: `thread-${index}`,
          name: p.words(5),
          postedby: `user-${p.random.below(900)}`,
          numcomments: index === 0 ? 25_000 : p.random.below(40),
          last_comment_time: p.date(),
        })),
      );
      await p.database.collection('comments').createIndex({ threadid: 1, created: 1 });
      await p.database.collection('comments').createIndex({ postedby: 1, created: -1 });
      await p.database.collection('threads').createIndex({ urlname: 1 }, { unique: true });
      await p.database.collection('threads').createIndex({ last_comment_time: -1 });
    },
    async use(database, p) {
      const comments = database.collection('comments');
      const page = (threadid: string, skipped: number) =>
        comments.find({ threadid }).sort({ created: 1 }).skip(skipped).limit(50).toArray();
      await repeat(90, () => page('thread-0', 50 * p.random.between(240, 480)));
      await repeat(300, () => page(`thread-${p.random.between(1, 1_999)}`, 0));
      await repeat(150, () =>
        database.collection('threads').find({}).sort({ last_comment_time: -1 }).limit(50).toArray(),
      );
      await repeat(200, () => database.collection('threads').findOne({ urlname: `thread-${p.random.below(2_000)}` }));
      await repeat(100, () =>
        comments
          .find({ postedby: `user-${p.random.below(900)}` })
          .sort({ created: -1 })
          .limit(20)
          .toArray(),
      );
    },
  },
];

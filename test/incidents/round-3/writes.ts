import { type Document, Long } from 'mongodb';
import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** What is written too often, twice, or never removed. */
export const WRITES: readonly Incident[] = [
  {
    name: 'school-attendance',
    source: 'https://procedure.tech/blogs/optimizing-mongodb-array-updates-strategies-benchmarks-best-practices',
    why: 'A school holds all of its students in an array. The attendance of a class is written in a loop, a student at a time, and all these updates meet in one document.',
    faults: [
      {
        what: 'Thirty updates of one document for a class, one for each student.',
        collection: 'schools',
        about: 'students',
        severity: 'warning',
        cure: 'One update with arrayFilters for the class, or one bulkWrite; better a collection of students',
        short: { told: 'error', why: 'the array itself, which is on the same collection' },
      },
      {
        what: 'An array of 350 students in the middle and 1,650 at most: each mark rewrites the whole school.',
        collection: 'schools',
        about: 'students',
        severity: 'warning',
        cure: 'A collection of students: db.students.createIndex({ schoolId: 1, class: 1 })',
        short: { told: 'error', why: 'its 99th percentile is 1,552 elements, from which DESIGN.md has an error' },
      },
    ],
    async plant(p) {
      await p.fill(
        'schools',
        p.times(150, (index) => ({
          _id: `school-${index}`,
          name: p.words(3),
          city: p.word(),
          students: p.times(p.heavyTailed(180, 1_800), (number) => ({
            studentId: `s-${number}`,
            name: p.words(2),
            class: `${1 + Math.floor(number / 30)}`,
            attendance: p.random.choose(['present', 'present', 'present', 'absent']),
            marks: { math: p.random.between(20, 100), science: p.random.between(20, 100) },
            updatedAt: p.date(p.random.below(3 * DAY)),
          })),
        })),
      );
      await p.database.collection('schools').createIndex({ city: 1 });
    },
    async use(database, p) {
      const schools = database.collection<{ _id: string; students: { studentId: string }[] }>('schools');
      const school = () => `school-${p.random.below(150)}`;
      await repeat(22, async (index) => {
        const _id = school();
        for (let number = 0; number < 30; number += 1)
          await schools.updateOne(
            { _id, 'students.studentId': `s-${30 * (index % 6) + number}` },
            {
              $set: {
                'students.$.attendance': p.random.choose(['present', 'absent']),
                'students.$.updatedAt': new Date(p.now + index * MINUTE),
              } as never,
            },
          );
      });
      await repeat(150, () =>
        schools.findOne({ _id: school() }, { projection: { students: { $elemMatch: { studentId: 's-12' } } } }),
      );
      await repeat(60, () => schools.findOne({ _id: school() }, { projection: { name: 1, city: 1 } }));
    },
  },
  {
    name: 'novu-preferences',
    source:
      'https://www.notion.so/Preference-Schema-Indices-Incident-October-14-15-2025-285d03ad838f8024accacb4b589ec277',
    why: 'The preferences of subscribers exist twice: they are upserted, and no unique index forbids it. The migration that cleans them up changes the indexes and takes the inbox down.',
    faults: [
      {
        what: 'Preferences are upserted by environment, subscriber, workflow and type without a unique index: one in twenty-five exists twice.',
        collection: 'preferences',
        about: '_subscriberId',
        severity: 'warning',
        cure: 'db.preferences.createIndex({ _environmentId: 1, _subscriberId: 1, _templateId: 1, type: 1 }, { unique: true })',
      },
    ],
    async plant(p) {
      await p.fill(
        'preferences',
        p.times(15_000, (index) => ({
          _id: numbered(p, index),
          _organizationId: `org-${index % 6}`,
          // Every twenty-fifth is the one before it once more.
          ...preference(index % 25 === 24 ? index - 1 : index),
          preferences: {
            all: { enabled: true, readOnly: false },
            channels: {
              email: { enabled: p.random.chance(0.7) },
              sms: { enabled: p.random.chance(0.2) },
              in_app: { enabled: p.random.chance(0.9) },
              push: { enabled: p.random.chance(0.5) },
            },
          },
          updatedAt: p.date(),
        })),
      );
      await p.database.collection('preferences').createIndex({ _subscriberId: 1, _environmentId: 1, _templateId: 1 });
      await p.database.collection('preferences').createIndex({ _environmentId: 1, _templateId: 1 });
    },
    async use(database, p) {
      const preferences = database.collection('preferences');
      const upsert = (number: number) =>
        preferences.updateOne(
          preference(number),
          {
            $set: {
              'preferences.channels.email.enabled': p.random.chance(0.5),
              updatedAt: new Date(p.now + number * 1_000),
            },
            $setOnInsert: { _organizationId: `org-${number % 6}` },
          },
          { upsert: true },
        );
      await repeat(150, (index) => {
        const number = index % 3 === 0 ? 15_000 + index : p.random.below(15_000);
        return Promise.all([upsert(number), upsert(number)]);
      });
      await repeat(500, () => {
        const { _subscriberId, _environmentId } = preference(p.random.below(15_000));
        return preferences.find({ _subscriberId, _environmentId }).toArray();
      });
      await repeat(100, () => preferences.findOne(preference(p.random.below(15_000))));
    },
  },
  {
    name: 'chat-sessions',
    source: 'https://www.mongodb.com/community/forums/t/ttl-index-not-purging-documents/4697',
    why: 'The TTL index runs and deletes nothing: the time of the last change is a number of seconds, and only dates expire.',
    faults: [
      {
        what: 'A TTL index of three minutes on a field of numbers: sessions of seven months are there.',
        collection: 'chat_sessions',
        about: 'updated_at',
        severity: 'warning',
        cure: 'Dates: { $set: { updated_at: { $toDate: { $multiply: ["$updated_at", 1000] } } } }, and new Date() from now on',
      },
    ],
    async plant(p) {
      await p.fill(
        'chat_sessions',
        p.times(15_000, (index) => {
          const created = Math.floor((p.now - 210 * DAY + index * 20 * MINUTE) / 1_000);
          return {
            _id: numbered(p, index),
            session_id: String(created * 1_000 + index),
            user_id: `user-${p.random.below(4_000)}`,
            messages: p.times(p.random.between(0, 12), () => ({
              from: p.random.choose(['bot', 'user']),
              text: p.words(p.random.between(2, 14)),
            })),
            created_at: Long.fromNumber(created),
            updated_at: Long.fromNumber(created + p.random.below(600)),
          };
        }),
      );
      const sessions = p.database.collection('chat_sessions');
      await sessions.createIndex({ updated_at: 1 }, { expireAfterSeconds: 180, sparse: true });
      await sessions.createIndex({ session_id: 1 }, { unique: true });
    },
    async use(database, p) {
      const sessions = database.collection('chat_sessions');
      const seconds = Math.floor(p.now / 1_000);
      await repeat(150, async (index) => {
        const session_id = String(p.now + index);
        await sessions.insertOne({
          session_id,
          user_id: `user-${p.random.below(4_000)}`,
          messages: [],
          created_at: Long.fromNumber(seconds + index),
          updated_at: Long.fromNumber(seconds + index),
        });
        for (let turn = 0; turn < 3; turn += 1) {
          await sessions.findOne({ session_id });
          await sessions.updateOne(
            { session_id },
            {
              $push: {
                messages: {
                  $each: [
                    { from: 'user', text: p.words(6) },
                    { from: 'bot', text: p.words(9) },
                  ],
                  $slice: -40,
                },
              } as never,
              $set: { updated_at: Long.fromNumber(seconds + index + turn) },
            },
          );
        }
      });
    },
  },
  {
    name: 'application-logs',
    source: 'https://utill.net/blog/managing-logs-with-mongodb-ttl-indexes',
    why: 'The disk is nearly full of logs at three in the morning: nothing ever removes them but a deleteMany by hand, which reads the whole collection.',
    faults: [
      {
        what: 'The deletion of old entries scans all logs: no index begins with the time.',
        collection: 'logs',
        about: 'timestamp',
        severity: 'warning',
        cure: 'db.logs.createIndex({ timestamp: 1 }, { expireAfterSeconds: 2592000 })',
      },
      {
        what: 'A log of thirteen months of which thirty days are wanted, without an expiry.',
        collection: 'logs',
        about: 'timestamp',
        severity: 'info',
        cure: 'db.logs.createIndex({ timestamp: 1 }, { expireAfterSeconds: 2592000 })',
        short: { told: 'warning', why: 'the scan for old entries, whose index could expire them' },
      },
    ],
    async plant(p) {
      await p.fill(
        'logs',
        p.times(50_000, (index) => ({
          _id: p.id((50_000 - index) * 11 * MINUTE),
          timestamp: p.date((50_000 - index) * 11 * MINUTE),
          level: p.random.chance(0.02) ? 'error' : p.random.choose(['info', 'info', 'info', 'debug', 'audit']),
          service: `service-${p.random.below(12)}`,
          message: p.words(p.random.between(4, 22)),
          meta: {
            host: `node-${index % 5}`,
            requestId: p.word() + p.random.below(100_000),
            ms: p.heavyTailed(2, 9_000),
          },
        })),
      );
      await p.database.collection('logs').createIndex({ level: 1, timestamp: -1 });
      await p.database.collection('logs').createIndex({ service: 1, timestamp: -1 });
    },
    async use(database, p) {
      const logs = database.collection('logs');
      await repeat(600, (index) =>
        logs.insertOne({
          timestamp: new Date(p.now + index * 10_000),
          level: index % 50 === 0 ? 'error' : 'info',
          service: `service-${index % 12}`,
          message: p.words(12),
          meta: { host: `node-${index % 5}`, requestId: p.word(), ms: 12 },
        }),
      );
      await repeat(120, () => logs.find({ level: 'error' }).sort({ timestamp: -1 }).limit(50).toArray());
      await repeat(120, () =>
        logs
          .find({ service: `service-${p.random.below(12)}`, timestamp: { $gte: p.date(HOUR * 6) } })
          .sort({ timestamp: -1 })
          .limit(100)
          .toArray(),
      );
      await repeat(4, (index) => logs.deleteMany({ timestamp: { $lt: p.date((381 - index) * DAY) } }));
    },
  },
];

function preference(number: number): Document {
  const subscriber = Math.floor(number / 3);
  return {
    _environmentId: `env-${subscriber % 12}`,
    _subscriberId: `subscriber-${subscriber}`,
    _templateId: `workflow-${number % 3}`,
    type: 'SUBSCRIBER_WORKFLOW',
  };
}

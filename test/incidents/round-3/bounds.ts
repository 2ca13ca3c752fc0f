import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** Searches that an index serves, yet between bounds so wide that most of what is read is thrown away. */
export const BOUNDS: readonly Incident[] = [
  {
    name: 'insurance-pushes',
    source: 'https://www.modb.pro/db/70878',
    why: 'Ten entries of a company are wanted; the index on company and time walks the whole window for them, 268,005 documents, and the server runs out of memory.',
    faults: [
      {
        what: 'The list by company, window and result code reads every document of the window: the code, the only narrow condition, is in no index.',
        collection: 'test_list_info',
        about: 'basicResult.basicCode',
        severity: 'error',
        cure: "db.test_list_info.createIndex({ companyCode: 1, 'basicResult.basicCode': 1, pushTime: -1 })",
      },
    ],
    async plant(p) {
      await p.fill(
        'test_list_info',
        p.times(30_000, (index) => ({
          _id: numbered(p, index),
          companyCode: p.random.chance(0.6) ? 'DB2C8D44F726' : `CO${p.random.below(40)}`,
          companyName: p.words(2),
          belongCode: `BR${p.random.below(25)}`,
          insureArea: p.random.below(340),
          businessType: p.random.choose(['compulsory', 'commercial', 'both']),
          licenceNo: `${p.word()}-${p.random.below(90_000)}`,
          userId: `agent-${p.random.below(2_000)}`,
          pushTime: p.date(30 * DAY - index * 86_000),
          pushStatus: p.random.choose([0, 1, 1, 1, 2, 2, 3, 4]),
          basicResult: { basicCode: String(6_000 + p.random.below(2_000)), reason: p.words(p.random.between(2, 9)) },
          quotes: p.times(p.random.between(1, 4), () => ({ insurer: p.word(), premium: p.random.between(800, 9_000) })),
        })),
      );
      const list = p.database.collection('test_list_info');
      await list.createIndex({ companyCode: 1, pushTime: 1 });
      await list.createIndex({ licenceNo: 1 });
    },
    async use(database, p) {
      const list = database.collection('test_list_info');
      await repeat(150, () => {
        const end = p.now - p.random.below(20 * DAY);
        return list
          .find({
            companyCode: 'DB2C8D44F726',
            pushTime: { $gte: new Date(end - 6 * DAY), $lt: new Date(end) },
            belongCode: { $in: p.times(12, (branch) => `BR${branch * 2}`) },
            pushStatus: { $in: [0, 3, 4] },
            $or: [{ 'basicResult.basicCode': String(6_000 + p.random.below(2_000)) }],
          })
          .sort({ pushTime: -1 })
          .limit(10)
          .toArray();
      });
      await repeat(400, () => list.findOne({ _id: numbered(p, p.random.below(30_000)) }));
      await repeat(250, () => list.find({ licenceNo: `${p.word()}-${p.random.below(90_000)}` }).toArray());
      await repeat(300, (index) =>
        list.updateOne(
          { _id: numbered(p, p.random.below(30_000)) },
          { $set: { pushStatus: 1, pushTime: new Date(p.now + index * MINUTE) } },
        ),
      );
    },
  },
  {
    name: 'luma-appointments',
    source: 'https://www.adityabansod.net/tag/startups/',
    why: 'Appointments that overlap a day: begun before its end, ended after its beginning. Each bound is open on one side, so the index yields all of the past.',
    faults: [
      {
        what: 'The search for overlapping appointments has no lower bound on the beginning: it walks the whole history of the facility for one day.',
        collection: 'appointments',
        about: 'endDate',
        severity: 'warning',
        cure: 'A lower bound, too: date: { $gte: the day less the longest appointment, $lte: its end }',
        short: { told: 'info', why: 'it examines 2,000 keys for four documents: the ladder has a warning from 3,000' },
      },
    ],
    async plant(p) {
      await p.fill(
        'appointments',
        p.times(40_000, (index) => {
          // 500 days, four a day in each of twenty facilities.
          const start = p.now + 10 * DAY - Math.floor(index / 80) * DAY + (8 + 2 * (index % 4)) * HOUR;
          return {
            _id: numbered(p, index),
            facility: `facility-${Math.floor(index / 4) % 20}`,
            provider: `provider-${p.random.below(120)}`,
            patient: `patient-${p.random.below(9_000)}`,
            date: new Date(start + p.random.below(30) * MINUTE),
            endDate: new Date(start + p.random.choose([30, 45, 60, 90]) * MINUTE + HOUR),
            type: p.random.choose(['follow-up', 'new patient', 'telehealth', 'imaging']),
            status: p.random.choose(['booked', 'confirmed', 'cancelled', 'done', 'done']),
            notes: p.words(p.random.between(0, 20)),
          };
        }),
      );
      const appointments = p.database.collection('appointments');
      await appointments.createIndex({ facility: 1, date: 1, endDate: 1 });
      await appointments.createIndex({ patient: 1, date: -1 });
    },
    async use(database, p) {
      const appointments = database.collection('appointments');
      await repeat(250, () => {
        const begin = p.now - p.random.below(5) * DAY;
        return appointments
          .find({
            facility: `facility-${p.random.below(20)}`,
            date: { $lte: new Date(begin + DAY) },
            endDate: { $gte: new Date(begin) },
          })
          .toArray();
      });
      await repeat(300, () =>
        appointments
          .find({ patient: `patient-${p.random.below(9_000)}` })
          .sort({ date: -1 })
          .limit(10)
          .toArray(),
      );
      await repeat(300, () =>
        appointments.updateOne({ _id: numbered(p, p.random.below(40_000)) }, { $set: { status: 'confirmed' } }),
      );
      await repeat(100, (index) =>
        appointments.insertOne({
          facility: `facility-${index % 20}`,
          provider: `provider-${p.random.below(120)}`,
          patient: `patient-${p.random.below(9_000)}`,
          date: new Date(p.now + 11 * DAY + index * HOUR),
          endDate: new Date(p.now + 11 * DAY + (index + 1) * HOUR),
          type: 'follow-up',
          status: 'booked',
          notes: '',
        }),
      );
    },
  },
  {
    name: 'recipient-segments',
    source:
      'https://stackoverflow.com/questions/63305614/mongodb-searching-in-array-using-elemmatch-slower-with-index-than-without',
    why: 'A count of recipients by the date of their actions reads one key for each action, then each document once: 8.7 million keys for half a million documents, and without the index it is faster.',
    faults: [
      {
        what: 'The count of a segment walks most keys of the multikey index and fetches most documents, to return a number.',
        collection: 'recipients',
        about: 'Actions.ActionDatetime',
        severity: 'error',
        cure: 'A counter for each segment; the date of the last action as a field of its own: db.recipients.createIndex({ lastActionAt: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'recipients',
        p.times(8_000, (index) => ({
          _id: numbered(p, index),
          RecipientId: `recipient-${index}`,
          Email: `${p.word()}.${index}@example.com`,
          Locale: p.random.choose(['en', 'it', 'de', 'fr']),
          Actions: p.times(p.capped(4, 80, 1.2), () => ({
            CampaignId: `campaign-${p.random.below(60)}`,
            ActionDatetime: p.date(p.random.below(900 * DAY)),
            ActionDescription: p.random.choose(['SENT', 'SENT', 'SENT', 'OPEN', 'CLICK']),
          })),
        })),
      );
      await p.database.collection('recipients').createIndex({ 'Actions.ActionDatetime': 1 });
      await p.database.collection('recipients').createIndex({ RecipientId: 1 }, { unique: true });
    },
    async use(database, p) {
      const recipients = database.collection('recipients');
      await repeat(24, () =>
        recipients.countDocuments({
          Actions: { $elemMatch: { ActionDatetime: { $gt: p.date(p.random.between(500, 900) * DAY) } } },
        }),
      );
      const byNumber = () => ({ RecipientId: `recipient-${p.random.below(8_000)}` });
      await repeat(500, () => recipients.findOne(byNumber(), { projection: { Email: 1, Locale: 1 } }));
      await repeat(600, (index) =>
        recipients.updateOne(byNumber(), {
          $push: {
            Actions: {
              $each: [
                {
                  CampaignId: 'campaign-61',
                  ActionDatetime: new Date(p.now + index * MINUTE),
                  ActionDescription: 'SENT',
                },
              ],
              $slice: -80,
            },
          } as never,
        }),
      );
    },
  },
  {
    name: 'report-collation',
    source:
      'https://www.mongodb.com/community/forums/t/aggregations-why-is-group-slow-with-indexed-string-fields-but-not-on-date/303812',
    why: 'A report by day groups by a string that is indexed, yet fetches every document: the collation of the collection makes the keys of the index useless as values. By the date it takes 9 ms instead of 30 s.',
    faults: [
      {
        what: 'The report by dateString fetches each document of the month, as an index with a collation cannot give strings back.',
        collection: 'bookings',
        about: 'dateString',
        severity: 'warning',
        cure: "Group by realDate; or db.bookings.createIndex({ dateString: 1 }, { collation: { locale: 'simple' } }), and the report with that collation",
      },
    ],
    async plant(p) {
      await p.database.createCollection('bookings', { collation: { locale: 'en', strength: 2 } });
      await p.fill(
        'bookings',
        p.times(30_000, (index) => {
          const date = new Date(Math.floor((p.now - index * 18 * MINUTE) / DAY) * DAY);
          return {
            _id: numbered(p, index),
            dateString: day(date.getTime()),
            realDate: date,
            guest: `${p.word()} ${p.word()}`,
            room: `room-${p.random.below(80)}`,
            state: p.random.choose(['open', 'paid', 'paid', 'cancelled']),
            amount: p.heavyTailed(40, 4_000),
            remarks: p.words(p.random.between(4, 40)),
          };
        }),
      );
      const bookings = p.database.collection('bookings');
      await bookings.createIndex({ dateString: 1 });
      await bookings.createIndex({ realDate: 1 });
      await bookings.createIndex({ room: 1, realDate: -1 });
    },
    async use(database, p) {
      const bookings = database.collection('bookings');
      await repeat(60, () => {
        const begin = p.now - p.random.between(31, 330) * DAY;
        return bookings
          .aggregate([
            { $match: { dateString: { $gte: day(begin), $lte: day(begin + 30 * DAY) } } },
            { $group: { _id: '$dateString', count: { $sum: 1 } } },
          ])
          .toArray();
      });
      await repeat(300, () =>
        bookings
          .find({ room: `room-${p.random.below(80)}` })
          .sort({ realDate: -1 })
          .limit(5)
          .toArray(),
      );
      await repeat(250, () => bookings.findOne({ _id: numbered(p, p.random.below(30_000)) }));
      await repeat(200, () =>
        bookings.updateOne({ _id: numbered(p, p.random.below(30_000)) }, { $set: { state: 'paid' } }),
      );
    },
  },
];

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

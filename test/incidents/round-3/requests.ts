import { type Collection, type Document, ObjectId } from 'mongodb';
import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** Requests that ask too often, or join and list more than they need. */
export const REQUESTS: readonly Incident[] = [
  {
    name: 'sensor-alerts',
    source: 'https://www.earezki.com/books/unbound-mongodb-at-scale/ch10-s2/',
    why: 'The same query takes 2 ms for five sensors and 850 ms for five hundred: each id is a scan of its own, 125,000 keys for a hundred documents.',
    faults: [
      {
        what: 'One alert in thirty asks for all 500 sensors: it walks every reading of a day and sorts, where the others read some hundred keys.',
        collection: 'readings',
        about: 'sensorId',
        severity: 'warning',
        cure: 'Lists of at most fifty sensors; for the alert of all sensors no list at all: db.readings.createIndex({ ts: -1, temperature: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'readings',
        p.times(40_000, (index) => ({
          _id: numbered(p, index),
          sensorId: sensor(index),
          ts: p.date(40 * HOUR - Math.floor(index / 500) * 30 * MINUTE + p.random.below(MINUTE)),
          temperature: Math.round((18 + 6 * p.random.exponential()) * 10) / 10,
          humidity: p.random.between(20, 90),
          battery: p.random.between(40, 100),
        })),
      );
      await p.fill(
        'sensors',
        p.times(500, (index) => ({
          _id: sensor(index),
          building: `building-${index % 30}`,
          model: p.random.choose(['T1', 'T2', 'TH4']),
          installed: p.date(p.random.below(900 * DAY)),
        })),
      );
      await p.database.collection('readings').createIndex({ sensorId: 1, ts: -1, temperature: 1 });
      await p.database.collection('sensors').createIndex({ building: 1 });
    },
    async use(database, p) {
      const readings = database.collection('readings');
      await repeat(150, (index) => {
        const first = p.random.below(500);
        return readings
          .find({
            sensorId: { $in: p.times(index % 30 === 29 ? 500 : 5, (offset) => sensor(first + offset)) },
            temperature: { $gt: 40 },
            ts: { $gte: p.date(DAY) },
          })
          .sort({ ts: -1 })
          .limit(100)
          .toArray();
      });
      await repeat(400, (index) =>
        readings.insertOne({
          sensorId: sensor(index),
          ts: new Date(p.now + index * 1_000),
          temperature: p.random.between(18, 30),
          humidity: p.random.between(20, 90),
          battery: 80,
        }),
      );
      await repeat(200, () =>
        readings
          .find({ sensorId: sensor(p.random.below(500)) })
          .sort({ ts: -1 })
          .limit(1)
          .toArray(),
      );
      await repeat(100, () =>
        database
          .collection('sensors')
          .find({ building: `building-${p.random.below(30)}` })
          .toArray(),
      );
    },
  },
  {
    name: 'banking-joins',
    source: 'https://22.frenchintelligence.org/?p=202692',
    why: 'A query took 33 minutes: two lookups by $expr for every payment that the first filter leaves, and the filter that narrows them stands behind.',
    faults: [
      {
        what: 'All payments of a month of a bank are joined with their company and customer, and only then filtered by the document number of the customer.',
        collection: 'Payment',
        about: 'customer',
        severity: 'warning',
        cure: 'Look the customer up first and match customer: its _id, or keep the document number in the payment; joins by localField and foreignField',
        short: {
          told: 'missed',
          why: 'the joins are a warning as a whole; that a condition behind them could come first, is not said',
        },
      },
    ],
    async plant(p) {
      await p.fill(
        'Payment',
        p.times(12_000, (index) => ({
          _id: numbered(p, index),
          bank: `bank-${p.random.below(8)}`,
          company: numbered(p, p.random.below(1_500)),
          customer: numbered(p, p.random.below(5_000)),
          amount: p.heavyTailed(10, 50_000),
          status: p.random.choose(['settled', 'settled', 'settled', 'returned', 'pending']),
          createdAt: p.date(100 * DAY - index * 12 * MINUTE),
          description: p.words(p.random.between(2, 12)),
        })),
      );
      const party = (index: number): Document => ({
        _id: numbered(p, index),
        name: p.words(2),
        documentNumber: String(10_000_000 + index * 37),
        address: { street: p.words(2), city: p.word(), zip: String(p.random.between(10_000, 99_999)) },
        removedAt: p.random.chance(0.03) ? p.date() : null,
      });
      await p.fill('Company', p.times(1_500, party));
      await p.fill('Customer', p.times(5_000, party));
      await p.database.collection('Payment').createIndex({ bank: 1, createdAt: -1 });
      await p.database.collection('Payment').createIndex({ customer: 1, createdAt: -1 });
      await p.database.collection('Customer').createIndex({ documentNumber: 1 });
    },
    async use(database, p) {
      const payments = database.collection('Payment');
      await repeat(30, () =>
        payments
          .aggregate([
            { $match: { bank: `bank-${p.random.below(8)}`, createdAt: { $gte: p.date(45 * DAY) } } },
            join('Company', 'company'),
            join('Customer', 'customer'),
            { $match: { 'customer.documentNumber': String(10_000_000 + p.random.below(5_000) * 37) } },
          ])
          .toArray(),
      );
      await repeat(300, () =>
        payments
          .find({ customer: numbered(p, p.random.below(5_000)) })
          .sort({ createdAt: -1 })
          .limit(20)
          .toArray(),
      );
      await repeat(250, () =>
        database.collection('Customer').findOne({ documentNumber: String(10_000_000 + p.random.below(5_000) * 37) }),
      );
      await repeat(300, (index) =>
        payments.insertOne({
          bank: `bank-${index % 8}`,
          company: numbered(p, p.random.below(1_500)),
          customer: numbered(p, p.random.below(5_000)),
          amount: p.random.between(10, 900),
          status: 'pending',
          createdAt: new Date(p.now + index * MINUTE),
          description: p.words(4),
        }),
      );
    },
  },
  {
    name: 'contract-tree',
    source: 'https://vineethkumar.com/writing/mongodb-optimization',
    why: 'A page of ten contracts asks for the children of each, and for theirs, one parent at a time: 8 to 10 seconds with 2,000 contracts.',
    faults: [
      {
        what: 'Each search by parent_id scans all contracts.',
        collection: 'contract_master',
        about: 'parent_id',
        severity: 'error',
        cure: 'db.contract_master.createIndex({ parent_id: 1 })',
      },
      {
        what: 'Sixty searches for a page, one for each parent: the tree is walked by the application.',
        collection: 'contract_master',
        about: 'parent_id',
        severity: 'warning',
        cure: 'One $in for each level, or $graphLookup from parent_id',
        short: { told: 'error', why: 'the missing index stands in front: its finding is on the same field' },
      },
    ],
    async plant(p) {
      // Numbers: 120 masters, then five children of each, then four of each child.
      const contract = (index: number, parent: ObjectId | null, level: string) => ({
        _id: numbered(p, index),
        contract_no: `C-${100_000 + index}`,
        parent_id: parent,
        level,
        title: p.words(4),
        party: p.words(2),
        value: p.heavyTailed(1_000, 900_000),
        starts: p.date(),
        clauses: p.times(p.random.between(2, 6), () => p.words(9)),
      });
      await p.fill('contract_master', [
        ...p.times(120, (index) => contract(index, null, 'master')),
        ...p.times(600, (index) => contract(120 + index, numbered(p, Math.floor(index / 5)), 'child')),
        ...p.times(2_400, (index) => contract(720 + index, numbered(p, 120 + Math.floor(index / 4)), 'sub-child')),
      ]);
      await p.database.collection('contract_master').createIndex({ level: 1, starts: -1 });
      await p.database.collection('contract_master').createIndex({ contract_no: 1 }, { unique: true });
    },
    async use(database, p) {
      const contracts = database.collection('contract_master');
      await repeat(14, async (index) => {
        const masters = await contracts
          .find({ level: 'master' })
          .sort({ starts: -1 })
          .skip((index % 6) * 10)
          .limit(10)
          .toArray();
        for (const master of masters) {
          const children = await contracts.find({ parent_id: master._id }).toArray();
          for (const child of children) await contracts.find({ parent_id: child._id }).toArray();
        }
      });
      await repeat(250, () => contracts.findOne({ contract_no: `C-${100_000 + p.random.below(3_120)}` }));
      await repeat(100, () =>
        contracts.updateOne({ _id: numbered(p, p.random.below(3_120)) }, { $set: { value: p.random.below(9_000) } }),
      );
    },
  },
  {
    name: 'graphql-transactions',
    source: 'https://koyaltechsolutions.com/dataloader-yes-its-worth-it/',
    why: 'A page of a hundred transactions asks the database 260 times, as each resolver fetches its own account, merchant and category.',
    faults: [
      {
        what: 'The account of each transaction of a page is fetched by itself.',
        collection: 'accounts',
        about: '_id',
        severity: 'warning',
        cure: 'A DataLoader: one find with $in for the accounts of a page',
      },
      {
        what: 'The merchant of each transaction of a page is fetched by itself.',
        collection: 'merchants',
        about: '_id',
        severity: 'warning',
        cure: 'A DataLoader: one find with $in for the merchants of a page',
      },
    ],
    async plant(p) {
      await p.fill(
        'transactions',
        p.times(9_000, (index) => ({
          _id: numbered(p, index),
          client: `client-${p.random.below(30)}`,
          account: numbered(p, p.random.below(1_500)),
          merchant: numbered(p, p.random.below(800)),
          date: p.date(200 * DAY - index * 30 * MINUTE),
          amount: p.heavyTailed(3, 3_000),
          memo: p.words(p.random.between(1, 8)),
        })),
      );
      await p.fill(
        'accounts',
        p.times(1_500, (index) => ({
          _id: numbered(p, index),
          iban: `XX${1_000_000 + index * 13}`,
          holder: p.words(2),
          currency: p.random.choose(['USD', 'EUR']),
          opened: p.date(),
        })),
      );
      await p.fill(
        'merchants',
        p.times(800, (index) => ({
          _id: numbered(p, index),
          name: p.words(2),
          country: p.word(),
          category: p.random.below(60),
        })),
      );
      await p.database.collection('transactions').createIndex({ client: 1, date: -1 });
      await p.database.collection('accounts').createIndex({ iban: 1 }, { unique: true });
    },
    async use(database, p) {
      const transactions = database.collection('transactions');
      await repeat(6, async (index) => {
        const rows = await transactions
          .find({ client: `client-${index}` })
          .sort({ date: -1 })
          .limit(100)
          .toArray();
        await Promise.all(
          rows.flatMap((row) => [
            resolve(database.collection('accounts'), row['account']),
            resolve(database.collection('merchants'), row['merchant']),
          ]),
        );
      });
      await repeat(150, (index) =>
        transactions.insertOne({
          client: `client-${index % 30}`,
          account: numbered(p, p.random.below(1_500)),
          merchant: numbered(p, p.random.below(800)),
          date: new Date(p.now + index * MINUTE),
          amount: p.random.between(3, 300),
          memo: p.words(3),
        }),
      );
      await repeat(60, () =>
        database.collection('accounts').findOne({ iban: `XX${1_000_000 + p.random.below(1_500) * 13}` }),
      );
    },
  },
];

function sensor(number: number): string {
  return `sensor-${String(number % 500).padStart(5, '0')}`;
}

function join(from: string, field: string): Document {
  return {
    $lookup: {
      from,
      let: { [field]: `$${field}` },
      pipeline: [{ $match: { removedAt: null, $expr: { $and: [{ $eq: ['$_id', `$$${field}`] }] } } }],
      as: field,
    },
  };
}

function resolve(collection: Collection, id: unknown): Promise<Document | null> {
  return collection.findOne({ _id: id as ObjectId });
}

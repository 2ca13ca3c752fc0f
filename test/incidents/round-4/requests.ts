import { DAY, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';

/** Requests that read far more than they answer with. */
export const REQUESTS: readonly Incident[] = [
  {
    name: 'cve-search-products',
    source: 'https://github.com/cve-search/cve-search/issues/745',
    why: 'Products are searched by a regex without an anchor in an array: 21 million keys of its index are examined for 18 advisories.',
    faults: [
      {
        what: 'An unanchored regex on vulnerable_product walks its whole multikey index, a key for each product of each advisory.',
        collection: 'cves',
        about: 'vulnerable_product',
        severity: 'error',
        cure: 'Store vendor and product by themselves: db.cves.createIndex({ products: 1 })',
      },
    ],
    async plant(p) {
      const products = p.times(900, (index) => `${p.word()}:${p.word()}_${index}`);
      await p.fill(
        'cves',
        p.times(4_000, (index) => {
          const product = p.random.choose(products);
          const affected = p.times(
            p.heavyTailed(5, 700),
            (version) => `cpe:2.3:a:${product}:${Math.floor(version / 10)}.${version % 10}:*:*:*:*:*:*:*`,
          );
          return {
            _id: numbered(p, index),
            id: `CVE-2025-${1_000 + index}`,
            summary: p.words(p.random.between(15, 60)),
            cvss: p.random.between(20, 100) / 10,
            Published: new Date(p.now - 300 * DAY + index * 100 * MINUTE),
            Modified: new Date(p.now - 299 * DAY + index * 100 * MINUTE),
            references: p.times(p.random.between(1, 6), () => `https://example.org/${p.word()}/${p.word()}`),
            vulnerable_product: affected,
            vulnerable_configuration: affected.slice(0, 40),
          };
        }),
      );
      const cves = p.database.collection('cves');
      await cves.createIndex({ id: 1 });
      await cves.createIndex({ Modified: -1 });
      await cves.createIndex({ cvss: 1 });
      await cves.createIndex({ vulnerable_product: 1 });
      await cves.createIndex({ vulnerable_configuration: 1 });
    },
    async use(database, p) {
      const cves = database.collection('cves');
      await repeat(500, () => cves.findOne({ id: `CVE-2025-${1_000 + p.random.below(4_000)}` }));
      await repeat(45, () => cves.find({ vulnerable_product: { $regex: `_${p.random.below(900)}:` } }).toArray());
      await repeat(150, () => cves.find({}).sort({ Modified: -1 }).limit(30).toArray());
      await repeat(200, () =>
        cves
          .find({ vulnerable_configuration: `cpe:2.3:a:${p.word()}:${p.word()}:0.1:*:*:*:*:*:*:*` })
          .limit(50)
          .toArray(),
      );
      await repeat(150, (index) =>
        cves.updateOne(
          { id: `CVE-2025-${1_000 + p.random.below(4_000)}` },
          { $set: { cvss: p.random.between(20, 100) / 10, Modified: new Date(p.now + index) } },
          { upsert: true },
        ),
      );
    },
  },
  {
    name: 'golos-comments-of-accounts',
    source: 'https://github.com/GolosChain/golos/issues/843',
    why: 'Analysts join all accounts with their comments by name; nothing indexes the author: six minutes for 590,000 comments.',
    faults: [
      {
        what: 'A $lookup of comment_object by author without an index: accounts × comments documents are read.',
        collection: 'comment_object',
        about: 'author',
        severity: 'error',
        cure: 'db.comment_object.createIndex({ author: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'account_object',
        p.times(350, (index) => ({
          _id: numbered(p, index),
          name: `account-${index}`,
          balance_value: p.random.below(1_000_000) / 1_000,
          reputation: p.random.below(10_000),
          created: p.date(),
        })),
      );
      await p.fill(
        'comment_object',
        p.times(7_000, (index) => ({
          _id: numbered(p, index),
          author: `account-${p.heavyTailed(1, 350) - 1}`,
          permlink: `${p.word()}-${p.word()}-${index}`,
          parent_author: p.random.chance(0.3) ? '' : `account-${p.random.below(350)}`,
          category: p.word(),
          title: p.words(5),
          body: p.words(p.random.between(5, 60)),
          net_votes: p.random.below(60),
          created: p.date(),
        })),
      );
    },
    async use(database, p) {
      const comments = database.collection('comment_object');
      await repeat(2, () =>
        database
          .collection('account_object')
          .aggregate([
            { $match: {} },
            {
              $lookup: {
                from: 'comment_object',
                let: { author: '$name' },
                pipeline: [{ $match: { $expr: { $and: [{ $eq: ['$author', '$$author'] }] } } }],
                as: 'his_comments',
              },
            },
            { $project: { name: 1, comments: { $size: '$his_comments' } } },
          ])
          .toArray(),
      );
      await repeat(350, (index) =>
        comments.updateOne(
          { _id: numbered(p, p.random.below(7_100)) },
          { $set: { body: p.words(20), last_update: new Date(p.now + index) }, $inc: { net_votes: 1 } },
          { upsert: true },
        ),
      );
      await repeat(150, () =>
        database
          .collection('account_object')
          .updateOne({ _id: numbered(p, p.random.below(350)) }, { $inc: { reputation: 1 } }),
      );
    },
  },
  {
    name: 'iquidus-last-transactions',
    source: 'https://github.com/iquidus/explorer/issues/360',
    why: 'Each page of the last transactions counts all that qualify and sorts them by a height that no index holds: visitors kill the server.',
    faults: [
      {
        what: 'The last ten transactions are found by sorting all of them by blockindex.',
        collection: 'txes',
        about: 'blockindex',
        severity: 'warning',
        cure: 'db.txes.createIndex({ blockindex: -1 })',
      },
      {
        what: 'Each page counts the transactions by reading every one: total >= 0 holds for all.',
        collection: 'txes',
        about: 'total',
        severity: 'warning',
        cure: 'estimatedDocumentCount() for the lowest minimum, or a count that is kept for a minute',
      },
    ],
    async plant(p) {
      const address = () => `D${p.word()}${p.word()}${p.word()}${p.random.below(3_000)}`;
      const output = () => ({ addresses: address(), amount: p.heavyTailed(1_000, 1_000_000_000) });
      await p.fill(
        'txes',
        p.times(16_000, (index) => ({
          _id: numbered(p, index),
          txid: index.toString(16).padStart(64, '0'),
          vin: p.times(p.heavyTailed(1, 9), output),
          vout: p.times(p.heavyTailed(1, 9), output),
          total: p.heavyTailed(1_000, 4_000_000_000),
          timestamp: Math.floor(p.now / 1_000) - (16_000 - index) * 90,
          blockhash: p.word() + p.word() + p.word(),
          blockindex: 700_000 + Math.floor(index / 2),
        })),
      );
      await p.fill(
        'addresses',
        p.times(3_000, (index) => ({
          _id: numbered(p, index),
          a_id: `address-${index}`,
          balance: p.random.below(1e9),
        })),
      );
      await p.database.collection('txes').createIndex({ txid: 1 }, { unique: true });
      await p.database.collection('txes').createIndex({ timestamp: 1 });
      await p.database.collection('addresses').createIndex({ a_id: 1 }, { unique: true });
    },
    async use(database, p) {
      const txes = database.collection('txes');
      await repeat(60, async (index) => {
        const filter = { total: { $gte: index % 15 === 0 ? 100_000_000 : 0 } };
        await txes.countDocuments(filter);
        const page = txes.find(filter).sort({ blockindex: -1 });
        await page
          .skip(10 * (index % 4))
          .limit(10)
          .toArray();
      });
      await repeat(250, () => database.collection('addresses').findOne({ a_id: `address-${p.random.below(3_000)}` }));
      await repeat(200, (index) =>
        txes.insertOne({
          txid: `new${index}${p.word()}`,
          vin: [],
          vout: [{ addresses: p.word(), amount: 5_000 }],
          total: p.heavyTailed(1_000, 4_000_000_000),
          timestamp: Math.floor(p.now / 1_000) + index,
          blockindex: 708_000 + index,
        }),
      );
      await repeat(200, () => txes.findOne({ txid: p.random.below(16_000).toString(16).padStart(64, '0') }));
    },
  },
];

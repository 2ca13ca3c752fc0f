import type { Incident } from '../incident.js';

/** Asked about in public, and harmless. */
export const SOUND_DESIGNS: readonly Incident[] = [
  {
    name: 'small-collection-without-index',
    source:
      'https://stackoverflow.com/questions/28528882/should-indexes-be-created-for-small-definite-size-mongo-collections',
    why: 'Is an index needed for a few hundred documents whose number is fixed? It does not matter: the scan takes no measurable time.',
    faults: [],
    async plant(p) {
      await p.fill(
        'countries',
        p.times(384, (index) => ({ _id: index, code: `C${index}`, name: p.word() })),
      );
      await p.fill(
        'addresses',
        p.times(8_000, (index) => ({
          _id: p.id(),
          userId: index,
          country: `C${p.random.below(384)}`,
          street: p.words(2),
          city: p.word(),
        })),
      );
      await p.database.collection('addresses').createIndex({ userId: 1 }, { unique: true });
    },
    async use(database, p) {
      for (let view = 0; view < 200; view += 1) {
        const address = await database.collection('addresses').findOne({ userId: p.random.below(8_000) });
        await database.collection('countries').findOne({ code: address?.['country'] });
        if (view % 4 === 0)
          await database
            .collection('addresses')
            .updateOne({ userId: p.random.below(8_000) }, { $set: { city: p.word() } });
      }
    },
  },
  {
    name: 'limit-above-compound-index',
    source: 'https://www.mongodb.com/community/forums/t/unwanted-limit-stage-in-querying-data/14863',
    why: 'Does the LIMIT stage above the compound index cost anything? No: the index provides filter and order, and ten keys are read for ten documents.',
    faults: [],
    async plant(p) {
      await p.fill(
        'product_data',
        p.times(30_000, () => ({
          _id: p.id(),
          uIdHash: `user-${p.random.below(700)}`,
          userTS: p.date(),
          product: p.words(4),
        })),
      );
      await p.database.collection('product_data').createIndex({ uIdHash: 1, userTS: -1 });
    },
    async use(database, p) {
      const products = database.collection('product_data');
      for (let view = 0; view < 300; view += 1) {
        const uIdHash = `user-${p.random.below(700)}`;
        const page = await products.find({ uIdHash }).sort({ userTS: -1 }).limit(10).toArray();
        await products
          .find({ uIdHash, userTS: { $lt: page.at(-1)?.['userTS'] } })
          .sort({ userTS: -1 })
          .limit(10)
          .toArray();
        for (const { _id } of page.slice(0, 1)) await products.findOne({ _id });
        if (view % 3 === 0) await products.insertOne({ uIdHash, userTS: p.date(0), product: p.words(4) });
      }
    },
  },
  {
    name: 'count-that-an-index-covers',
    source: 'https://coderapp.vercel.app/answer/75463151',
    why: 'Does countDocuments() fetch what it counts? No: it needs only the fields of the filter, which the index has.',
    faults: [],
    async plant(p) {
      await p.fill(
        'messages',
        p.times(30_000, () => ({
          _id: p.id(),
          inbox: p.random.below(1_500),
          read: p.random.chance(0.7),
          sentAt: p.date(),
          text: p.words(15),
        })),
      );
      await p.database
        .collection('messages')
        .createIndexes([{ key: { inbox: 1, read: 1 } }, { key: { inbox: 1, sentAt: -1 } }]);
    },
    async use(database, p) {
      const messages = database.collection('messages');
      for (let view = 0; view < 250; view += 1) {
        const inbox = p.random.below(1_500);
        await messages.countDocuments({ inbox, read: false });
        const newest = await messages.find({ inbox }).sort({ sentAt: -1 }).limit(20).toArray();
        for (const { _id } of newest.slice(0, 1)) await messages.updateOne({ _id }, { $set: { read: true } });
      }
    },
  },
];

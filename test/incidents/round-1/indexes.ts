import { HOUR } from '../../designs/planting.js';
import type { Incident } from '../incident.js';

/** An index is absent, or not of the kind that the query needs. */
export const INDEX_INCIDENTS: readonly Incident[] = [
  {
    name: 'students-any-case',
    source: 'https://travisennis.com/notes/mongo-and-case-insensitive-queries/',
    why: 'Each login looks for the student by e-mail address or user name in any case: both indexes are read as a whole, and the servers were overloaded.',
    faults: [
      {
        what: 'A case-insensitive regular expression in each branch of $or reads every key of two indexes for one student.',
        collection: 'students',
        about: 'userName',
        severity: 'error',
        cure: 'db.students.createIndex({ userName: 1 }, { collation: { locale: "en", strength: 2 } }), the same for email, and queries with that collation',
      },
    ],
    async plant(p) {
      const students = p.times(12_000, (index) => ({
        _id: p.id(),
        email: `${p.word()}.${index}@school.example`,
        userName: `${p.word()}${index}`,
        grade: p.random.between(1, 12),
        schoolId: p.random.below(400),
        createdAt: p.date(),
      }));
      await p.fill('students', students);
      await p.fill(
        'progress',
        students.map(({ _id }) => ({
          _id: p.id(),
          studentId: _id,
          lesson: p.random.below(200),
          score: p.random.next(),
        })),
      );
      await p.database
        .collection('students')
        .createIndexes([{ key: { email: 1 } }, { key: { userName: 1 } }, { key: { schoolId: 1, grade: 1 } }]);
      await p.database.collection('progress').createIndex({ studentId: 1 });
    },
    async use(database, p) {
      const students = database.collection('students');
      const known = await students.find().limit(300).toArray();
      for (let login = 0; login < 300; login += 1) {
        const name = new RegExp(`^${String(known[login]?.['userName'])}$`, 'i');
        const found = await students.findOne({ $or: [{ email: name }, { userName: name }] });
        await database.collection('progress').find({ studentId: found?._id }).toArray();
        await students.findOne({ email: String(found?.['email']) });
        await database
          .collection('progress')
          .updateOne({ studentId: found?._id }, { $set: { score: p.random.next() } });
        if (login % 6 === 0)
          await students.find({ schoolId: p.random.below(400), grade: p.random.between(1, 12) }).toArray();
      }
    },
  },
  {
    name: 'shipments-of-tenant',
    source: 'https://codifiedstudio.com/blog/database-indexing-post-mortem',
    why: 'The dashboard filters by tenant and status, and sorts by date. Only the tenant is indexed: all its shipments are read, and sorted in memory.',
    faults: [
      {
        what: 'The index on tenantId alone serves neither the status nor the sort order: thousands of shipments are read to show 20.',
        collection: 'shipments',
        about: 'createdAt',
        severity: 'warning',
        cure: 'db.shipments.createIndex({ tenantId: 1, status: 1, createdAt: -1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'shipments',
        p.times(36_000, (index) => ({
          _id: p.id(),
          tenantId: `tenant-${p.random.below(9)}`,
          trackingNumber: `TN${100_000 + index}`,
          status: p.random.choose(['pending', 'in-transit', 'delivered', 'returned']),
          createdAt: p.date(),
          address: { street: p.words(2), city: p.word() },
        })),
      );
      await p.fill(
        'tenants',
        p.times(9, (index) => ({ _id: `tenant-${index}`, name: p.words(2) })),
      );
      await p.database
        .collection('shipments')
        .createIndexes([{ key: { tenantId: 1 } }, { key: { trackingNumber: 1 }, unique: true }]);
    },
    async use(database, p) {
      const shipments = database.collection('shipments');
      for (let view = 0; view < 150; view += 1) {
        const tenantId = `tenant-${p.random.below(9)}`;
        await database.collection('tenants').findOne({ _id: tenantId as never });
        const status = p.random.choose(['pending', 'in-transit', 'delivered', 'returned']);
        await shipments.find({ tenantId, status }).sort({ createdAt: -1 }).limit(20).toArray();
        await shipments.findOne({ trackingNumber: `TN${100_000 + p.random.below(36_000)}` });
        await shipments.updateOne(
          { trackingNumber: `TN${100_000 + p.random.below(36_000)}` },
          { $set: { status: 'delivered' } },
        );
      }
    },
  },
  {
    name: 'statistics-upserted',
    source:
      'https://ddcode.net/2019/05/12/mongodb-is-the-performance-of-upsert-getting-worse-and-worse-as-the-number-of-documents-increases/',
    why: 'Upserts become slower in proportion to the number of documents: their filter has no index.',
    faults: [
      {
        what: 'Each upsert scans the whole collection for the document that it updates or inserts.',
        collection: 'pagestatistics',
        about: 'url',
        severity: 'error',
        cure: 'db.pagestatistics.createIndex({ url: 1, day: 1 }, { unique: true })',
      },
    ],
    async plant(p) {
      await p.fill(
        'pagestatistics',
        p.times(20_000, (index) => ({
          _id: p.id(),
          url: `/articles/${index % 1_000}`,
          day: `day-${Math.floor(index / 1_000)}`,
          views: p.random.between(1, 900),
        })),
      );
      await p.fill(
        'articles',
        p.times(2_000, (index) => ({ _id: index, title: p.words(5), text: p.words(60) })),
      );
    },
    async use(database, p) {
      const statistics = database.collection('pagestatistics');
      for (let view = 0; view < 700; view += 1) {
        await database.collection<{ _id: number }>('articles').findOne({ _id: p.random.below(2_000) });
        await statistics.updateOne(
          { url: `/articles/${p.random.below(1_050)}`, day: `day-${p.random.between(17, 20)}` },
          { $inc: { views: 1 } },
          { upsert: true },
        );
      }
    },
  },
  {
    name: 'text-index-unused',
    source: 'https://www.pythian.com/blog/technical-track/mongodb-text-search',
    why: 'There is a text index on the entries, but the search is a regular expression without an anchor, which no text index serves.',
    faults: [
      {
        what: 'Each search for a word reads all entries, beside a text index that nothing uses.',
        collection: 'entries',
        about: 'data.entry_text',
        severity: 'warning',
        cure: 'Search with { $text: { $search: "cats" } }, which the text index serves',
      },
    ],
    async plant(p) {
      await p.fill(
        'entries',
        p.times(12_000, (index) => ({
          _id: p.id(),
          slug: `entry-${index}`,
          data: { entry_text: p.words(25), author: p.random.below(500) },
          createdAt: p.date(),
        })),
      );
      await p.database
        .collection('entries')
        .createIndexes([
          { key: { 'data.entry_text': 'text' } },
          { key: { slug: 1 } },
          { key: { 'data.author': 1, createdAt: -1 } },
        ]);
    },
    async use(database, p) {
      const entries = database.collection('entries');
      for (let search = 0; search < 60; search += 1) {
        await entries
          .find({ 'data.entry_text': new RegExp(`${p.word()}${p.word()}`) })
          .limit(10)
          .toArray();
        for (let read = 0; read < 4; read += 1) await entries.findOne({ slug: `entry-${p.random.below(12_000)}` });
        await entries
          .find({ 'data.author': p.random.below(500) })
          .sort({ createdAt: -1 })
          .limit(10)
          .toArray();
      }
    },
  },
  {
    name: 'index-of-other-collation',
    source: 'https://jczopek.dev/post/mongodb-long-running-query-caseinsensitive-index/',
    why: 'The fields are indexed, yet the query scanned for hours: the index has a case-insensitive collation, and the query none.',
    faults: [
      {
        what: 'The index has another collation than the query, so that the strings cannot be looked up in it.',
        collection: 'movies',
        about: 'type',
        severity: 'warning',
        cure: 'Run the query with the collation of the index, or db.movies.createIndex({ type: 1, director: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'movies',
        p.times(24_000, (index) => ({
          _id: p.id(),
          imdb: index,
          type: p.random.chance(0.05) ? 'series' : 'movie',
          director: `${p.word()} ${p.random.below(3_000)}`,
          plot: p.words(20),
        })),
      );
      await p.database.collection('movies').createIndexes([
        { key: { type: 1, director: 1 }, collation: { locale: 'en', strength: 2 } },
        { key: { imdb: 1 }, unique: true },
      ]);
    },
    async use(database, p) {
      const movies = database.collection('movies');
      const some = await movies.find({ imdb: { $lt: 80 } }).toArray();
      for (const { director } of some) {
        await movies.find({ type: 'series', director }).toArray();
        for (let read = 0; read < 5; read += 1) await movies.findOne({ imdb: p.random.below(24_000) });
        await movies.find({ type: 'MOVIE', director }, { collation: { locale: 'en', strength: 2 } }).toArray();
      }
    },
  },
  {
    name: 'sparse-index-in-lookup',
    source: 'https://www.mongodb.com/community/forums/t/aggregation-lookup-stage-does-not-use-sparse-index/258689',
    why: 'A $lookup by $expr is extremely slow: a sparse index does not serve a comparison in $expr.',
    faults: [
      {
        what: 'Each joined document scans all assignments, as $expr cannot use the sparse index on the join key.',
        collection: 'assignments',
        about: 'foreignId',
        severity: 'warning',
        cure: 'Join with localField and foreignField, or db.assignments.createIndex({ foreignId: 1 }) without sparse',
        short: {
          told: 'missed',
          why: '6.0.5 uses the sparse index for $expr, and examines 1,411 documents in 40 executions: the fault is that of 6.0.7 and later',
        },
      },
    ],
    async plant(p) {
      const people = p.times(3_000, (index) => ({ _id: p.id(), team: index % 250, name: p.words(2) }));
      await p.fill('people', people);
      await p.fill(
        'assignments',
        p.times(9_000, (index) => ({
          _id: p.id(),
          ...(index % 3 === 0 ? {} : { foreignId: people[p.random.below(3_000)]?._id }),
          task: p.words(3),
          due: p.date(),
        })),
      );
      await p.database.collection('people').createIndex({ team: 1 });
      await p.database.collection('assignments').createIndex({ foreignId: 1 }, { sparse: true });
    },
    async use(database, p) {
      for (let view = 0; view < 40; view += 1) {
        const team = p.random.below(250);
        await database
          .collection('people')
          .aggregate([
            { $match: { team } },
            {
              $lookup: {
                from: 'assignments',
                let: { foreignId: '$_id' },
                pipeline: [{ $match: { $expr: { $eq: ['$foreignId', '$$foreignId'] } } }],
                as: 'data',
              },
            },
          ])
          .toArray();
        const [person] = await database.collection('people').find({ team }).toArray();
        if (!person) continue;
        for (let read = 0; read < 3; read += 1) await database.collection('people').findOne({ _id: person._id });
        await database.collection('assignments').find({ foreignId: person._id }).toArray();
      }
    },
  },
  {
    name: 'queue-by-absent-flags',
    source: 'https://wswld.net/2016/10/07/til-mongo-sucks',
    why: 'A queue asks for what has no flag yet, with $ne and $exists: false. With millions of documents each poll took longer than a minute; the flags were without indexes.',
    faults: [
      {
        what: 'Each poll scans the finished documents to find the few that have not been exported.',
        collection: 'records',
        about: 'exported',
        severity: 'warning',
        cure: 'db.records.createIndex({ exported: 1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'records',
        p.times(30_000, (index) => ({
          _id: p.id((30_000 - index) * HOUR * 0.1),
          key: index,
          body: p.words(12),
          ...(index > 29_960 ? {} : { exported: true, exportedAt: p.date() }),
        })),
      );
      await p.database.collection('records').createIndex({ key: 1 }, { unique: true });
    },
    async use(database, p) {
      const records = database.collection('records');
      for (let poll = 0; poll < 120; poll += 1) {
        const waiting = await records
          .find({ exported: { $ne: true } })
          .limit(5)
          .toArray();
        if (poll % 10 === 0)
          for (const { _id } of waiting.slice(0, 2))
            await records.updateOne({ _id }, { $set: { exported: true, exportedAt: p.date(0) } });
        for (let read = 0; read < 3; read += 1) await records.findOne({ key: p.random.below(30_000) });
        if (poll % 5 === 0) await records.insertOne({ key: 40_000 + poll, body: p.words(12) });
      }
    },
  },
];

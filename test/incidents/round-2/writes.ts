import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from './workload.js';

/** What writing suffers from, or leaves behind. */
export const WRITES: readonly Incident[] = [
  {
    name: 'lightrag-edges',
    source: 'https://github.com/HKUDS/LightRAG/pull/3172',
    why: 'Two writers upsert the same edge at once, each in its own direction, and both insert: no unique index forbids it.',
    faults: [
      {
        what: 'Edges are upserted by a $or of both directions without a unique index: some exist twice already.',
        collection: 'chunk_entity_relation_edges',
        about: 'source_node_id',
        severity: 'warning',
        cure: 'Upsert by the sorted pair: db.chunk_entity_relation_edges.createIndex({ edge_lo: 1, edge_hi: 1 }, { unique: true })',
      },
    ],
    async plant(p) {
      await p.fill(
        'chunk_entity_relation',
        p.times(5_000, (index) => ({
          _id: `Entity ${index}`,
          entity_type: p.random.choose(['person', 'place', 'event', 'concept']),
          description: p.words(20),
          source_id: `chunk-${p.random.below(3_000)}`,
        })),
      );
      await p.fill(
        'chunk_entity_relation_edges',
        p.times(15_000, (index) => {
          // Every fiftieth is the edge before it, in the other direction.
          const [number, reversed] = index % 50 === 49 ? [index - 1, true] : [index, false];
          const ends = [`Entity ${number % 5_000}`, `Entity ${(number * 7 + Math.floor(number / 5_000) + 1) % 5_000}`];
          return {
            _id: p.id(),
            source_node_id: ends[reversed ? 1 : 0],
            target_node_id: ends[reversed ? 0 : 1],
            weight: p.random.between(1, 10),
            keywords: p.words(3),
            description: p.words(18),
            source_id: `chunk-${p.random.below(3_000)}`,
          };
        }),
      );
      await p.database.collection('chunk_entity_relation_edges').createIndex({ source_node_id: 1 });
      await p.database.collection('chunk_entity_relation_edges').createIndex({ target_node_id: 1 });
    },
    async use(database, p) {
      const edges = database.collection('chunk_entity_relation_edges');
      const upsert = (source: string, target: string) =>
        edges.updateOne(
          {
            $or: [
              { source_node_id: source, target_node_id: target },
              { source_node_id: target, target_node_id: source },
            ],
          },
          { $set: { source_node_id: source, target_node_id: target, weight: p.random.below(9), keywords: p.words(3) } },
          { upsert: true },
        );
      await repeat(200, () => {
        const [source, target] = [`Entity ${p.random.below(5_000)}`, `Entity ${p.random.below(5_000)}`];
        return Promise.all([upsert(source, target), upsert(target, source)]);
      });
      await repeat(300, () => {
        const entity = `Entity ${p.random.below(5_000)}`;
        return edges.find({ $or: [{ source_node_id: entity }, { target_node_id: entity }] }).toArray();
      });
      const nodes = database.collection<{ _id: string; description: string }>('chunk_entity_relation');
      await repeat(300, () =>
        nodes.updateOne(
          { _id: `Entity ${p.random.below(5_100)}` },
          { $set: { description: p.words(20) } },
          { upsert: true },
        ),
      );
      await repeat(300, () => nodes.findOne({ _id: `Entity ${p.random.below(5_000)}` }));
    },
  },
  {
    name: 'mongoengine-counters',
    source: 'https://github.com/MongoEngine/mongoengine/issues/1742',
    why: 'Every event takes its number from one counter document: the increments conflict, 114 times in one of them.',
    faults: [
      {
        what: 'All inserts pass through one counter, a document that every writer updates at once.',
        collection: 'mongoengine.counters',
        about: 'next',
        severity: 'info',
        cure: 'ObjectIds, or numbers taken a hundred at a time',
      },
    ],
    async plant(p) {
      await p.fill('mongoengine.counters', [
        { _id: 'read_event.event_seq_id', next: 20_000 },
        { _id: 'user.number', next: 3_000 },
      ]);
      await p.fill(
        'read_event',
        p.times(20_000, (index) => ({
          _id: numbered(p, index),
          event_seq_id: index + 1,
          user: `user-${p.random.below(3_000)}`,
          article: `article-${p.random.below(800)}`,
          read_at: p.date(300 * DAY - index * 5 * MINUTE),
        })),
      );
      await p.database.collection('read_event').createIndex({ event_seq_id: 1 }, { unique: true });
      await p.database.collection('read_event').createIndex({ user: 1, read_at: -1 });
    },
    async use(database, p) {
      const counters = database.collection<{ _id: string; next: number }>('mongoengine.counters');
      const event = async () => {
        const counter = await counters.findOneAndUpdate(
          { _id: 'read_event.event_seq_id' },
          { $inc: { next: 1 } },
          { upsert: true, returnDocument: 'after' },
        );
        await database.collection('read_event').insertOne({
          event_seq_id: counter?.next,
          user: `user-${p.random.below(3_000)}`,
          article: `article-${p.random.below(800)}`,
          read_at: new Date(p.now),
        });
      };
      await repeat(40, () => Promise.all(Array.from({ length: 40 }, event)));
      await repeat(500, () =>
        database
          .collection('read_event')
          .find({ user: `user-${p.random.below(3_000)}` })
          .sort({ read_at: -1 })
          .limit(20)
          .toArray(),
      );
      await repeat(200, () => database.collection('read_event').findOne({ event_seq_id: p.random.between(1, 20_000) }));
    },
  },
  {
    name: 'graylog-system-messages',
    source: 'https://github.com/Graylog2/graylog2-server/issues/6118',
    why: 'Nothing ever deletes the messages of the system: the disk fills with them, and the server stops.',
    faults: [
      {
        what: 'A log of 50,000 messages of 13 months that nobody trims: neither capped nor with an expiry.',
        collection: 'system_messages',
        about: 'timestamp',
        severity: 'info',
        cure: 'db.system_messages.createIndex({ timestamp: 1 }, { expireAfterSeconds: 2592000 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'system_messages',
        p.times(50_000, (index) => ({
          _id: p.id((50_000 - index) * 11 * MINUTE),
          caller: `org.graylog2.${p.word()}.${p.word()}`,
          content: p.words(14),
          timestamp: p.date((50_000 - index) * 11 * MINUTE),
          node_id: `node-${index % 3}`,
        })),
      );
      await p.fill(
        'streams',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          title: p.words(3),
          index_set_id: `set-${index % 40}`,
          disabled: p.random.chance(0.1),
        })),
      );
      await p.fill(
        'nodes',
        p.times(3, (index) => ({ _id: p.id(), node_id: `node-${index}`, last_seen: p.date(0) })),
      );
      await p.database.collection('system_messages').createIndex({ timestamp: -1 });
      await p.database.collection('streams').createIndex({ index_set_id: 1 });
      await p.database.collection('nodes').createIndex({ node_id: 1 }, { unique: true });
    },
    async use(database, p) {
      const messages = database.collection('system_messages');
      await repeat(300, (index) =>
        messages.insertOne({
          caller: `org.graylog2.${p.word()}.${p.word()}`,
          content: p.words(14),
          timestamp: new Date(p.now + index * 10_000),
          node_id: `node-${index % 3}`,
        }),
      );
      await repeat(100, (index) =>
        messages
          .find({})
          .sort({ timestamp: -1 })
          .skip(30 * (index % 3))
          .limit(30)
          .toArray(),
      );
      await repeat(400, (index) =>
        database
          .collection('nodes')
          .updateOne({ node_id: `node-${index % 3}` }, { $set: { last_seen: new Date(p.now + index * 1_000) } }),
      );
      await repeat(250, () =>
        database
          .collection('streams')
          .find({ index_set_id: `set-${p.random.below(40)}` })
          .toArray(),
      );
    },
  },
  {
    name: 'kernelci-node-indexes',
    source: 'https://github.com/kernelci/kernelci-api/issues/706',
    why: 'Eighteen indexes made by hand, a third of the disk: prefixes of others, indexes on fields that no document has, half of them unused.',
    faults: [
      {
        what: 'The index on the commit alone is the beginning of the one on commit, branch and tree.',
        collection: 'node',
        about: 'data.kernel_revision.commit',
        severity: 'info',
        cure: "db.node.dropIndex('data.kernel_revision.commit_1')",
      },
      {
        what: 'The index on id holds nothing: documents have only _id.',
        collection: 'node',
        about: 'id_1',
        severity: 'info',
        cure: "db.node.dropIndex('id_1')",
      },
    ],
    async plant(p) {
      await p.fill(
        'node',
        p.times(15_000, (index) => ({
          _id: numbered(p, index),
          kind: p.random.choose(['checkout', 'kbuild', 'job', 'test', 'test']),
          name: `${p.random.choose(['baseline', 'kselftest', 'ltp'])}-${index % 90}`,
          path: ['checkout', p.word()],
          group: p.word(),
          parent: numbered(p, Math.floor(index / 6)),
          state: p.random.choose(['running', 'available', 'closing', 'done', 'done', 'done']),
          result: p.random.choose(['pass', 'fail', 'skip', 'incomplete']),
          owner: p.random.choose(['production', 'staging']),
          submitter: `service:${p.word()}`,
          treeid: p.word(),
          data: {
            arch: p.random.choose(['arm64', 'x86_64', 'riscv']),
            platform: `board-${p.random.below(60)}`,
            kernel_revision: { commit: `c${index % 900}`, branch: `branch-${index % 12}`, tree: `tree-${index % 9}` },
          },
          created: new Date(p.now - 300 * DAY + index * 25 * MINUTE),
          updated: new Date(p.now - 300 * DAY + index * 25 * MINUTE + HOUR),
          timeout: new Date(p.now - 300 * DAY + index * 25 * MINUTE + 6 * HOUR),
        })),
      );
      const revision = 'data.kernel_revision';
      const indexes: Record<string, 1 | -1>[] = [
        { [`${revision}.commit`]: 1 },
        { [`${revision}.commit`]: 1, [`${revision}.branch`]: 1, [`${revision}.tree`]: 1 },
        { [`${revision}.tree`]: 1, [`${revision}.branch`]: 1, created: -1 },
        { created: 1 },
        { created: 1, updated: -1 },
        { id: 1 },
        { parent: 1 },
        { kind: 1, state: 1, created: -1 },
        { state: 1, timeout: 1 },
        { name: 1, created: -1 },
        { treeid: 1 },
        { group: 1 },
        { owner: 1, updated: -1 },
        { submitter: 1 },
        { result: 1, name: 1 },
        { 'data.arch': 1, name: 1 },
        { 'data.platform': 1, created: -1 },
        { updated: -1 },
      ];
      for (const index of indexes) await p.database.collection('node').createIndex(index);
    },
    async use(database, p) {
      const nodes = database.collection('node');
      await repeat(300, () => nodes.findOne({ _id: numbered(p, p.random.below(15_000)) }));
      await repeat(250, () => nodes.find({ parent: numbered(p, p.random.below(2_500)) }).toArray());
      await repeat(150, () => nodes.find({ 'data.kernel_revision.commit': `c${p.random.below(900)}` }).toArray());
      await repeat(100, () => nodes.find({ kind: 'kbuild', state: 'done' }).sort({ created: -1 }).limit(25).toArray());
      await repeat(80, () => nodes.find({ treeid: p.word() }).toArray());
      await repeat(300, () =>
        nodes.updateOne(
          { _id: numbered(p, p.random.below(15_000)) },
          { $set: { state: 'done', updated: new Date(p.now + p.random.below(HOUR)) } },
        ),
      );
    },
  },
];

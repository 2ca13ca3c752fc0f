/** Holds the estimated sizes of indexes against those that a real server builds. */
import { createHash } from 'node:crypto';
import { Decimal128, Double, Int32, Long, ObjectId, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import type { IndexCost } from '../../../src/inventory/index-proposal.js';
import { indexCost } from '../../../src/judgement/indexes/index-cost.js';
import { present } from '../../../src/presence.js';
import { fieldTypesOf } from '../../../src/profile/field-types.js';
import { freshDatabase, sharedClient } from '../../support/database.js';
import { profileOf } from '../../support/documents/profiles.js';

const DOCUMENTS = 10_000;
/** Of them, as a sample. */
const SAMPLED = 1_000;
/** A checkpoint amid a build makes the file of an index larger: once 2.5 times, on a busy machine. */
const BUILDS = 4;
const DAY = 86_400_000;
const FIRST_NAMES = ['Ada', 'Barbara', 'Carl', 'Dorothy', 'Edsger', 'Frances', 'Grace', 'Hedy', 'Ivan', 'Jean'];
const LAST_NAMES = ['Allen', 'Backus', 'Church', 'Dijkstra', 'Engelbart', 'Floyd', 'Gray', 'Hopper', 'Iverson', 'Jobs'];

const random = new SeededRandom(7);
const below = (most: number) => random.below(most);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

const customers = Array.from({ length: 2_500 }, () => new ObjectId());
const notes = Array.from({ length: 30 }, (_, position) => `Template ${position}: ${'text '.repeat(16)}`);

function ticket(position: number): Document {
  const at = Date.UTC(2026, 0, 1) + position * 40_000;
  return {
    _id: new ObjectId(),
    state: oneOf(['open', 'waiting', 'closed', 'spam']),
    priority: new Int32(below(4)),
    isUrgent: random.next() < 0.1,
    customer: oneOf(customers),
    agent: new Int32(below(150)),
    openedAt: new Date(at),
    dueAt: new Date(at + below(90) * DAY + below(DAY)),
    zip: String(10_000 + below(80_000)),
    phone: `+49 30 ${below(9_000_000) + 1_000_000}`,
    fullName: `${oneOf(LAST_NAMES)}, ${oneOf(FIRST_NAMES)}`,
    login: `${oneOf(FIRST_NAMES).toLowerCase()}${below(50_000)}`,
    digest: sha1(String(position)),
    page: `/support/${oneOf(['billing', 'delivery', 'returns'])}/2026/${below(12)}/ticket-${position}`,
    number: `T-${String(position).padStart(7, '0')}`,
    day: new Date(at).toISOString().slice(0, 10),
    note: oneOf(notes),
    amount: new Double(below(1_000_000) / 100),
    precise: Decimal128.fromString((below(1_000_000) / 100).toFixed(2)),
    millis: Long.fromNumber(at),
    ...(random.next() < 0.2 && { escalatedAt: new Date(at) }),
    watchers: Array.from({ length: below(5) }, () => oneOf(customers)),
    labels: Array.from({ length: 3 }, () => `label-${below(40)}`),
    messages: Array.from({ length: 4 }, () => ({ by: oneOf(customers), at: new Date(at + below(DAY)) })),
  };
}

/** Texts that are long and alike: neither their lengths nor their types tell it. */
const BEYOND = 'note_1';

const KEYS: readonly Readonly<Record<string, 1 | -1 | 'hashed'>>[] = [
  'state',
  'priority',
  'isUrgent',
  'customer',
  'agent',
  'openedAt',
  'dueAt',
  'zip',
  'phone',
  'fullName',
  'login',
  'digest',
  'page',
  'number',
  'day',
  'note',
  'amount',
  'precise',
  'millis',
  'escalatedAt',
  'watchers',
  'labels',
  'messages.by',
  'messages.at',
].map((path) => ({ [path]: 1 as const }));
const COMPOUND: typeof KEYS = [
  { customer: 1, openedAt: -1 },
  { state: 1, priority: -1, openedAt: -1 },
  { agent: 1, state: 1, dueAt: 1 },
  { isUrgent: 1, agent: 1 },
  { fullName: 1, zip: 1 },
  { labels: 1, openedAt: -1 },
  { state: 1, 'messages.by': 1 },
  { customer: 'hashed' },
];

describe('what an index costs', () => {
  const client = sharedClient();
  const tickets = freshDatabase(client).collection('tickets');
  const costs = new Map<string, IndexCost | null>();
  let sizes: Readonly<Record<string, number>>;

  async function builtSizes(): Promise<Readonly<Record<string, number>>> {
    await client.db('admin').command({ fsync: 1 });
    const [statistics] = await tickets.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
    return statistics?.['storageStats'].indexSizes;
  }

  function outsideBounds(): string[] {
    const outside = [...costs].filter(([name, cost]) => {
      const [size, bytes] = [cost?.size, sizes[name] ?? 0];
      return size === undefined || size === null || bytes < size.least || bytes > size.most;
    });
    return outside.map(([name]) => name);
  }

  beforeAll(async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, position) => ticket(position));
    await tickets.insertMany(documents);
    const sample = { method: 'whole-collection', complete: false, boundedBy: null, elapsed: 1 } as const;
    const sampled = documents.filter((_, position) => position % (DOCUMENTS / SAMPLED) === 0);
    const fieldTypes = present(fieldTypesOf({ profile: profileOf(sampled), sample }));
    const storage = present({
      count: DOCUMENTS,
      size: null,
      averageDocumentSize: null,
      storageSize: null,
      totalIndexSize: null,
      indexSizes: null,
      orphans: 0,
      shards: 0,
    });
    const keys = [...KEYS, ...COMPOUND];
    const names = await tickets.createIndexes(keys.map((key) => ({ key })));
    for (const [position, key] of keys.entries())
      costs.set(
        names[position] ?? '',
        indexCost({ key }, { storage, fieldTypes, collection: { clustered: false } }, []),
      );
    sizes = await builtSizes();
    for (let build = 1; build < BUILDS && outsideBounds().length > 0; build += 1) {
      const outside = outsideBounds();
      const again = keys.filter((_, position) => outside.includes(names[position] ?? ''));
      for (const name of outside) await tickets.dropIndex(name);
      await tickets.createIndexes(again.map((key) => ({ key })));
      sizes = await builtSizes();
    }
  }, 120_000);

  it('lies within its bounds for every key', () => {
    expect(outsideBounds().map((name) => [name, sizes[name], costs.get(name)])).toEqual([]);
  });

  it('is within two times what the server builds', () => {
    const wrong = [...costs].filter(([name, cost]) => {
      const ratio = (cost?.size?.estimate ?? 0) / (sizes[name] ?? 1);
      return name !== BEYOND && (ratio < 0.5 || ratio > 2);
    });
    expect(wrong.map(([name, cost]) => [name, sizes[name], cost?.size])).toEqual([]);
  });

  it('counts an entry for each document, and for each element of arrays within a tenth', async () => {
    expect(costs.get('customer_1')).toMatchObject({ entries: DOCUMENTS, areEntriesEstimated: false });
    for (const [path, name] of [
      ['watchers', 'watchers_1'],
      ['messages.by', 'state_1_messages.by_1'],
    ] as const) {
      const { executionStats } = await tickets
        .find({ [path]: { $gte: new ObjectId('000000000000000000000000') } }, { hint: name, projection: { _id: 1 } })
        .explain('executionStats');
      const without = await tickets.countDocuments({ [path]: { $size: 0 } });
      const { entries } = costs.get(name) as IndexCost;
      expect(executionStats.totalKeysExamined + without).toBeGreaterThan(0.9 * entries);
      expect(executionStats.totalKeysExamined + without).toBeLessThan(1.1 * entries);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { reusableSpace } from '../../checks/reusable-space.js';
import type { CollectionReads, GrowthEvidence, StorageStatistics } from '../../src/check.js';
import { absent } from '../../src/presence.js';
import { judge, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { index } from '../support/checks/index-builders.js';
import { readsOf } from '../support/workload/reads.js';

const GB = 1024 ** 3;

const stored = (storage: Partial<StorageStatistics>, rest: Given = {}): Given => ({
  ...rest,
  storage: { count: 1_000_000, size: 10 * GB, indexSizes: { _id_: GB }, indexFreeStorageSizes: {}, ...storage },
});
const mostlyFree = (rest: Given = {}) => stored({ storageSize: 50 * GB, freeStorageSize: 40 * GB }, rest);

/** Documents that a run counted so many days ago. */
const counted = (documents: number, daysAgo: number): Given => {
  const none = absent('insufficient', 'not there.');
  const growth: GrowthEvidence = {
    arrays: [],
    sizes: { age: null, history: null, growth: null, forecast: null },
    sources: { age: none, oplog: none, history: none },
    earlierCount: { documents, daysAgo },
  };
  return { growth };
};
const QUEUE = readsOf([{ kind: 'insert' }, { kind: 'findAndModify' }]) as CollectionReads;
const INSERTED_ONLY = readsOf([{ kind: 'insert' }]) as CollectionReads;

describe('files that are free for the most part', () => {
  it.each<[string, Given, [severity: string, confidence: string, says: string]]>([
    ['of nothing known', mostlyFree(), ['info', 'low', 'Whether it fills up again is not known.']],
    ['of inserts alone', mostlyFree({ reads: INSERTED_ONLY }), ['info', 'low', 'is not known']],
    ['of a queue', mostlyFree({ reads: QUEUE }), ['info', 'low', 'inserts and deletes were recorded']],
    [
      'with a TTL index, also if an earlier run counted as many',
      mostlyFree({ ...counted(1_000_000, 30), indexes: [index({ at: 1 }, { expireAfterSeconds: 60 })] }),
      ['info', 'low', 'TTL index at_1'],
    ],
    [
      'as many documents as a month ago',
      mostlyFree(counted(1_000_000, 30)),
      ['warning', 'high', 'will not need the space'],
    ],
    ['fewer than a month ago', mostlyFree(counted(5_000_000, 30)), ['warning', 'high', '5,000,000 documents']],
    [
      // Four times as many fit in: 4,000,000 ÷ (10,000 a day) are 400 days.
      'growth that takes a year',
      mostlyFree(counted(700_000, 30)),
      ['warning', 'high', 'will not need the space'],
    ],
    ['growth that takes 80 days', mostlyFree(counted(500_000, 10)), ['info', 'medium', 'in about']],
    ['counted three days ago', mostlyFree(counted(1_000_000, 3)), ['info', 'low', 'is not known']],
    [
      'of 5 GB',
      stored({ storageSize: 6 * GB, freeStorageSize: 5 * GB }, counted(1_000_000, 30)),
      ['info', 'high', 'will not need the space'],
    ],
    [
      'of an index alone',
      stored({
        storageSize: 50 * GB,
        freeStorageSize: GB,
        indexSizes: { a_1: 4 * GB, _id_: 3 * GB },
        indexFreeStorageSizes: { a_1: 3 * GB, _id_: GB },
      }),
      ['info', 'low', 'index a_1 75 % of 4 GB'],
    ],
    [
      'on one shard',
      stored({
        storageSize: 100 * GB,
        freeStorageSize: 30 * GB,
        shards: 2,
        byShard: [
          { shard: 'sh1', count: 1, size: 1, orphans: 0, storageSize: 50 * GB, freeStorageSize: 0 },
          { shard: 'sh2', count: 1, size: 1, orphans: 0, storageSize: 50 * GB, freeStorageSize: 30 * GB },
        ],
      }),
      ['info', 'low', 'the collection on sh2 60 % of 50 GB'],
    ],
  ])('%s', (_, given, [severity, confidence, says]) => {
    const found = problem(reusableSpace, given);
    expect(found).toMatchObject({ severity, confidence, path: null });
    expect(found.message).toContain(says);
    expect(found.remedy.commands).toBeUndefined();
  });

  it('advises no compaction if new documents take the space', () => {
    expect(problem(reusableSpace, mostlyFree(counted(500_000, 10))).remedy.text).toMatch(/^Leave it/);
  });

  it('names the shard to compact', () => {
    const shard = { shard: 'sh2', count: 1, size: 1, orphans: 0, storageSize: 50 * GB, freeStorageSize: 30 * GB };
    const given = stored({ storageSize: 50 * GB, freeStorageSize: 30 * GB, shards: 1, byShard: [shard] });
    expect(problem(reusableSpace, given).remedy.text).toContain('one secondary after the other of sh2');
  });
});

describe('files that are no finding', () => {
  it.each<[string, Given]>([
    ['less than half free', stored({ storageSize: 50 * GB, freeStorageSize: 24 * GB })],
    ['less than 1 GB free', stored({ storageSize: GB, freeStorageSize: 0.9 * GB })],
    ['nothing free', stored({ storageSize: 50 * GB, freeStorageSize: 0 })],
    ['no documents', stored({ count: 0, storageSize: 50 * GB, freeStorageSize: 50 * GB })],
    ['capped', mostlyFree({ collection: { capped: { sizeBytes: 1 } } })],
  ])('%s', (_, given) => {
    expect(problems(reusableSpace, given)).toEqual([]);
  });

  it('is not judged if the server does not report', () => {
    expect(judge(reusableSpace, { storage: { count: 5 } })).toEqual([
      { notJudged: 'unsupported', detail: expect.stringContaining('4.4'), nothingJudged: true },
    ]);
  });
});

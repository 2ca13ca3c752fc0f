import { Long } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { assertReadOnlyCommand } from '../../../src/connect/allowed-commands.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { fieldOrders, type KeyRow } from '../../../src/evidence/sharding/key-order.js';
import { shardKeyAnalysis } from '../../../src/evidence/sharding/shard-key-evidence.js';
import { shardKeyOf } from '../../../src/inventory/sharding.js';
import { orderVerdict } from '../../../src/judgement/shard-keys/better-key.js';
import { compareBson } from '../../../src/profile/bson-order.js';
import { EXCHANGEABLE_KINDS, MONOTONIC_KINDS } from '../../support/sharding/key-kinds.js';

// As the manual documents them for 7.0 and 8.0. shard-key-analysis.live.test.ts reads those of a server.
const DOCUMENTED = {
  keyCharacteristics: {
    numDocsTotal: Long.fromNumber(9_039),
    numOrphanDocs: Long.fromNumber(0),
    avgDocSizeBytes: Long.fromNumber(153),
    numDocsSampled: Long.fromNumber(9_039),
    isUnique: false,
    numDistinctValues: Long.fromNumber(30),
    mostCommonValues: [
      { value: { lastName: 'Smith' }, frequency: Long.fromNumber(1_013) },
      { value: { lastName: 'Johnson' }, frequency: Long.fromNumber(984) },
    ],
    monotonicity: { recordIdCorrelationCoefficient: 0.0771959161, type: 'not monotonic' },
  },
};

describe('an answer of analyzeShardKey', () => {
  it('is read as the manual documents it, without the values that it quotes', () => {
    const analysis = shardKeyAnalysis(DOCUMENTED);
    expect(analysis).toEqual({
      present: true,
      value: {
        documentsSampled: 9_039,
        distinctValues: 30,
        unique: false,
        mostCommonShare: 1_013 / 9_039,
        monotonicity: 'not monotonic',
        correlation: 0.0771959161,
      },
    });
    expect(JSON.stringify(analysis)).not.toContain('Smith');
  });

  it.each([
    [
      'unknown monotonicity',
      { ...DOCUMENTED.keyCharacteristics, monotonicity: { type: 'unknown' } },
      { monotonicity: 'unknown', correlation: null },
    ],
    [
      'a word of a later version',
      { ...DOCUMENTED.keyCharacteristics, monotonicity: { type: 'partly' } },
      { monotonicity: 'unknown' },
    ],
    [
      'no common values',
      { numDocsTotal: 10, numDistinctValues: 10, isUnique: true, mostCommonValues: [] },
      { documentsSampled: 10, unique: true, mostCommonShare: null },
    ],
  ])('may have %s', (_, keyCharacteristics, expected) => {
    expect(shardKeyAnalysis({ keyCharacteristics })).toMatchObject({ value: expected });
  });

  it('is none without an index that supports the key', () => {
    expect(shardKeyAnalysis({ keyCharacteristics: {} })).toBeNull();
    expect(shardKeyAnalysis({ readDistribution: {} })).toBeNull();
  });
});

/**
 * What the server's source computes for a ranged key: Pearson's correlation of the place in the index, of each different
 * value, with the RecordId; monotonic from 0.7 on. Computed here, as no 7.0 server can be had.
 */
function answerFor(values: readonly unknown[]): { keyCharacteristics: object } {
  const entries = values
    .map((value, recordId) => ({ value, recordId }))
    .sort((a, b) => compareBson(a.value, b.value) || a.recordId - b.recordId);
  const first = entries.filter(
    ({ value }, place) => place === 0 || compareBson(entries[place - 1]?.value, value) !== 0,
  );
  const correlation = pearson(
    first.map((_, place) => place),
    first.map(({ recordId }) => recordId),
  );
  const type = Math.abs(correlation) >= 0.7 ? 'monotonic' : 'not monotonic';
  return {
    keyCharacteristics: {
      numDocsSampled: values.length,
      numDistinctValues: first.length,
      monotonicity: { recordIdCorrelationCoefficient: correlation, type },
    },
  };
}

const mean = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / of.length;
const spread = (of: readonly number[], middle: number) =>
  Math.sqrt(of.reduce((sum, each) => sum + (each - middle) ** 2, 0));

function pearson(x: readonly number[], y: readonly number[]): number {
  const [meanX, meanY] = [mean(x), mean(y)];
  const covariance = x.reduce((sum, each, index) => sum + (each - meanX) * ((y[index] as number) - meanY), 0);
  return covariance / (spread(x, meanX) * spread(y, meanY));
}

describe('mongolint and analyzeShardKey agree', () => {
  // In the order of their bytes, UUIDs of version 1 are in no order: what they do to inserts, the server's figure does not see.
  const monotonic = MONOTONIC_KINDS.filter(([name]) => name !== 'UUIDs of version 1');
  it.each([
    ...monotonic.map(([name, valueOf]) => [name, valueOf, 'monotonic'] as const),
    ...EXCHANGEABLE_KINDS.map(([name, valueOf]) => [name, valueOf, 'not monotonic'] as const),
  ])('on %s', (_, valueOf, expected) => {
    const random = new SeededRandom(17);
    const day = 86_400_000;
    const values = Array.from({ length: 800 }, (__, index) =>
      valueOf({ time: Date.UTC(2025, 0, 1) + (index / 800) * 90 * day, index, random }),
    );
    const server = shardKeyAnalysis(answerFor(values));
    const rows = values.map((value, inserted): KeyRow => ({ inserted, values: [value], group: '' }));
    const own = orderVerdict(fieldOrders(shardKeyOf({ key: 1 }), rows), { correlation: 0.7, spreadValues: 50 });
    expect(server).toMatchObject({ value: { monotonicity: expected } });
    expect(own.kind === 'monotonic').toBe(expected === 'monotonic');
  });
});

describe('the command itself', () => {
  const reading = {
    analyzeShardKey: 'shop.orders',
    key: { at: 1 },
    keyCharacteristics: true,
    readWriteDistribution: false,
    sampleSize: 10_000,
  };

  it('may be sent where it reads a bounded sample', () => {
    expect(() => assertReadOnlyCommand(reading)).not.toThrow();
  });

  it.each([
    ['would have it write split points', { ...reading, readWriteDistribution: true }],
    [
      'leaves that to the default, which writes them',
      { analyzeShardKey: 'shop.orders', key: { at: 1 }, sampleSize: 10_000 },
    ],
    ['has no bound', { analyzeShardKey: 'shop.orders', key: { at: 1 }, readWriteDistribution: false }],
  ])('may not where it %s', (_, command) => {
    expect(() => assertReadOnlyCommand(command)).toThrow('never writes');
  });
});

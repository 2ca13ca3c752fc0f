import { describe, expect, it } from 'vitest';
import { jumboChunk } from '../../checks/jumbo-chunk.js';
import { reported } from '../support/checks/reported-problem.js';
import { MB, part, shardedCollection, sharding, shardKey, storage } from '../support/checks/sharded-evidence.js';

function judged(
  jumboChunks: number,
  { mostCommonShare = 0.001, chunks = 10, error = 0.1, collection = shardedCollection({ chunkBytes: 64 * MB }) } = {},
) {
  return reported(
    jumboChunk.judge(
      {
        collection,
        sharding: sharding([part('sh1', { jumboChunks, chunks }), part('sh2', { chunks })]),
        shardKey: shardKey({
          values: {
            sample: 1_000,
            distinct: 900,
            seenOnce: 800,
            estimatedDistinct: 900,
            mostCommonShare,
            shares: [mostCommonShare],
            effectiveValues: 500,
          },
        }),
        indexes: [],
        storage: storage(),
      },
      { error },
    ),
  );
}

describe('jumbo chunks', () => {
  it.each([
    [1, {}, 'warning'],
    [2, {}, 'error'],
    [2, { error: 0.2 }, 'warning'],
    [50, { chunks: 1_000 }, 'warning'],
  ])('%i of the chunks, %o: %s', (jumbo, given, severity) => {
    expect(judged(jumbo, given)).toMatchObject([
      {
        severity,
        confidence: 'high',
        path: null,
        evidence: { jumboChunks: jumbo, shards: [{ shard: 'sh1', jumboChunks: jumbo }] },
      },
    ]);
  });

  it('are nothing where there are none', () => {
    expect(judged(0)).toEqual([]);
  });

  it('are made divisible by another field where one value fills a chunk', () => {
    const [found] = judged(3, { mostCommonShare: 0.5 });
    expect(found).toMatchObject({
      message: expect.stringContaining('One value of the shard key { at: 1 } has 50 % of the documents, about 1 GB'),
      remedy: {
        commands: [{}, { command: { refineCollectionShardKey: 'shop.orders', key: { at: 1, _id: 'hashed' } } }],
      },
    });
  });

  it('are split where they have several values, which takes bounds that are values of documents', () => {
    const [found] = judged(3);
    expect(found).toMatchObject({
      remedy: { text: expect.stringContaining('sh.splitFind("shop.orders", <the chunk\'s min>)') },
    });
    expect(found).not.toHaveProperty('remedy.commands');
  });

  it('are named as mongosh reads them', () => {
    const [found] = judged(3, {
      collection: { ...shardedCollection({ chunkBytes: 64 * MB }), namespace: 'shop.the "old" ones' },
    });
    expect(found).toMatchObject({
      remedy: { text: expect.stringContaining(String.raw`sh.splitFind("shop.the \"old\" ones", `) },
    });
  });

  it('of a unique key are left to people: refined, it would be unique no more', () => {
    const [found] = judged(3, { mostCommonShare: 0.5, collection: shardedCollection({ unique: true }) });
    expect(found).toMatchObject({ remedy: { text: expect.stringContaining('The current key is unique') } });
    expect(found).not.toHaveProperty('remedy.commands');
  });
});

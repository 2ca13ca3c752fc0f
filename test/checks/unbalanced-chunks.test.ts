import { describe, expect, it } from 'vitest';
import { unbalancedChunks } from '../../checks/unbalanced-chunks.js';
import type { ShardPart } from '../../src/evidence/sharding/chunks.js';
import type { Balancer, CollectionSharding } from '../../src/inventory/sharding.js';
import { reported } from '../support/checks/reported-problem.js';
import { DAY_MS, MB, part, shardedCollection, sharding, storage } from '../support/checks/sharded-evidence.js';

const DEFAULTS = { chunkSizes: 3, warning: 0.5, begun: 1 };
const ON: Balancer = { enabled: true, window: null, evensOut: 'bytes' };
const OFF: Balancer = { ...ON, enabled: false };
const BY_CHUNKS: Balancer = { ...ON, evensOut: 'chunks' };

function judged(
  parts: readonly ShardPart[],
  { balancer = ON, own = {} as Partial<CollectionSharding>, thresholds = {} } = {},
) {
  return reported(
    unbalancedChunks.judge(
      { collection: shardedCollection(own, { balancer }), sharding: sharding(parts), storage: storage() },
      { ...DEFAULTS, ...thresholds },
    ),
  );
}

const holding = (shard: string, megabytes: number, changes: Partial<ShardPart> = {}) =>
  part(shard, { bytes: megabytes * MB, ...changes });

describe('shards by bytes', () => {
  it.each<[string, ShardPart[], string]>([
    ['half as much and less', [holding('sh1', 1_000), holding('sh2', 400)], 'warning'],
    [
      'nothing at all',
      [holding('sh1', 1_000), holding('sh2', 0, { chunks: 0, firstArrivalAge: null, lastArrivalAge: null })],
      'warning',
    ],
    ['more than half', [holding('sh1', 1_000), holding('sh2', 600)], 'info'],
    ['the emptiest of many', [holding('sh1', 1_000), holding('sh2', 900), holding('sh3', 10)], 'warning'],
  ])('out of balance: %s', (_, parts, severity) => {
    expect(judged(parts)).toMatchObject([
      { severity, path: null, evidence: { toleratedBytes: 384 * MB, balancer: 'stuck' } },
    ]);
  });

  it.each<[string, ShardPart[], object]>([
    ['as much', [holding('sh1', 1_000), holding('sh2', 1_000)], {}],
    ['less than three chunk sizes apart', [holding('sh1', 1_000), holding('sh2', 617)], {}],
    ['within a larger chunk size', [holding('sh1', 1_000), holding('sh2', 400)], { own: { chunkBytes: 256 * MB } }],
    ['one that is being drained', [holding('sh1', 1_000), holding('sh2', 10, { draining: true })], {}],
    [
      'different zones',
      [holding('sh1', 1_000, { zones: ['EU'] }), holding('sh2', 10, { zones: ['US'] })],
      { own: { zones: ['EU', 'US'] } },
    ],
    ['a threshold that allows it', [holding('sh1', 1_000), holding('sh2', 400)], { thresholds: { chunkSizes: 10 } }],
    [
      'as many bytes in fewer chunks',
      [holding('sh1', 1_000, { chunks: 90 }), holding('sh2', 1_000, { chunks: 5 })],
      {},
    ],
  ])('in balance: %s', (_, parts, given) => {
    expect(judged(parts, given)).toEqual([]);
  });

  it('are compared within the zones of this collection alone', () => {
    const zones = ['EU'];
    const parts = [
      holding('sh1', 1_000, { zones }),
      holding('sh2', 10, { zones: ['EU', 'archive'] }),
      holding('sh3', 5, { zones: ['US'] }),
    ];
    expect(judged(parts, { own: { zones } })).toMatchObject([
      {
        message: expect.stringContaining('sh1 holds 1000 MB, sh2 10 MB (1 % of that), and both are in the same zones.'),
      },
    ]);
  });
});

describe('shards by chunks, before 6.0.3', () => {
  it.each([
    [9, 10, false],
    [8, 10, true],
    [20, 23, false],
    [20, 24, true],
    [50, 57, false],
    [50, 58, true],
  ])('%i and %i chunks: out of balance: %s', (fewer, more, expected) => {
    const parts = [holding('sh1', 1_000, { chunks: more }), holding('sh2', 1_000, { chunks: fewer })];
    const found = judged(parts, { balancer: BY_CHUNKS });
    expect(found).toMatchObject(
      expected ? [{ evidence: { differenceChunks: more - fewer, source: 'config.chunks' } }] : [],
    );
    expect(found).toHaveLength(expected ? 1 : 0);
  });
});

const apart = (changes: Partial<ShardPart> = {}) => [holding('sh1', 1_000), holding('sh2', 100, changes)];

describe('the balancer', () => {
  it.each<[string, ReturnType<typeof apart>, object, object]>([
    [
      'off',
      apart(),
      { balancer: OFF },
      {
        severity: 'warning',
        evidence: { balancer: 'off' },
        remedy: { commands: [{ db: 'admin', command: { balancerStart: 1 } }] },
      },
    ],
    [
      'off for the collection',
      apart(),
      { own: { balanced: false } },
      {
        evidence: { balancer: 'off for the collection' },
        remedy: { commands: [{ db: 'config', command: { update: 'collections' } }] },
      },
    ],
    ['at work', apart({ lastArrivalAge: DAY_MS / 2 }), {}, { severity: 'info', evidence: { balancer: 'at work' } }],
    [
      'on, and idle',
      apart({ lastArrivalAge: 12 * DAY_MS }),
      {},
      { severity: 'warning', message: expect.stringContaining('has moved no chunk there for 12 days') },
    ],
    [
      'on in a window',
      apart(),
      { balancer: { ...ON, window: { start: '02:00', stop: '03:00' } } },
      { remedy: { text: expect.stringContaining('it works only from 02:00 to 03:00.') } },
    ],
    [
      'off since a shard was added',
      apart({ age: 1_000, firstArrivalAge: null, lastArrivalAge: null }),
      { balancer: OFF },
      { severity: 'warning' },
    ],
  ])('%s', (_, parts, given, expected) => {
    expect(judged(parts, given)).toMatchObject([expected]);
  });

  it.each<[string, Partial<ShardPart>]>([
    ['a shard that joined an hour ago', { age: DAY_MS / 24, firstArrivalAge: null, lastArrivalAge: null }],
    ['a shard whose first chunk came an hour ago', { firstArrivalAge: DAY_MS / 24, lastArrivalAge: 1_000 }],
  ])('that has just begun is given time: %s', (_, changes) => {
    expect(judged(apart(changes))).toMatchObject([{ notJudged: 'insufficient' }]);
  });
});

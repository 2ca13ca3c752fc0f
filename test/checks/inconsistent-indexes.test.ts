import { describe, expect, it } from 'vitest';
import { inconsistentIndexes } from '../../checks/inconsistent-indexes.js';
import type { IndexUsage } from '../../src/check.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';
import { withKnownFigures } from '../support/checks/reported-problem.js';
import { part, shardedCollection, sharding } from '../support/checks/sharded-evidence.js';

const STATUS = index({ status: 1 });

function judged(
  byShard: Readonly<Record<string, readonly string[]>>,
  {
    chunks = { sh1: 5, sh2: 5 } as Readonly<Record<string, number>>,
    building = [] as string[],
    indexes = [ID_INDEX, STATUS],
  } = {},
) {
  const nodes = Object.entries(byShard).map(([shard, names]) => ({
    node: `a member of shard ${shard}`,
    shard,
    indexes: Object.fromEntries(names.map((name) => [name, { accesses: 1, since: 0 }])),
    ...(building.length > 0 && shard === 'sh2' && { building }),
  }));
  const indexUsage: IndexUsage = { readAt: 0, nodes, nodesNotAsked: 0 };
  const parts = Object.entries(chunks).map(([shard, count]) => part(shard, { chunks: count }));
  return withKnownFigures(
    inconsistentIndexes.judge({ collection: shardedCollection(), sharding: sharding(parts), indexes, indexUsage }, {}),
  );
}

describe('indexes that a shard lacks', () => {
  it('are reported with the shard, and created again by their command', () => {
    expect(judged({ sh1: ['_id_', 'status_1'], sh2: ['_id_'] })).toMatchObject([
      {
        severity: 'warning',
        confidence: 'high',
        path: 'status_1',
        message:
          'Index `status_1` `{ status: 1 }` is missing on sh2: 1 of 2 shards that hold documents. A query that needs it reads all documents there.',
        evidence: { missingOn: ['sh2'], shards: 2 },
        remedy: {
          steps: [
            {
              command: {
                db: 'shop',
                command: { createIndexes: 'orders', indexes: [{ key: { status: 1 }, name: 'status_1' }] },
              },
            },
            {},
          ],
        },
      },
    ]);
  });

  it('are an error if they are unique', () => {
    const unique = { indexes: [ID_INDEX, index({ status: 1 }, { unique: true })] };
    expect(judged({ sh1: ['_id_', 'status_1'], sh2: ['_id_'] }, unique)).toMatchObject([{ severity: 'error' }]);
  });

  it('get no command if the evidence does not hold them whole', () => {
    const partial = { indexes: [ID_INDEX, index({ status: 1 }, { partialFilterExpression: { a: 1 } })] };
    const [problem] = judged({ sh1: ['_id_', 'status_1'], sh2: ['_id_'] }, partial);
    expect(JSON.stringify(problem)).not.toContain('createIndexes');
    // Listed from the shard that lacks it.
    const [unlisted] = judged({ sh1: ['_id_', 'status_1'], sh2: ['_id_'] }, { indexes: [ID_INDEX] });
    expect(unlisted).toMatchObject({ path: 'status_1', severity: 'warning' });
  });

  it.each<[string, ReturnType<typeof judged>]>([
    ['the same everywhere', judged({ sh1: ['_id_', 'status_1'], sh2: ['status_1', '_id_'] })],
    ['a shard without chunks', judged({ sh1: ['_id_', 'status_1'], sh2: ['_id_'] }, { chunks: { sh1: 5, sh2: 0 } })],
    ['one shard alone', judged({ sh1: ['_id_', 'status_1'] }, { chunks: { sh1: 5 } })],
  ])('are none: %s', (_, verdicts) => expect(verdicts).toEqual([]));

  it('are not judged while they are built, or if a shard is silent', () => {
    expect(judged({ sh1: ['_id_', 'status_1'], sh2: ['_id_'] }, { building: ['status_1'] })).toMatchObject([
      { notJudged: 'insufficient', detail: 'the index status_1 is being built; run again when it is done.' },
    ]);
    expect(judged({ sh1: ['_id_', 'status_1'] })).toMatchObject([{ notJudged: 'insufficient' }]);
  });
});

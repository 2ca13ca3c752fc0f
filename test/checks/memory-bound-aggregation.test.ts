import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { memoryBoundAggregation } from '../../checks/memory-bound-aggregation.js';
import type { OperationFigures } from '../../src/check.js';
import { foundIn, type GivenWorkload, problemsIn } from '../support/checks/workload-builders.js';

const GROUP = [{ $group: { _id: '$customer', total: { $sum: '$total' } } }];
const PUSH = [{ $group: { _id: '$customer', all: { $push: '$$ROOT' } } }];
const MB = 1024 ** 2;

const ran = (
  pipeline: readonly Document[],
  figures: Partial<OperationFigures> = {},
  given: Partial<GivenWorkload> = {},
): GivenWorkload => ({
  recorded: [{ kind: 'aggregate', command: { pipeline }, figures: { executions: 1_000, diskUses: 0, ...figures } }],
  ...given,
});

const told = (...given: Parameters<typeof ran>) => {
  const [problem] = problemsIn(memoryBoundAggregation, ran(...given));
  return [problem?.message, problem?.remedy.steps[1]?.text];
};

describe('memory-bound-aggregation', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['that spills again and again', ran(GROUP, { diskUses: 40 }), ['warning null']],
    ['that spilled once', ran(GROUP, { diskUses: 1 }), ['info null']],
    ['that spills once a day', ran(GROUP, { executions: 30, diskUses: 30 }), ['info null']],
    ['that fails for lack of memory', ran(PUSH, { errors: { ExceededMemoryLimit: 9 } }), ['warning null']],
    ['of which 8.3 says what it takes', ran(GROUP, { peakMemoryBytes: 60 * MB }), ['info null']],
    ['that collects all documents', ran(PUSH, {}, { bytes: 4_000 }), ['info null']],
    ['that will collect many', ran(PUSH, {}, { expected: { documents: 1_000_000 } }), ['info null']],
  ])('reports one %s', (_, given, expected) => {
    expect(foundIn(memoryBoundAggregation, given)).toEqual(expected);
  });

  it.each<[string, GivenWorkload]>([
    ['that fits', ran(GROUP)],
    ['that collects few documents', ran(PUSH)],
    ['that collects a page', ran([{ $limit: 30 }, ...PUSH], {}, { bytes: 4_000 })],
    ['that collects one field', ran([{ $group: { _id: '$a', all: { $push: '$b' } } }], {}, { bytes: 4_000 })],
    ['that fails by its time', ran(GROUP, { errors: { MaxTimeMSExpired: 9 } })],
    ['that is a find', { recorded: [{ command: { filter: {}, sort: { a: 1 } }, figures: { diskUses: 40 } }] }],
  ])('is silent on one %s', (_, given) => {
    expect(foundIn(memoryBoundAggregation, given)).toEqual([]);
  });

  it('names the stage, how often and how much, and advises by it', () => {
    expect(told(GROUP, { diskUses: 40, spills: { sort: 3 * MB, group: 300 * MB } })).toEqual([
      'aggregate does not fit into memory at `$group`: 40 executions spilled to disk, up to 300 MB (1,000 executions in 30 days).',
      expect.stringContaining('`$topN`'),
    ]);
    expect(told([{ $setWindowFields: {} }], { diskUses: 40 })[1]).toContain('partitionBy, then of sortBy');
    expect(told([...GROUP, { $sort: { total: -1 } }], { diskUses: 40, spills: { sort: 3 * MB } })[1]).toContain(
      '`$limit`',
    );
    expect(told(PUSH, {}, { bytes: 4_000 })[0]).toBe(
      'aggregate holds some 76 MB in memory at `$group` (1,000 executions in 30 days). What exceeds the limit of a stage spills to disk, or fails.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { FIGURE_ROWS } from '../../src/report/evidence-figures.js';
import { figuresOf, figureText } from '../../src/report/figure-text.js';

const figures = (evidence: Record<string, unknown>) =>
  figuresOf({ source: 'sample', window: 'all 10 documents', ...evidence } as Parameters<typeof figuresOf>[0]).map(
    figureText,
  );

describe('figures', () => {
  it.each([
    [{ largestBytes: 12_345_678 }, 'largest 12 MB'],
    [{ averageDocumentSize: 2_048 }, 'average document 2 KB'],
    [{ largestBytesAtMost: 4_096 }, 'largest, at most 4 KB'],
    [{ largestIndexBytes: { a_1: 1_024, bytes: 2_048 } }, 'largest indexes a_1 1 KB, bytes 2 KB'],
    [{ shareOfDocument: 0.034 }, 'share of the document 3.4 %'],
    [{ shareSortedInMemory: 1 }, 'share sorted in memory 100 %'],
    [{ sizeCorrelation: 0.98765 }, 'correlation with the size 0.99'],
    [{ agreementBeyondChance: -0.5 }, 'agreement beyond chance -0.5'],
    [{ idleMs: 90_000 }, 'idle 1.5 min'],
    [{ oplogDays: 12.5 }, 'oplog 12.5 days'],
    [{ elementsPerDay: 3.1, elementsPerDayRange: [3, 3.24] }, 'elements per day 3.1 (3 to 3.2)'],
    [
      { newIndexBytesEstimated: 1_024, newIndexBytesRange: [1_000, 2_048] },
      'size of the new index, estimated 1 KB (1000 B to 2 KB)',
    ],
    [
      { servedBy: 'a_1_b_1', servedByKey: { a: 1, b: -1 }, servedByBytes: 4_096 },
      'also served by a_1_b_1 (a 1, b -1, 4 KB)',
    ],
    [{ superfluousIndexes: ['a_1'], superfluousIndexBytes: 2_048 }, 'makes redundant a_1 (2 KB)'],
    [{ forecastDays: { '16 MB': [31.2, 44] } }, 'forecast 16 MB in 4 to 7 weeks'],
    [
      {
        forecastDays: {
          '200 elements': { typical: [283, 311], largest: [0, 0] },
          '1000 elements': { typical: null, largest: [0.2, 0.5] },
        },
      },
      'forecast 200 elements (typical in 9 to 11 months, largest already), 1000 elements (largest in 4 to 12 hours)',
    ],
    [
      { reads: { seenBy: 'profiler: 9 executions', all: 9, without: 8, ofSlice: 0, sliceElements: null } },
      'recorded reads 8 of 9 leave it out (profiler: 9 executions)',
    ],
    [
      { reads: { posts: { seenBy: 'log', all: 1_900, without: 1_000, ofSlice: 900, sliceElements: -7 } } },
      'recorded reads posts (1,000 of 1,900 leave it out, 900 of 1,900 return a slice (log))',
    ],
    [{ heaviest: [{ path: 'poster', share: 0.5 }] }, 'largest fields (path poster, share 50 %)'],
    [{ namePattern: 'uuid' }, 'name pattern uuid'],
    [{ types: { objectId: 1_000, null: 2, int: null } }, 'types objectId 1,000, null 2'],
    [{ namesPerLevel: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, 'names per level 1, 2, 3, 4, 5, 6, 7, 8 and 2 more'],
  ])('%j is written as "%s"', (evidence, text) => {
    expect(figures(evidence)).toEqual([text]);
  });

  it.each([
    [{ queueBytes: 2_048 }, 'queue bytes 2,048'],
    [{ waitMs: 0.5, spreadRange: [1, 2] }, 'wait ms 0.5', 'spread range 1, 2'],
    [{ constructor: 3 }, 'constructor 3'],
    [{ 'a.b': { bytes: 9 } }, 'a.b bytes 9'],
  ])('of a plugin have no unit: %j', (evidence, ...texts) => {
    expect(figures(evidence)).toEqual(texts);
  });

  it('are left out if they are not known, zero, a judgement, no figure, or said elsewhere', () => {
    expect(figures({ sizeCorrelation: null, distribution: { unit: 'bytes', buckets: [] } })).toEqual([]);
    expect(figures({ inMemorySorts: 0, missingShare: 0, heavyTail: true, capped: false, shards: [] })).toEqual([]);
    expect(figures({ newIndexWrites: 0, newIndexWritesWindow: 'profiler, 8.7 s' })).toEqual([]);
    expect(figuresOf({ source: 'a', window: 'b', executions: 3, levels: 4 }, ['executions'])).toHaveLength(1);
  });

  it.each([
    ['bytes', ['median 2 KB', 'p99 4 KB', 'min 0 B', 'documents 2,048']],
    ['elements', ['median 2,048', 'p99 4,096', 'min 0', 'documents 2,048']],
  ])('that are bare statistics have the unit of the distribution: %s', (unit, expected) => {
    const distribution = { unit, buckets: [] };
    expect(figures({ median: 2_048, p99: 4_096, min: 0, documents: 2_048, distribution })).toEqual(expected);
  });

  it('are declared once, and stand behind figures that are declared', () => {
    const names = FIGURE_ROWS.map(([name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(FIGURE_ROWS.filter(([, { behind }]) => behind !== undefined && !names.includes(behind))).toEqual([]);
  });
});

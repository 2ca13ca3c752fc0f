import { describe, expect, it } from 'vitest';
import { evidenceFigures } from '../../src/report/evidence-figures.js';
import { painter } from '../../src/report/paint.js';

const figures = (evidence: Record<string, unknown>) =>
  evidenceFigures(
    { source: 'sample', window: 'all 10 documents', ...evidence } as Parameters<typeof evidenceFigures>[0],
    painter(false),
  );

describe('evidenceFigures', () => {
  it.each([
    [{ maximum: 41_210 }, 'maximum 41,210'],
    [{ maximumBytes: 12_345_678 }, 'maximum 12 MB'],
    [{ averageDocumentSize: 2_048 }, 'average document size 2 KB'],
    [{ bytes: 2_048 }, 'bytes 2 KB'],
    [{ bytesPerDocument: 512 }, 'bytes per document 512 B'],
    [{ largestBytesAtMost: 4_096 }, 'largest at most 4 KB'],
    [{ heaviestShares: { posts: 0.5, bytes: 0.25 } }, 'heaviest shares posts 50 %, bytes 25 %'],
    [{ sizes: [1_024, 2_048] }, 'sizes 1 KB, 2 KB'],
    [{ shareOfDocument: 0.034 }, 'share of the document 3.4 %'],
    [{ topShare: 1 }, 'top share 100 %'],
    [{ sizeCorrelation: 0.98765 }, 'correlation with the size 0.99'],
    [{ slope: -0.5 }, 'slope -0.5'],
    [{ waitMs: 90_000 }, 'wait 1.5 min'],
    [{ elapsed: 12 }, 'elapsed 12 ms'],
    [{ unusedDays: 12.5 }, 'unused 12.5 days'],
    [{ elementsPerDayRange: [3, 3.24] }, 'elements per day range 3 to 3.2'],
    [{ bytesRange: [1_024, 2_048] }, 'bytes range 1 KB to 2 KB'],
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
    [{ min: 0 }, 'min 0'],
    [{ namePattern: 'uuid' }, 'name pattern uuid'],
    [{ elementTypes: { objectId: 1_000, null: 2, int: null } }, 'element types objectId 1,000, null 2'],
    [{ lengths: [{ min: 1, share: 0.5 }, { min: 2 }] }, 'lengths (min 1, share 50 %), (min 2)'],
    [{ depths: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, 'depths 1, 2, 3, 4, 5, 6, 7, 8 and 2 more'],
  ])('%j is written as "%s"', (evidence, text) => {
    expect(figures(evidence)).toEqual([text]);
  });

  it('leaves out what is not known, zero, a judgement, or no figure', () => {
    expect(figures({ sizeCorrelation: null, distribution: { unit: 'bytes', buckets: [] } })).toEqual([]);
    expect(figures({ inMemorySorts: 0, missingShare: 0, heavyTail: true, capped: false, shards: [] })).toEqual([]);
  });

  it.each([
    ['bytes', ['median 2 KB', 'p99 4 KB', 'documents 2,048']],
    ['elements', ['median 2,048', 'p99 4,096', 'documents 2,048']],
  ])('gives bare statistics in the unit of the distribution: %s', (unit, expected) => {
    expect(figures({ median: 2_048, p99: 4_096, documents: 2_048, distribution: { unit, buckets: [] } })).toEqual(
      expected,
    );
  });
});

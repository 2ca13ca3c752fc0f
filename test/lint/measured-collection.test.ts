import { describe, expect, it } from 'vitest';
import type { Collection } from '../../src/inventory/collection.js';
import { measuredCollection } from '../../src/lint/measured-collection.js';
import { present } from '../../src/presence.js';
import { growingArray, growthOf, writtenArray } from '../support/checks/growth-builders.js';

const products: Collection = {
  namespace: 'shop.products',
  database: 'shop',
  name: 'products',
  kind: 'collection',
  clustered: false,
};

describe('what is reported of the growth of a collection', () => {
  const NEVER = Infinity;
  const reported = measuredCollection(products, {
    growth: present(
      growthOf([
        growingArray('reviews', [50, 300, NEVER]),
        { ...growingArray('tags', [50, 300, NEVER]), growth: null, forecasts: [] },
      ]),
    ),
  });

  it('is each rate with its interval, the lengths now, and the days until each limit', () => {
    expect(reported.growth).toEqual([
      {
        path: 'reviews',
        unit: 'elements',
        perDay: 1,
        perDayRange: [0.9, 1.1],
        largestPerDay: 3,
        typicalNow: 50,
        largestNow: 150,
        sources: ['age'],
        confidence: 'high',
        windowDays: 60,
        daysUntil: [
          { limit: 200, unit: 'elements', typical: null, largest: [40, 60] },
          { limit: 1_000, unit: 'elements', typical: null, largest: [240, 360] },
          { limit: 16 * 1024 * 1024, unit: 'bytes', typical: null, largest: null },
        ],
      },
    ]);
  });

  it('has the arrays that are written to and do not grow, with what becomes of them', () => {
    const grown = { ...growingArray('tags', [50, 300, NEVER]), growth: null, forecasts: [] };
    const written = measuredCollection(products, {
      growth: present(
        growthOf([{ ...grown, oplog: writtenArray({ verdict: 'unknown', because: 'few', writes: 3 }) }, grown]),
      ),
    });
    expect(written.writtenArrays).toEqual([
      { path: 'tags', writes: 3, share: 0.25, shape: 'few', detail: expect.stringContaining('too few writes') },
    ]);
    expect(reported).not.toHaveProperty('writtenArrays');
  });

  it('names the sources that could not show any, with the reason', () => {
    expect(reported.growthUnseen?.map(({ source, reason }) => [source, reason])).toEqual([
      ['oplog', 'unsupported'],
      ['history', 'insufficient'],
    ]);
    expect(measuredCollection(products, {})).not.toHaveProperty('growthUnseen');
  });
});

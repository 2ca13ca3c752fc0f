import { describe, expect, it } from 'vitest';
import type { LimitForecast } from '../../../src/growth/growth.js';
import { forecastText, growthSourcesText, rangeText, rateText } from '../../../src/judgement/arrays/growth-text.js';

it.each<[number, 'elements' | 'bytes', string]>([
  [450_000, 'elements', '450,000 elements a day'],
  [1, 'elements', '1 element a day'],
  [1.53, 'elements', '1.5 elements a day'],
  [0.5, 'elements', '3.5 elements a week'],
  [0.1, 'elements', '3 elements a month'],
  [0.01, 'elements', '3.7 elements a year'],
  [2048, 'bytes', '2 KB a day'],
])('a rate of %d %s a day reads "%s %s"', (perDay, unit, text) => {
  expect(rateText(perDay, unit)).toBe(text);
});

it.each<[number, string]>([
  [450_000, '5.2 elements a second'],
  [7_000, '4.9 elements a minute'],
  [127, '5.3 elements an hour'],
  [1, '1 element a day'],
])('a rate of %d elements a day that was seen for moments reads "%s"', (perDay, text) => {
  expect(rateText(perDay, 'elements', 0)).toBe(text);
});

it.each<[number, number, string]>([
  [0.0007, 0.0021, 'in 1 to 4 minutes'],
  [0.1, 0.2, 'in 2.4 to 5 hours'],
  [0, 0.2, 'within 5 hours'],
  [2.2, 4.1, 'in 2.2 to 5 days'],
  [9.5, 30, 'in 1.3 to 5 weeks'],
  [63, 80, 'in 9 to 12 weeks'],
  [100, 400, 'in 3 to 14 months'],
  [365, 1_000, 'in 0.9 to 2.8 years'],
  [30.44 * 5, 30.44 * 5, 'in 5 months'],
])('from %d to %d days reads "%s"', (earliest, latest, text) => {
  expect(rangeText({ earliest, latest })).toBe(text);
});

it('says nothing of what is passed or not forecast', () => {
  expect([rangeText(null), rangeText({ earliest: 0, latest: 0 })]).toEqual([null, null]);
});

const forecast = (limit: number, rest: Partial<LimitForecast>): LimitForecast => ({
  unit: 'elements',
  limit,
  expectedDays: 100,
  typical: null,
  largest: null,
  ...rest,
});

describe('a forecast', () => {
  it('names each limit, the typical array first', () => {
    const text = forecastText([
      forecast(200, { typical: { earliest: 63, latest: 80 }, largest: { earliest: 0, latest: 0 } }),
      forecast(1_000, { largest: { earliest: 63, latest: 80 } }),
      forecast(16 * 1024 * 1024, { unit: 'bytes', largest: { earliest: 400, latest: 600 } }),
    ]);
    expect(text).toBe(
      'A typical array reaches 200 elements in 9 to 12 weeks; the largest reaches 1,000 elements in 9 to 12 weeks and its document 16 MB in 13 to 20 months.',
    );
  });

  it('speaks of the document where its bytes are all that is left to come', () => {
    const full = { earliest: 63, latest: 80 };
    expect(
      forecastText([forecast(200, {}), forecast(16 * 1024 * 1024, { unit: 'bytes', typical: full, largest: full })]),
    ).toBe(
      'The document of a typical array reaches 16 MB in 9 to 12 weeks; the document of the largest reaches 16 MB in 9 to 12 weeks.',
    );
  });

  it('is empty where there is none', () => {
    expect(forecastText([forecast(200, {})])).toBe('');
  });
});

it.each([
  [['age'], 'the ages of the documents'],
  [['age', 'oplog'], 'the ages of the documents and the oplog'],
  [['history', 'age', 'oplog'], 'earlier runs, the ages of the documents and the oplog'],
] as const)('%j reads "%s"', (sources, text) => {
  expect(growthSourcesText(sources)).toBe(text);
});

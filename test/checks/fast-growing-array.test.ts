import { describe, expect, it } from 'vitest';
import { fastGrowingArray } from '../../checks/fast-growing-array.js';
import { oversizedDocument } from '../../checks/oversized-document.js';
import { unboundedArray } from '../../checks/unbounded-array.js';
import type { ArrayGrowth, MeasuredGrowth, Severity } from '../../src/check.js';
import { absent } from '../../src/presence.js';
import { arrays, judge, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { forecasts, growingArray, growthOf, measured, writtenArray } from '../support/checks/growth-builders.js';

const lengths = Array.from({ length: 400 }, (_, index) => index % 100);
const given = (grown: readonly ArrayGrowth[], rest: Partial<Given> = {}): Given => ({
  paths: [...arrays({ path: 'reviews', lengths }), ...arrays({ path: 'rows[]', lengths })],
  growth: growthOf(grown),
  ...rest,
});
const NEVER = Infinity;
const exactly = (value: number) => ({ low: value, estimate: value, high: value });
const MB = 1024 * 1024;

/** What oversized-document says of a collection whose largest document has so many bytes. */
const large = (bytes: number, rest: Partial<Given> = {}) =>
  problems(oversizedDocument, { sizes: [bytes, ...Array.from({ length: 200 }, () => bytes / 2)], ...rest });

const byOplog = (windowDays: number, growth: Partial<MeasuredGrowth> = {}): ArrayGrowth => ({
  ...growingArray('reviews', [50, 100, 900], { source: 'oplog', sources: ['oplog'], windowDays, ...growth }),
  oplog: writtenArray({ windowDays }),
});

describe('fast-growing-array', () => {
  it.each<[string, readonly [number, number, number], Partial<MeasuredGrowth>, Severity | undefined]>([
    ['16 MB are weeks away', [10, 20, 80], {}, 'error'],
    ['16 MB are weeks away, as a busy hour shows', [10, 20, 80], { confidence: 'low' }, 'warning'],
    ['200 documents are months away', [170, 900, 900], {}, 'warning'],
    ['200 documents are months away, as a busy hour shows', [170, 900, 900], { confidence: 'low' }, 'info'],
    ['200 documents are passed', [0, 900, 900], {}, 'warning'],
    ['200 documents are two years away', [700, 3_000, NEVER], {}, 'info'],
    ['200 documents are further away', [800, 3_000, NEVER], {}, undefined],
  ])('judges by what is near: %s', (_, days, growth, severity) => {
    expect(
      problems(fastGrowingArray, given([growingArray('reviews', days, growth)])).map((one) => one.severity),
    ).toEqual(severity === undefined ? [] : [severity]);
  });

  it.each<[string, readonly [number, number, number], Severity | undefined]>([
    ['1,000 are months away', [10, 170, 900], 'warning'],
    ['1,000 are passed', [0, 0, 900], 'warning'],
    ['1,000 are two years away', [10, 700, NEVER], 'info'],
    ['1,000 are further away', [10, 800, NEVER], undefined],
  ])('judges values by a limit of their own: %s', (_, days, severity) => {
    const paths = arrays({ path: 'tags', lengths, elements: 'string' });
    const found = problems(fastGrowingArray, { paths, growth: growthOf([growingArray('tags', days)]) });
    expect(found.map((one) => one.severity)).toEqual(severity === undefined ? [] : [severity]);
  });

  it('says how fast, how sure, and when', () => {
    const found = problem(fastGrowingArray, given([growingArray('reviews', [50, 300, 900])]));
    expect(found).toMatchObject({ path: 'reviews', confidence: 'high' });
    expect(found.message).toBe(
      '`reviews` grows by 1 element a day in a typical document (50 now) and by 3 elements a day in the largest (150 now), according to the ages of the documents. ' +
        'The largest reaches 200 elements in 5 to 9 weeks, 1,000 elements in 7 to 12 months and its document 16 MB in 1.9 to 3 years.',
    );
    expect(found.evidence).toMatchObject({
      source: 'sample',
      elementsPerDay: 1,
      elementsPerDayRange: [0.9, 1.1],
      largestElementsPerDay: 3,
      typicalLength: 50,
      largestLength: 150,
      windowDays: 60,
      forecastDays: { '200 elements': { typical: null, largest: [40, 60] } },
    });
    expect(found.remedy.text).toMatch(/\$slice|collection products_reviews/);
  });

  it('makes no forecast of moments', () => {
    const { message, evidence, severity } = problem(
      fastGrowingArray,
      given([
        byOplog(0.001, {
          rates: {
            typical: { value: 50, perDay: exactly(7_000) },
            largest: { value: 150, perDay: exactly(9_000) },
          },
        }),
      ]),
    );
    expect(severity).toBe('info');
    expect(message).toBe(
      '`reviews` grows by 4.9 elements a minute in each of 30 documents that writes append to. The largest has 150, and no write shortens it. ' +
        'The oplog covers only 1.4 min, too little for a forecast: run again once it covers an hour.',
    );
    expect(evidence).not.toHaveProperty('forecastDays');
    expect(
      problem(fastGrowingArray, given([byOplog(0.001, { sources: ['age', 'oplog'], source: 'age' })])).severity,
    ).toBe('warning');
  });

  it.each([
    [2, { appendedPerDay: 90 }],
    [0.05, { appendedPerDay: 90 }],
  ])('says of %d days of the oplog what it saw', (windowDays, perDay) => {
    const { message, evidence } = problem(fastGrowingArray, given([byOplog(windowDays)]));
    expect(message).toContain('a day in each of 30 documents that writes append to (50 now)');
    expect(message).toContain('according to the oplog.');
    const seen = Object.fromEntries(
      ['source', 'appendedPerDay', 'documentsAppended', 'highestIndex', 'oplogDays'].flatMap((name) =>
        name in evidence ? [[name, evidence[name]]] : [],
      ),
    );
    expect(seen).toEqual({
      source: 'oplog',
      documentsAppended: 30,
      highestIndex: 149,
      oplogDays: windowDays,
      ...perDay,
    });
  });

  it('reports an array in an array with the one that it lies in', () => {
    expect(problem(fastGrowingArray, given([growingArray('rows[]', [50, 300, 900])]))).toMatchObject({
      path: 'rows',
      causedBy: 'rows',
    });
  });

  it.each<[string, number, number, number]>([
    ['silent where documents are deleted long before', 7, 6, 0],
    ['not silent where older documents show that they are not', 7, 60, 1],
    ['not silent where documents live long enough', 90, 80, 1],
  ])('heeds a TTL index: %s', (_, days, oldest, expected) => {
    const ttl = {
      name: 'ttl',
      key: { at: 1 },
      unique: false,
      sparse: false,
      hidden: false,
      clustered: false,
      expireAfterSeconds: days * 86_400,
    };
    const growth = growthOf([growingArray('reviews', [50, 300, 900])], {}, oldest);
    expect(problems(fastGrowingArray, given([], { growth, indexes: [ttl] }))).toHaveLength(expected);
  });

  it('says that nothing could be seen where no source could look', () => {
    const nothing = absent('insufficient', 'the documents do not show when they were created.');
    const unseen = growthOf([{ ...growingArray('reviews', [1, 1, 1]), growth: null, forecasts: [] }], {
      sources: { age: nothing, oplog: nothing, history: nothing },
    });
    expect(judge(fastGrowingArray, given([], { growth: unseen }))).toEqual([
      {
        notJudged: 'insufficient',
        detail: expect.stringContaining(
          'the documents do not show when they were created. Run regularly with --history',
        ),
        nothingJudged: true,
      },
    ]);
    expect(judge(fastGrowingArray, given([], { growth: { ...unseen, arrays: [] } }))).toEqual([]);
  });

  const seldom = { verdict: 'unknown', because: 'one-off', writes: 3, rates: null } as const;
  const unclear: ArrayGrowth = {
    path: 'reviews',
    age: null,
    history: null,
    growth: null,
    forecasts: [],
    oplog: writtenArray(seldom),
  };
  const level = {
    verdict: 'not growing',
    because: 'level',
    windowDays: 30,
    documents: 400,
    correlation: 0,
    rates: null,
  } as const;

  it.each<[string, ArrayGrowth, boolean]>([
    ['a few writes', unclear, true],
    ['no write', { ...unclear, oplog: writtenArray({ ...seldom, because: 'few', writes: 0 }) }, false],
    ['a few writes, and ages that are level', { ...unclear, age: level }, false],
    [
      'writes that replace what is there',
      { ...unclear, oplog: writtenArray({ verdict: 'not growing', because: 'replaced', rates: null }) },
      false,
    ],
  ])('says what the oplog leaves open, so that what was known stays: %s', (_, array, isOpen) => {
    expect(judge(fastGrowingArray, given([array]))).toEqual(
      isOpen
        ? [
            {
              notJudged: 'insufficient',
              detail: 'the oplog holds too few writes to `reviews` to tell whether they grow',
            },
          ]
        : [],
    );
  });
});

describe('growth makes other findings worse', () => {
  const heavyTail = Array.from({ length: 400 }, (_, index) => Math.round(2 + 180 * (index / 399) ** 10));
  const long = (grown: readonly ArrayGrowth[]) =>
    problem(unboundedArray, { paths: arrays({ path: 'reviews', lengths: heavyTail }), growth: growthOf(grown) });

  it.each<[string, ArrayGrowth[], Severity]>([
    ['not where nothing grows', [], 'info'],
    ['not where another array does', [growingArray('tags', [1, 1, 30])], 'info'],
    ['not where 16 MB are years away', [growingArray('reviews', [1, 1, 900])], 'info'],
    ['not by a busy hour', [growingArray('reviews', [1, 1, 30], { confidence: 'low' })], 'info'],
    ['where 16 MB are weeks away', [growingArray('reviews', [1, 1, 30])], 'error'],
  ])('unbounded-array: %s', (_, grown, severity) => {
    expect(long(grown).severity).toBe(severity);
  });

  it('unbounded-array says when', () => {
    const { message, evidence } = long([growingArray('reviews', [1, 1, 30])]);
    expect(message).toContain('At the measured rate, documents reach 16 MB in 3 to 6 weeks, because `reviews` grows.');
    expect(evidence['forecastDays']).toEqual({ '16 MB': [24, 36] });
  });

  it('oversized-document: a document that is near becomes an error, one that is still small a warning', () => {
    const growth = growthOf([], {
      sizes: { age: null, history: null, growth: measured(), forecast: forecasts([1, 1, 60])[2] ?? null },
    });
    expect(large(9 * MB).map(({ severity }) => severity)).toEqual(['warning']);
    expect(large(9 * MB, { growth }).map(({ severity }) => severity)).toEqual(['error']);
    expect(large(5 * MB)).toEqual([]);
    expect(large(5 * MB, { growth })).toMatchObject([
      {
        severity: 'warning',
        message: expect.stringContaining('At the measured rate, documents reach 16 MB in 6 to 11 weeks.'),
      },
    ]);
    expect(large(5 * MB, { growth: growthOf([growingArray('log', [1, 1, 400])]) })).toEqual([]);
  });
});

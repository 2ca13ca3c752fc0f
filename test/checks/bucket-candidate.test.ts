import { describe, expect, it } from 'vitest';
import { bucketCandidate } from '../../checks/bucket-candidate.js';
import type { MeasurementSeries } from '../../src/check.js';
import { judge, pathProfile, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { index } from '../support/checks/index-builders.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MB = 1024 * 1024;

const SERIES: MeasurementSeries = {
  timeField: 'at',
  sourceField: 'sensor',
  valueFields: ['temperature'],
  documents: 2_000,
  sources: 40,
  readingsPerSource: 50,
  interval: MINUTE,
  intervalSpread: 0.05,
  risingShare: 1,
};
/** 1,000 sampled documents of 100 bytes: `_id`, `sensor`, `at` and `temperature`. */
const given = (series: Partial<MeasurementSeries> | null, count = 50_000, rest: Given = {}): Given => ({
  sizes: Array.from({ length: 1_000 }, () => 100),
  paths: ['_id', 'sensor', 'at', 'temperature'].map((path) =>
    pathProfile({ path, occurrences: 1_000, documents: 1_000, bytes: 1_000 * (path.length + 2 + 10) }),
  ),
  storage: { count, totalIndexSize: 3 * MB, indexSizes: { _id_: MB, sensor_1_at_1: 2 * MB } },
  measurements: series === null ? null : { ...SERIES, ...series },
  ...rest,
});

describe('measurements as documents of their own', () => {
  it.each<[string, Given, { severity: string; confidence: string; granularity: string; perBucket: number }]>([
    ['one a minute', given({}), { severity: 'info', confidence: 'high', granularity: 'minutes', perBucket: 1_000 }],
    [
      'one a minute, and no two of a sensor at once',
      given({}, 50_000, { indexes: [index({ sensor: 1, at: 1 }, { unique: true })] }),
      { severity: 'info', confidence: 'high', granularity: 'minutes', perBucket: 1_000 },
    ],
    [
      'a million of them',
      given({}, 1_000_000),
      { severity: 'warning', confidence: 'high', granularity: 'minutes', perBucket: 1_000 },
    ],
    [
      'five million of them expected',
      given({}, 2_000, { collection: { expected: { documents: 5_000_000, from: 'expect' } } }),
      { severity: 'warning', confidence: 'high', granularity: 'minutes', perBucket: 1_000 },
    ],
    [
      'nearly one a minute',
      given({ interval: 0.99 * MINUTE }),
      { severity: 'info', confidence: 'high', granularity: 'minutes', perBucket: 1_000 },
    ],
    [
      'one a second',
      given({ interval: SECOND }),
      { severity: 'info', confidence: 'high', granularity: 'seconds', perBucket: 1_000 },
    ],
    [
      'one every ten seconds',
      given({ interval: 10 * SECOND }),
      { severity: 'info', confidence: 'high', granularity: 'seconds', perBucket: 360 },
    ],
    [
      'one every ten minutes',
      given({ interval: 10 * MINUTE }),
      { severity: 'info', confidence: 'high', granularity: 'minutes', perBucket: 144 },
    ],
    [
      'one a day',
      given({ interval: 24 * HOUR }),
      { severity: 'info', confidence: 'high', granularity: 'hours', perBucket: 30 },
    ],
    [
      'with some jitter',
      given({ intervalSpread: 0.4 }),
      { severity: 'info', confidence: 'medium', granularity: 'minutes', perBucket: 1_000 },
    ],
    [
      'with late arrivals',
      given({ risingShare: 0.95 }),
      { severity: 'info', confidence: 'medium', granularity: 'minutes', perBucket: 1_000 },
    ],
    [
      'of 1 KB each',
      given({}, 50_000, { sizes: Array.from({ length: 1_000 }, () => 1_024) }),
      { severity: 'info', confidence: 'high', granularity: 'minutes', perBucket: 125 },
    ],
  ])('%s', (_, all, { severity, confidence, granularity, perBucket }) => {
    const found = problem(bucketCandidate, all);
    expect(found).toMatchObject({ severity, confidence, path: 'at', evidence: { measurementsPerBucket: perBucket } });
    expect(found.remedy.text).toContain(`{ timeField: "at", metaField: "sensor", granularity: "${granularity}" }`);
    expect(found.remedy.commands).toBeUndefined();
  });

  it('reckons what is saved, and shows how', () => {
    const { message, evidence, remedy } = problem(bucketCandidate, given({}));
    // Names, their type and end: (2 + 3) + (2 + 6) + (2 + 2) + (2 + 11); the sensor's value 10; length and end of the document 5.
    expect(evidence).toMatchObject({
      repeatedShare: 0.45,
      buckets: 50,
      indexBytesNow: 3 * MB,
      indexBytesThen: Math.ceil((2 * MB) / 1_000),
    });
    expect(message).toContain(
      'one per `sensor` about every 1 min by `at`. 45 % of their bytes repeat the document before.',
    );
    expect(remedy.text).toContain(
      'what is copied twice is stored twice. Documents without a date in `at` are refused.',
    );
    expect(remedy.text).toContain(
      'Expect about 50 buckets of up to 1,000 measurements. Indexes shrink from 3 MB to about 2 KB',
    );
  });

  it('counts one bucket for each source at least', () => {
    expect(problem(bucketCandidate, given({ sources: 400 })).evidence).toMatchObject({
      buckets: 400,
      indexBytesThen: Math.ceil((2 * MB * 400) / 50_000),
    });
  });

  it('says what has to be changed where the fields are nested', () => {
    const text = problem(bucketCandidate, given({ timeField: 'meta.at', sourceField: 'meta.sensor' })).remedy.text;
    expect(text).toContain('Move `meta.at` to the top level, as `at`');
    expect(text).toContain('{ timeField: "at", metaField: "meta"');
    expect(text).toContain('Keep in `meta` only what identifies the source');
  });
});

describe('documents that are no measurements, or not worth it', () => {
  it.each<[string, Given]>([
    ['of another shape', given(null)],
    ['few, at irregular times', given({ intervalSpread: 1.5 }, 9_999)],
    ['large', given({}, 50_000, { sizes: Array.from({ length: 1_000 }, () => 1_500) })],
    ['at irregular times', given({ intervalSpread: 1.5 })],
    ['written in no order', given({ risingShare: 0.5 })],
    ['one a month', given({ interval: 30 * 24 * HOUR })],
    ['one every four days', given({ interval: 4 * 24 * HOUR })],
    ['of things that are unique', given({}, 50_000, { indexes: [index({ name: 1 }, { unique: true })] })],
  ])('%s', (_, all) => {
    expect(problems(bucketCandidate, all)).toEqual([]);
  });
});

it('is too small to tell by few measurements', () => {
  expect(problems(bucketCandidate, given({}, 9_999))).toEqual([]);
  expect(judge(bucketCandidate, given({}, 9_999))).toEqual([
    {
      notJudged: 'too-small',
      detail:
        'too small to tell (9,999 documents); give expected sizes with `expect`. A document per measurement, by `at`.',
    },
  ]);
});

it.each([40, 999])('is too small to tell by %i evenly dated fixtures, whatever size is expected', (documents) => {
  const expected = { collection: { expected: { documents: 5_000_000, from: 'expect' } } } as const;
  expect(judge(bucketCandidate, given({ documents }, documents, expected))).toEqual([
    {
      notJudged: 'too-small',
      detail: `too small to tell whether these are measurements (${documents} documents, evenly dated by \`at\`): fixtures are often evenly dated. Give evidence of production.`,
    },
  ]);
  expect(problems(bucketCandidate, given({ documents: 1_000 }, documents, expected))).toHaveLength(1);
});

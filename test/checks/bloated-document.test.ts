import { describe, expect, it } from 'vitest';
import { bloatedDocument } from '../../checks/bloated-document.js';
import type { CollectionReads } from '../../src/workload/reads/collection-reads.js';
import { arrays, pathProfile, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const KB = 1024;
const random = new RandomDistributions(11);
const sizes = (bytes: number) => Array.from({ length: 100 }, () => bytes);
const light = ['_id', 'name', 'price', 'stock', 'category'].map((path) => pathProfile({ path, shareOfBytes: 0.001 }));
const image = pathProfile({ path: 'image', types: { binData: 100 }, shareOfBytes: 0.97 });
const collection = (bytes: number, count = 1_000) => ({ sizes: sizes(bytes), storage: { count, size: bytes * count } });

describe('bloated documents', () => {
  it.each<[string, Given, { severity: string; confidence: string; message: string; remedy: RegExp }]>([
    [
      'an image in each product',
      { ...collection(600 * KB), paths: [...light, image] },
      {
        severity: 'info',
        confidence: 'high',
        message: 'Most of it: `image` (97 %).',
        remedy: /Move `image` to a second collection, products_details.*GridFS/,
      },
    ],
    [
      'an average of 1.5 MB',
      { ...collection(1_536 * KB), paths: [...light, image] },
      {
        severity: 'warning',
        confidence: 'high',
        message: 'Documents average 1.5 MB, 1.5 GB in total.',
        remedy: /object store/,
      },
    ],
    [
      'a long text within an object',
      {
        ...collection(300 * KB),
        paths: [
          ...light,
          pathProfile({ path: 'content', types: { object: 100 }, bytes: 1_000, shareOfBytes: 0.9 }),
          pathProfile({ path: 'content.html', parent: 'content', bytes: 950, shareOfBytes: 0.86 }),
        ],
      },
      { severity: 'info', confidence: 'high', message: '`content.html` (86 %)', remedy: /Move `content.html`/ },
    ],
    [
      'all reviews in each product',
      {
        ...collection(400 * KB),
        paths: [
          ...light,
          {
            ...arrays({ path: 'reviews', lengths: random.list(100, () => random.wholeLognormal(900, 1)) })[0]!,
            shareOfBytes: 0.9,
          },
        ],
      },
      { severity: 'info', confidence: 'high', message: '`reviews`', remedy: /subset pattern/ },
    ],
    [
      'two hundred fields of which none stands out',
      {
        ...collection(400 * KB),
        paths: Array.from({ length: 200 }, (_, index) => pathProfile({ path: `field${index}`, shareOfBytes: 0.005 })),
      },
      { severity: 'info', confidence: 'medium', message: 'spread over many', remedy: /frequent queries on products/ },
    ],
  ])('%s', (_, given, expected) => {
    const found = problem(bloatedDocument, given);
    expect(found).toMatchObject({ severity: expected.severity, confidence: expected.confidence, path: null });
    expect(found.message).toContain(expected.message);
    expect(found.remedy.text).toMatch(expected.remedy);
  });
});

const avatar = (type: 'string' | 'binData' = 'string') =>
  pathProfile({ path: 'avatar', types: { [type]: 100 }, shareOfBytes: 0.99 });
/** Of a hundred reads. */
const leftOut = (count: number): CollectionReads => ({
  source: 'profiler',
  coverage: { operations: 'all', slowMilliseconds: null, window: null },
  executions: 100,
  reads: [
    { stages: [{ $project: { login: true } }], executions: count, slices: {} },
    { stages: [{ $match: {} }], executions: 100 - count, slices: {} },
  ],
});
const some = (...names: string[]) => names.map((path) => pathProfile({ path, shareOfBytes: 0.001 }));

describe('documents of little more than one text or binary', () => {
  it.each<[string, Given, string[]]>([
    [
      'a picture as base64 that lists leave out',
      { ...collection(45 * KB, 2_500), paths: [...some('_id', 'login', 'seen'), avatar()], reads: leftOut(80) },
      ['warning'],
    ],
    [
      'a picture that nobody is known to read',
      { ...collection(45 * KB, 2_500), paths: [...some('_id', 'login', 'seen'), avatar('binData')] },
      ['info'],
    ],
    [
      'a picture that most reads want',
      { ...collection(45 * KB, 2_500), paths: [...some('_id', 'login', 'seen'), avatar()], reads: leftOut(20) },
      ['info'],
    ],
    [
      'one with a single further field, read without it',
      { ...collection(45 * KB, 2_500), paths: [...some('_id', 'login'), avatar()], reads: leftOut(80) },
      ['warning'],
    ],
    [
      'a text of half of a small page, among other fields, that lists leave out',
      {
        ...collection(18 * KB, 4_000),
        paths: [...some('_id', 'login', 'seen'), { ...avatar(), shareOfBytes: 0.6 }],
        reads: leftOut(80),
      },
      ['warning'],
    ],
    [
      'the same, if it is less than half of its document',
      {
        ...collection(18 * KB, 4_000),
        paths: [...some('_id', 'login', 'seen'), { ...avatar(), shareOfBytes: 0.45 }],
        reads: leftOut(80),
      },
      [],
    ],
    ['a cache by key', { ...collection(45 * KB, 2_500), paths: [...some('_id', 'expires'), avatar()] }, []],
    [
      'a short text',
      { ...collection(9 * KB, 9_000), paths: [...some('_id', 'login', 'seen'), avatar()], reads: leftOut(80) },
      [],
    ],
    [
      'few of them',
      { ...collection(45 * KB, 200), paths: [...some('_id', 'login', 'seen'), avatar()], reads: leftOut(80) },
      [],
    ],
    [
      'half text and half other fields',
      {
        ...collection(45 * KB, 2_500),
        paths: [
          ...some('_id', 'login', 'seen'),
          pathProfile({ path: 'text', types: { string: 100 }, shareOfBytes: 0.5 }),
        ],
      },
      [],
    ],
    [
      'GridFS chunks that a job reads without their data',
      {
        ...collection(260 * KB, 2_500),
        paths: [...some('_id', 'files_id', 'n'), { ...avatar('binData'), path: 'data' }],
        reads: leftOut(80),
      },
      [],
    ],
  ])('%s', (_, given, expected) => {
    expect(problems(bloatedDocument, given).map(({ severity }) => severity)).toEqual(expected);
  });
});

describe('documents that are as large as they should be', () => {
  it.each<[string, Given]>([
    ['small ones', { ...collection(20 * KB), paths: [...light, image] }],
    ['a handful of large ones', { ...collection(2_000 * KB, 15), paths: [...light, image] }],
    ['a collection that fits into any cache', { ...collection(300 * KB, 100), paths: [...light, image] }],
    [
      'GridFS chunks',
      {
        ...collection(260 * KB, 100_000),
        paths: [
          pathProfile({ path: '_id', shareOfBytes: 0.0001 }),
          pathProfile({ path: 'files_id', shareOfBytes: 0.0001 }),
          pathProfile({ path: 'n', shareOfBytes: 0.0001 }),
          pathProfile({ path: 'data', types: { binData: 100 }, shareOfBytes: 0.999 }),
        ],
      },
    ],
    [
      'the second collection that the remedy makes',
      { ...collection(600 * KB), paths: [pathProfile({ path: '_id', shareOfBytes: 0.0001 }), image] },
    ],
    [
      'buckets',
      {
        ...collection(300 * KB),
        paths: [
          ...light,
          {
            ...arrays({
              path: 'measurements',
              lengths: Array.from({ length: 100 }, (_, index) => 3_500 + (index % 60)),
            })[0]!,
            shareOfBytes: 0.99,
          },
        ],
      },
    ],
    [
      'an average that a few giants make',
      {
        sizes: [...Array.from({ length: 990 }, () => 2_000), ...Array.from({ length: 10 }, () => 40_000 * KB)],
        storage: { count: 100_000, size: 100_000 * 400 * KB },
        paths: [...light, image],
      },
    ],
  ])('%s', (_, given) => {
    expect(problems(bloatedDocument, given)).toEqual([]);
  });

  it('is judged by what collStats knows, not by the sample, in which large documents are over-represented', () => {
    expect(
      problems(bloatedDocument, {
        sizes: sizes(900 * KB),
        storage: { count: 10_000, size: 100_000 * KB },
        paths: [...light, image],
      }),
    ).toEqual([]);
  });
});

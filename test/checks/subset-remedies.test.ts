import { describe, expect, it } from 'vitest';
import { bloatedDocument } from '../../checks/bloated-document.js';
import { fastGrowingArray } from '../../checks/fast-growing-array.js';
import { longReferenceArray } from '../../checks/long-reference-array.js';
import { outlierDocument } from '../../checks/outlier-document.js';
import { unboundedArray } from '../../checks/unbounded-array.js';
import type { AnyCollectionCheck } from '../../src/check.js';
import { arrays, pathProfile, problem, type Arrays, type Given } from '../support/checks/evidence-builders.js';
import { growingArray, growthOf } from '../support/checks/growth-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';
import { readsOf, type GivenRead } from '../support/workload/reads.js';

const KB = 1024;
const MB = 1024 * KB;
const random = new RandomDistributions(5);
const comments = (rest: Partial<Arrays> = {}) =>
  arrays({
    path: 'comments',
    lengths: random.list(300, () => random.between(0, 9_000)),
    fields: { by: 'string', text: 'string' },
    ...rest,
  });
const light = ['_id', 'title', 'author', 'likes'].map((path) => pathProfile({ path, shareOfBytes: 0.001 }));
const heavy = { ...comments()[0]!, shareOfBytes: 0.95 };

/** A case of each check whose remedy is about an array. */
const CASES: readonly (readonly [AnyCollectionCheck, Given])[] = [
  [unboundedArray, { paths: comments() }],
  [
    fastGrowingArray,
    {
      paths: comments({ lengths: random.list(300, () => random.between(0, 90)) }),
      growth: growthOf([growingArray('comments', [10, 20, 80])]),
    },
  ],
  [longReferenceArray, { paths: comments({ elements: 'objectId', fields: {} }) }],
  [
    bloatedDocument,
    {
      paths: [...light, heavy],
      sizes: Array.from({ length: 100 }, () => 600 * KB),
      storage: { count: 1_000, size: 600 * MB },
    },
  ],
  [
    outlierDocument,
    {
      paths: [heavy],
      sizes: [...random.list(500, () => random.between(500, 2_000)), 3 * MB],
      profile: { largest: { bytes: 3 * MB, heaviestPath: 'comments', heaviestPathBytes: 3 * MB - 500 } },
    },
  ],
];

const whole = (executions: number): GivenRead => ({ find: { filter: { _id: 1 } }, executions });
const without = (executions: number): GivenRead => ({ find: { projection: { title: 1 } }, executions });
const slice = (elements: number, executions: number): GivenRead => ({
  find: { projection: { comments: { $slice: elements } } },
  executions,
});

const found = (check: AnyCollectionCheck, given: Given, ...reads: GivenRead[]) =>
  problem(check, { ...given, reads: readsOf(reads)! });

describe.each(CASES.map(([check, given]) => [check.id, check, given] as const))(
  'the remedy of %s',
  (_, check, given) => {
    it('keeps the elements that reads ask for, and says which reads', () => {
      const { remedy, evidence } = found(check, given, slice(-7, 900), without(60), whole(40));
      expect(remedy.text).toContain(
        'Of 1,000 reads, 900 (90 %) return at most the last 7 elements of `comments`, 60 (6 %) exclude it (profiler: 1,000 executions in 2 days). Keep the last 7 in the document',
      );
      expect(remedy.text).toContain('subset pattern');
      expect(JSON.stringify(evidence['reads'])).toContain('"sliceElements":-7');
    });

    it('keeps none where reads leave it out', () => {
      const { remedy } = found(check, given, without(950), whole(50));
      expect(remedy.text).toContain(
        '950 (95 %) exclude `comments` (profiler: 1,000 executions in 2 days). Move it out of the document',
      );
    });

    it.each<[string, GivenRead[]]>([
      ['most reads want the whole of it', [whole(900), slice(-7, 100)]],
      ['few reads were seen', [slice(-7, 19)]],
      ['slices are as long as the array', [slice(9_000, 900)]],
      ['there are no reads but writes', [{ kind: 'update', find: { q: {}, u: { $set: { a: 1 } } } }]],
    ])('says nothing of reads where %s', (_name, reads) => {
      const told = problem(check, { ...given, ...(readsOf(reads) !== undefined && { reads: readsOf(reads)! }) });
      expect(told).toEqual(problem(check, given));
      expect(told.remedy.text).not.toContain(' reads,');
    });
  },
);

const textWith = (fields: Arrays['fields'], read: GivenRead) =>
  found(unboundedArray, { paths: comments({ fields: fields ?? {} }) }, read).remedy.text;

describe('the update that caps the array', () => {
  it.each<[string, Arrays['fields'], GivenRead, string]>([
    [
      'keeps as many as reads ask for',
      { text: 'string' },
      slice(-7, 100),
      'Cap `comments` with every write. The first such write to a longer array drops its other elements for good: copy them to products_comments before that. { $push: { comments: { $each: [element], $slice: -7 } } }',
    ],
    [
      'keeps the last by time',
      { text: 'string', at: 'date' },
      slice(-7, 100),
      'Cap `comments` with every write. The first such write to a longer array drops its other elements for good, those without `at` first: copy them to products_comments before that. { $push: { comments: { $each: [element], $sort: { at: 1 }, $slice: -7 } } }',
    ],
    [
      'keeps the first where reads ask for those',
      { text: 'string', at: 'date' },
      slice(7, 100),
      'Cap `comments` with every write. The first such write to a longer array drops its other elements for good: copy them to products_comments before that. { $push: { comments: { $each: [element], $slice: 7 } } }',
    ],
  ])('%s', (_, fields, read, text) => {
    expect(textWith(fields, read)).toContain(text);
  });

  it.each<[string, Arrays['fields'], string]>([
    [
      'documents',
      { text: 'string' },
      'Optional, if most reads of the parent return only a few elements: keep the last 100 in it (subset pattern). Cap `comments`',
    ],
    [
      'documents with a time',
      { text: 'string', at: 'date' },
      'Optional, if most reads of the parent return only a few elements: keep the newest 100 in it (subset pattern). Cap `comments`',
    ],
  ])('is an offer where nothing is known of the reads of %s', (_, fields, text) => {
    const unknown = problem(unboundedArray, { paths: comments({ fields: fields ?? {} }) });
    expect(unknown.remedy.text).toContain(text);
    expect(unknown.remedy.text).not.toContain('Keep the ');
  });

  it.each<[string, Arrays['fields']]>([
    ['documents', { text: 'string' }],
    ['documents with a time', { text: 'string', at: 'date' }],
  ])('is not there where reads ask for none of the %s', (_, fields) => {
    expect(textWith(fields, without(100))).not.toMatch(/\$push|[Kk]eep the /);
  });
});

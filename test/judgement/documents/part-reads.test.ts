import { describe, expect, it } from 'vitest';
import { partReads, partReadsAdvice, partReadsFigures } from '../../../src/judgement/documents/part-reads.js';
import { readsOf, type GivenRead } from '../../support/workload/reads.js';

const TOO_MANY = 200;
const whole = (executions: number): GivenRead => ({ find: { filter: { _id: 1 } }, executions });
const without = (executions: number): GivenRead => ({ find: { filter: {}, projection: { title: 1 } }, executions });
const slice = (elements: number, executions: number, title: 'title' | 'text' = 'title'): GivenRead => ({
  find: { projection: { [title]: 1, comments: { $slice: elements } } },
  executions,
});
const partOf = (...reads: GivenRead[]) => partReads('comments', readsOf(reads), TOO_MANY);

describe('reads that want a part of a field', () => {
  it.each<[string, GivenRead[], object]>([
    [
      'are told where most ask for a slice',
      [slice(-10, 90), whole(10)],
      { reads: 100, ofSlice: 90, without: 0, elements: -10 },
    ],
    ['or leave it out', [without(60), whole(40)], { reads: 100, ofSlice: 0, without: 60, elements: null }],
    ['or do either', [slice(5, 30), without(30), whole(40)], { ofSlice: 30, without: 30, elements: 5 }],
    ['with the widest slice', [slice(5, 30), slice(20, 1, 'text')], { ofSlice: 31, elements: 20 }],
    [
      'from the end that most are from',
      [slice(-5, 30), slice(10, 10, 'text')],
      { reads: 40, ofSlice: 30, elements: -5 },
    ],
  ])('%s', (_, reads, part) => {
    expect(partOf(...reads)).toMatchObject(part);
  });

  it.each<[string, GivenRead[]]>([
    ['most want the whole', [slice(5, 40), whole(60)]],
    ['there are few reads', [slice(5, 19)]],
    ['the slices are as long as what is too long', [slice(TOO_MANY, 100)]],
    ['nothing was read', []],
  ])('are not told where %s', (_, reads) => {
    expect(partOf(...reads)).toBeNull();
  });

  it('are put into words with the pattern that fits', () => {
    const part = partOf(slice(-10, 900), without(60), whole(40));
    expect(part && partReadsAdvice('comments', part)).toBe(
      'Of 1,000 reads, 900 (90 %) return at most the last 10 elements of `comments`, 60 (6 %) exclude it (profiler: 1,000 executions ' +
        'in 2 days). Keep the last 10 in the document and all others outside (subset pattern).',
    );
    expect(part && partReadsFigures(part)).toEqual({
      seenBy: 'profiler: 1,000 executions in 2 days',
      all: 1_000,
      without: 60,
      ofSlice: 900,
      sliceElements: -10,
    });
  });

  it('are put into words where none wants any', () => {
    const part = partOf(without(950), whole(50));
    expect(part && partReadsAdvice('comments', part)).toBe(
      'Of 1,000 reads, 950 (95 %) exclude `comments` (profiler: 1,000 executions in 2 days). Move it out of the document, and read it only when it is needed.',
    );
  });
});

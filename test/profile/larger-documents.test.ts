/** The extremes of documents that are larger than all sampled ones, beside quantiles that are those of the sample. */
import { describe, expect, it } from 'vitest';
import { withExtremes } from '../../src/profile/larger-documents.js';
import { profileOf } from '../support/documents/profiles.js';

const post = (_id: number, comments: number) => ({ _id, comments: Array.from({ length: comments }, () => 'ok') });
const SAMPLED = profileOf(Array.from({ length: 100 }, (_, number) => post(number, number % 10)));

const commentsIn = ({ paths }: typeof SAMPLED) => paths.find(({ path }) => path === 'comments')?.array;

describe('a profile with the extremes of larger documents', () => {
  it('has their maximum, and the quantiles of the sample', () => {
    const { sizes, documents, ...profile } = withExtremes(SAMPLED, profileOf([post(200, 70), post(201, 900)]));
    expect(documents).toBe(100);
    expect(sizes).toMatchObject({ count: 100, median: SAMPLED.sizes.median, p99: SAMPLED.sizes.p99 });
    expect(sizes.max).toBeGreaterThan(900);
    expect(commentsIn({ ...profile, sizes, documents })?.lengths).toMatchObject({
      count: 100,
      median: 4,
      max: 900,
      countAtMax: 1,
      fifthLargest: 9,
    });
    expect(profile.largest.bytes).toBe(sizes.max);
  });

  it('knows the fifth largest if there are five', () => {
    const larger = profileOf(Array.from({ length: 6 }, (_, number) => post(200 + number, 100 * (number + 1))));
    expect(commentsIn(withExtremes(SAMPLED, larger))?.lengths.fifthLargest).toBe(200);
  });

  it('is that of the sample if none is larger, or what is larger has shorter arrays', () => {
    expect(withExtremes(SAMPLED, profileOf([]))).toBe(SAMPLED);
    const long = { _id: 300, text: 'x'.repeat(5_000), comments: ['one'] };
    const profile = withExtremes(SAMPLED, profileOf([long]));
    expect(commentsIn(profile)?.lengths).toEqual(commentsIn(SAMPLED)?.lengths);
    expect(profile.largest.bytes).toBeGreaterThan(5_000);
  });
});

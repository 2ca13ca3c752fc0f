import { describe, expect, it } from 'vitest';
import { atJudgedSize, judgedAt, judgedAtText, judgedSize, tooSmallToTell } from '../../src/judgement/judged-size.js';

const PRESENT = judgedSize({}, 60);
const EXPECTED = judgedSize({ expected: { documents: 5_000_000, from: 'expect' } }, 60);

describe('the size at which a collection is judged', () => {
  it('is the present one unless another is expected', () => {
    expect([PRESENT.documents, EXPECTED.documents]).toEqual([60, 5_000_000]);
    expect(judgedSize({ expected: { executionsPerDay: 12, from: 'expect' } }, 60)).toEqual(PRESENT);
  });

  it('scales what is proportional to the documents', () => {
    expect([atJudgedSize(30, PRESENT), atJudgedSize(30, EXPECTED)]).toEqual([30, 2_500_000]);
    expect(atJudgedSize(0, judgedSize({ expected: { documents: 9, from: 'expect' } }, 0))).toBe(9);
  });

  it('is reported if it is not the present one', () => {
    expect([judgedAt(PRESENT), judgedAt(EXPECTED)]).toEqual([
      {},
      { judgedAt: { documents: 5_000_000, from: 'expect' } },
    ]);
    expect([judgedAtText(PRESENT), judgedAtText(EXPECTED)]).toEqual(['', ' 60 documents here, 5,000,000 expected.']);
    const production = judgedSize({ expected: { documents: 3_100_000, from: 'production' } }, 60);
    expect(judgedAtText(production)).toBe(' 60 documents here, 3,100,000 in production.');
  });

  it('may be too small to tell', () => {
    expect(tooSmallToTell(PRESENT, 'joined by `order`')).toEqual({
      notJudged: 'too-small',
      detail: 'too small to tell (60 documents); give expected sizes with `expect`. Joined by `order`.',
    });
  });
});

import { describe, expect, it } from 'vitest';
import {
  atJudgedSize,
  documentsHere,
  judgedAt,
  judgedAtText,
  judgedSize,
  recordedHere,
  tooSmallToTell,
} from '../../src/judgement/judged-size.js';
import { present } from '../../src/presence.js';

const PRESENT = judgedSize({}, 60);
const EXPECTED = judgedSize({ expected: { documents: 5_000_000, from: 'expect' } }, 60);

/** What production has of a collection, of which some documents are here. */
const joined = (here: number | null) => ({
  production: present({ namespace: 'shop.orders', documentsHere: here, indexes: present([]), fields: null }),
});

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

  describe('if evidence of production stands in', () => {
    const size = judgedSize(joined(60), 3_100_000);

    it('is that of production, at which its operations were recorded', () => {
      expect(size).toMatchObject({ documents: 3_100_000, present: 60, from: 'production' });
      expect(atJudgedSize(3_100_000, size)).toBe(3_100_000);
      expect(atJudgedSize(30, recordedHere(size))).toBe(1_550_000);
      expect(judgedAtText(size, 12_000.4)).toBe(
        ' 60 documents here, 3,100,000 in production, 12,000 executions a day.',
      );
      expect(documentsHere(size)).toEqual({ documentsHere: 60 });
    });

    it('gives way to an expected one, to which its figures are scaled', () => {
      const expected = judgedSize({ ...joined(60), expected: { documents: 6_200_000, from: 'expect' } }, 3_100_000);
      expect(judgedAtText(expected)).toBe(' 60 documents here, 6,200,000 expected.');
      expect(atJudgedSize(3_100_000, expected)).toBe(6_200_000);
    });

    it('does not take an unknown number here for none, or for that of production', () => {
      const unknown = judgedSize(joined(null), 3_100_000);
      expect(judgedAtText(unknown)).toBe(' An unknown number of documents here, 3,100,000 in production.');
      expect(documentsHere(unknown)).toEqual({});
    });

    it('is the present one of a collection that production does not have', () => {
      expect(judgedSize({ production: present(null) }, 60)).toEqual(PRESENT);
    });
  });

  it('may be too small to tell', () => {
    expect(tooSmallToTell(PRESENT, 'joined by `order`')).toEqual({
      notJudged: 'too-small',
      detail: 'too small to tell (60 documents); give expected sizes with `expect`. Joined by `order`.',
    });
  });
});

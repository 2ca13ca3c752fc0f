import { describe, expect, it } from 'vitest';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { index } from '../support/checks/index-builders.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

const keys = (examined: number, returned: number) => ({
  keysExamined: 1_000 * examined,
  documentsExamined: 1_000 * returned,
  documentsReturned: 1_000 * returned,
});
const TWO_RANGES: Recorded = {
  command: { filter: { number: { $gt: 1 }, placed: { $gt: 1 } } },
  plan: 'IXSCAN { number: 1, placed: 1 }',
  figures: keys(20_000, 10),
};
const IN_ORDER: Recorded = {
  command: { filter: { status: 'open', placed: { $gt: 1 } }, sort: { number: 1 } },
  plan: 'IXSCAN { status: 1, number: 1, placed: 1 }',
  figures: keys(2_000, 12),
};
const BY_PLACED: Recorded = {
  command: { filter: { status: 'returned', placed: { $gt: 1 } } },
  plan: 'IXSCAN { placed: 1, status: 1 }',
  figures: keys(20_000, 10),
};

describe('queries that examine many index keys and few documents', () => {
  it.each<[string, GivenWorkload, string[]]>([
    ['20,000 keys for ten, of a range first', { recorded: [BY_PLACED] }, ['warning status_1_placed_1']],
    [
      '20,000 keys for ten, of an index that has a field between',
      {
        recorded: [
          {
            ...BY_PLACED,
            plan: 'IXSCAN { status: 1, customer: 1, number: 1 }',
            command: { filter: { status: 'returned', number: 3 } },
          },
        ],
      },
      ['warning status_1_number_1'],
    ],
    ['20,000 keys for ten thousand', { recorded: [{ ...BY_PLACED, figures: keys(20_000, 10_000) }] }, []],
    [
      '20,000 keys and 150 documents for none',
      { recorded: [{ ...BY_PLACED, figures: { ...keys(20_000, 0), documentsExamined: 150_000 } }] },
      ['warning status_1_placed_1'],
    ],
    ['900 keys for none', { recorded: [{ ...BY_PLACED, figures: keys(900, 0) }] }, []],
    ['2 million keys for one', { recorded: [{ ...BY_PLACED, figures: keys(2e6, 1) }] }, ['error status_1_placed_1']],
    [
      '20,000 keys that skip passes over',
      {
        recorded: [
          {
            ...BY_PLACED,
            figures: { ...keys(20_000, 10), skips: { executions: 1_000, documents: 2e7, deepest: 20_000 } },
          },
        ],
      },
      [],
    ],
    [
      '20,000 keys of a range in front of another that few documents match',
      { recorded: [TWO_RANGES], indexes: [index({ number: 1, placed: 1 })] },
      ['warning placed'],
    ],
    [
      '20,000 keys of a sort in front of a range',
      {
        recorded: [
          {
            ...TWO_RANGES,
            plan: 'IXSCAN { status: 1, number: 1, placed: 1 }',
            command: { filter: { status: 'open', placed: { $gt: 1 } }, sort: { number: 1 }, limit: 10 },
          },
        ],
        indexes: [index({ status: 1, number: 1, placed: 1 })],
      },
      ['warning placed'],
    ],
    [
      '2,000 keys of all that is equal, in order, in front of a range, in a large collection',
      { recorded: [IN_ORDER], documents: 2e6, indexes: [index({ status: 1, number: 1, placed: 1 })] },
      ['info status_1_placed_1'],
    ],
    [
      'the same, whose page is full before all that is equal is walked',
      {
        recorded: [{ ...IN_ORDER, command: { ...IN_ORDER.command, limit: 12 } }],
        documents: 2e6,
        indexes: [index({ status: 1, number: 1, placed: 1 })],
      },
      [],
    ],
    [
      '20,000 keys of a range that is as selective as the later one',
      { recorded: [TWO_RANGES], documents: 2e7, indexes: [index({ number: 1, placed: 1 })] },
      [],
    ],
    [
      'the other order is there as well',
      { recorded: [TWO_RANGES], indexes: [index({ number: 1, placed: 1 }), index({ placed: 1 })] },
      [],
    ],
    ['its equality is first', { recorded: [{ ...BY_PLACED, plan: 'IXSCAN { status: 1, placed: 1 }' }] }, []],
    ['its better index is there', { recorded: [BY_PLACED], indexes: [index({ status: 1, placed: 1 })] }, []],
  ])('%s', (_, given, expected) => {
    expect(foundIn(poorTargeting, given)).toEqual(expected);
  });

  it('says that keys are examined, not documents', () => {
    const [found] = problemsIn(poorTargeting, { recorded: [BY_PLACED] });
    expect(found?.message).toContain('An execution examines 20,000 index keys to return 10');
  });

  it('is too small to tell by 900 keys of as many documents', () => {
    const given = { recorded: [{ ...BY_PLACED, figures: keys(900, 1) }], documents: 900 };
    expect(judgeWorkload(poorTargeting, given)).toMatchObject([{ notJudged: 'too-small' }]);
  });
});

/** Searches of a few hundred documents, which thousands of executions a day make a large part of the work. */
import { describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { unselectiveFilter } from '../../checks/unselective-filter.js';
import type { AnyClusterCheck } from '../../src/check.js';
import { index } from '../support/checks/index-builders.js';
import {
  foundIn,
  judgeWorkload,
  problemsIn,
  type GivenWorkload,
  type Recorded,
} from '../support/checks/workload-builders.js';

const each = (executions: number, examined: number, returned: number, further: Recorded['figures'] = {}) => ({
  executions,
  milliseconds: executions,
  documentsExamined: executions * examined,
  keysExamined: 0,
  documentsReturned: executions * returned,
  ...further,
});
const DAY = { days: 1, documents: 50_000, elsewhere: 0 };
const OFTEN = 10_000;

const BY_STATUS: Recorded = {
  command: { filter: { status: 'open', number: 3 } },
  plan: 'IXSCAN { status: 1 }',
  figures: each(OFTEN, 300, 1),
};
const PAGE: Recorded = {
  command: { filter: { status: 'open' }, sort: { at: -1 }, limit: 10 },
  plan: 'IXSCAN { status: 1 }',
  figures: each(OFTEN, 400, 10, { inMemorySorts: OFTEN }),
};
const SCAN: Recorded = { command: { filter: { number: 3 } }, figures: each(OFTEN, 300, 20) };
const PATTERN: Recorded = {
  command: { filter: { name: /ada$/ } },
  plan: 'IXSCAN { name: 1 }',
  figures: each(OFTEN, 3, 3, { keysExamined: OFTEN * 400 }),
};
const WITHOUT_CASE: Recorded = { ...PATTERN, command: { filter: { name: /^ada/i } } };
/** Of all that is examined, the others are a twentieth beside it. */
const LARGE: Recorded = {
  command: { filter: { _id: { $gt: 1 } } },
  plan: 'IXSCAN { _id: 1 }',
  figures: each(1_000, 100_000, 100_000),
};

describe('what a query costs a day', () => {
  it.each<[string, AnyClusterCheck, GivenWorkload, string[]]>([
    ['300 documents for one', poorTargeting, { recorded: [BY_STATUS], ...DAY }, ['warning status_1_number_1']],
    ['the same beside far more', poorTargeting, { recorded: [BY_STATUS, LARGE], ...DAY }, ['info status_1_number_1']],
    [
      'the same, a hundredth as often',
      poorTargeting,
      { recorded: [{ ...BY_STATUS, figures: each(100, 300, 1) }], ...DAY },
      [],
    ],
    [
      '300 documents for 200',
      poorTargeting,
      { recorded: [{ ...BY_STATUS, figures: each(OFTEN, 300, 200) }], ...DAY },
      [],
    ],
    [
      '300 documents with their index',
      poorTargeting,
      { recorded: [BY_STATUS], ...DAY, indexes: [index({ status: 1, number: 1 })] },
      [],
    ],
    [
      'a million within minutes',
      poorTargeting,
      { recorded: [BY_STATUS], ...DAY, days: 0.01 },
      ['warning status_1_number_1'],
    ],
    [
      'less than a million in a day',
      poorTargeting,
      { recorded: [{ ...BY_STATUS, figures: each(3_000, 300, 1) }], ...DAY },
      [],
    ],
    ['a sort of 400 for a page', inMemorySort, { recorded: [PAGE], ...DAY }, ['warning status_1_at_-1']],
    [
      'a sort of 400 for all of them',
      inMemorySort,
      { recorded: [{ ...PAGE, command: { ...PAGE.command, limit: 0 } }], ...DAY },
      [],
    ],
    [
      'a scan of 300 documents for 20',
      collectionScan,
      { recorded: [SCAN], ...DAY, documents: 300 },
      ['warning number_1'],
    ],
    [
      'a scan of 300 for 280',
      collectionScan,
      { recorded: [{ ...SCAN, figures: each(OFTEN, 300, 280) }], ...DAY, documents: 300 },
      [],
    ],
    ['a pattern that compares 400 keys', unselectiveFilter, { recorded: [PATTERN], ...DAY }, ['warning name']],
    ['one that ignores case', caseInsensitiveRegex, { recorded: [WITHOUT_CASE], ...DAY }, ['warning name']],
  ])('%s', (_, check, given, expected) => {
    expect(foundIn(check, given)).toEqual(expected);
  });

  it('is said if it is why the query is reported', () => {
    const [found] = problemsIn(poorTargeting, { recorded: [BY_STATUS, LARGE], ...DAY });
    expect(found?.message).toContain('examines 300 documents to return 1');
    expect(found?.message).toContain(
      'All executions examine 2,990,000 in vain a day; the query is 2.9 % of all that is examined.',
    );
    const [large] = problemsIn(poorTargeting, {
      recorded: [{ ...BY_STATUS, figures: each(OFTEN, 30_000, 1) }],
      ...DAY,
    });
    expect(large?.message).not.toContain('in vain');
  });

  it('is not too small to tell', () => {
    expect(judgeWorkload(collectionScan, { recorded: [SCAN], ...DAY, documents: 300 })).toHaveLength(1);
  });
});

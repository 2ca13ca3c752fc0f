import { describe, expect, it } from 'vitest';
import type { LookFor } from '../../src/finding/look-for.js';
import { type BaselineEntry, formatBaseline, parseBaseline } from '../../src/policy/baseline-file.js';
import { comparedWithBaseline, updatedBaseline } from '../../src/policy/baseline.js';
import { lookForEither, searchableFindings } from '../../src/policy/baseline.js';
import { policyFinding } from '../support/policy-finding.js';
import { reportOf, sampledCollection } from '../support/report/sample-report.js';

const strings: LookFor = { path: 'amount', types: ['string', 'symbol'] };
const entry: BaselineEntry = {
  check: 'mixed-types',
  severity: 'warning',
  namespace: 'shop.orders',
  path: 'amount',
  fingerprint: '0123456789abcdef',
  sample: { documents: 1000, of: 90_000, method: 'random-cursor', showing: 1 },
};

describe('what shows a finding that two runs saw', () => {
  it.each<[string, LookFor | undefined, LookFor | undefined, LookFor | undefined]>([
    ['the same types', strings, strings, strings],
    [
      'other types',
      strings,
      { path: 'amount', types: ['date'] },
      { path: 'amount', types: ['date', 'string', 'symbol'] },
    ],
    ['another path', strings, { path: 'sum', types: ['date'] }, { path: 'sum', types: ['date'] }],
    ['another size', { bytes: 8 }, { bytes: 9 }, { bytes: 9 }],
    ['nothing known before', undefined, strings, strings],
    ['nothing to search for now', strings, undefined, undefined],
  ])('%s', (_, before, now, expected) => {
    expect(lookForEither(before, now)).toEqual(expected);
  });
});

describe('the findings that a run can search for', () => {
  it('are those of its target and its checks, if they say what shows them', () => {
    const known = [{ ...entry, lookFor: strings }, entry, { ...entry, target: 'eu', lookFor: strings }];
    const { namespace, fingerprint } = entry;
    const checks = ['mixed-types'];
    expect(searchableFindings(known, undefined, checks)).toEqual([{ namespace, fingerprint, lookFor: strings }]);
    expect(searchableFindings([...known, ...known], 'eu', checks)).toHaveLength(1);
    expect(searchableFindings(known, 'us', checks)).toEqual([]);
    expect(searchableFindings(null, undefined, checks)).toEqual([]);
    expect(searchableFindings(known, undefined, ['oversized-document'])).toEqual([]);
  });
});

describe('a baseline', () => {
  it.each<[string, LookFor]>([
    ['types', strings],
    ['bytes', { bytes: 8_388_608 }],
  ])('keeps %s to search for', (_, lookFor) => {
    const kept = [{ ...entry, lookFor }];
    expect(parseBaseline(formatBaseline(kept), 'baseline')).toEqual(kept);
  });

  it('without them is as it was', () => {
    const text = formatBaseline([entry]);
    expect(text).not.toContain('lookFor');
    expect(parseBaseline(text, 'baseline')).toEqual([entry]);
  });

  it('learns what to search for though nothing else has changed', () => {
    const found = policyFinding({ ...entry, lookFor: strings, evidence: { source: 'sample', window: 'all' } });
    const sampled = { documents: 1000, bytes: 9, method: 'random-cursor', complete: false, boundedBy: null } as const;
    const collections = [sampledCollection('shop.orders', { documents: 90_000, sampled })];
    const report = comparedWithBaseline(reportOf({ findings: [found], collections }), [entry], {
      wasJudged: () => true,
      hasSetSeverity: () => false,
    });
    const after = updatedBaseline([entry], [report]);
    expect(after).toEqual([{ ...entry, lookFor: strings }]);
    expect(updatedBaseline(after, [report])).toEqual(after);
  });
});
